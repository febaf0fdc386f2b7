// The bytes of each device: what thinning keeps and drops, and why.
let chosenGroup = 0;

/** Returns the device that represents its group: the chosen one, or the first. */
const groupDevice = group => group.devices.includes(device().id) ? device().id : group.devices[0];

function showBytes(view) {
  if (!data.bytes) {
    view.replaceChildren(make("div", { class: "empty" }, make("h2", null,
        "The bytes are not known"),
      "Some renditions are damaged, so the result of thinning is not known."));
    return;
  }
  const groups = data.bytes.groups;
  const most = Math.max(1, ...groups.map(group => group.kept + group.dropped));
  const here = groups.findIndex(group => group.devices.includes(device().id));
  if (here >= 0) chosenGroup = here;
  const names = new Map(data.devices.map(one => [one.id, one.name]));
  const order = groups.map((group, place) => ({ group, place })).sort((a, b) => b.group.kept - a
    .group.kept);
  const bars = order.map(({ group, place }) => {
    const label = names.get(groupDevice(group));
    return make("li", null, make("button", {
        class: "bar-row",
        type: "button",
        "aria-pressed": String(place === chosenGroup),
        title: group.devices.map(id => names.get(id) || id).join(", "),
        onclick: () => chooseDevice(Math.max(0, data.devices.findIndex(one => one.id ===
          group.devices[0])))
      },
      make("span", { class: "bar-name" }, label, group.devices.length > 1 ? make("small",
        null, `and ${plural(group.devices.length - 1, "other")}`) : null),
      make("span", { class: "bar" }, make(
      "i", { style: { width: `${group.kept / most * 100}%` } }), make(
      "i", { class: "dropped", style: { width: `${group.dropped / most * 100}%` } })),
      make("span", { class: "bar-value" }, bytesText(group.kept), make("small", null,
          `−${Math.round(group.dropped / Math.max(1, group.kept + group.dropped) * 100)} %`
          ))));
  });
  view.replaceChildren(make("p", { class: "hint lead" },
      `The archive has ${data.bytes.total.toLocaleString("en")} bytes. Thinned for one device it `
      + "keeps the dark part of each bar, if atlases are not packed again."
      ),
    make("div", { class: "bytes" }, make("ol", { class: "bars" }, bars), groups[chosenGroup] ?
      dropDetails(groups[chosenGroup], names) : ""));
}

function dropDetails(group, names) {
  const most = Math.max(1, ...group.axes.map(([, bytes]) => bytes));
  const axes = group.axes.map(([axis, bytes, count]) => make("li", { class: "bar-row" }, make(
      "span", { class: "bar-name" }, axis),
    make("span", { class: "bar" }, make("i", { class: "dropped",
      style: { width: `${bytes / most * 100}%` } })), make("span", { class: "bar-value" },
      bytesText(bytes), make("small", null, plural(count, "rendition")))));
  const first = names.get(group.devices[0]), name = names.get(groupDevice(group));
  const rows = group.drops.map(([asset, bytes, reason]) => make("tr", null,
    make("td", null, nameText(asset)), make("td", { class: "number" }, bytesText(bytes)),
    make("td", { class: "muted" }, reason.replaceAll(first, name))));
  return make("section", { class: "part" }, make("h3", null, `What ${name} never shows`),
    axes.length ? make("ul", { class: "bars" }, axes) : make("p", { class: "muted" },
      "Nothing: it can show every rendition."),
    rows.length ? make("div", { class: "table-box" }, make("table", { class: "variants" }, make(
      "thead", null, make("tr", null, ["Asset", "Bytes dropped", "Why"].map(name => make(
      "th", { scope: "col" }, name)))), make("tbody", null, rows))) : null);
}
