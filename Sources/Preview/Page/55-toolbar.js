// The filters above the assets, with the number of assets for each.
function chip(label, count, isOn, toggle, title) {
  return make("button", { class: "chip", type: "button", "aria-pressed": String(isOn),
    onclick: toggle, title }, label, count === null ? null : make("b", null, String(count)));
}

const kindNames = { image: "Images", color: "Colors", data: "Data", symbol: "Symbols",
  icon: "Icons", layers: "Layers" };

function choice(label, names, chosen, choose) {
  const select = make("select", { "aria-label": label, onchange: event => choose(event.target
      .value) },
    Object.entries(names).map(([value, name]) => make("option", { value }, name)));
  select.value = chosen;
  return select;
}

function drawToolbar() {
  const kinds = new Map(),
    found = { holes: 0, fallbacks: 0, open: 0, broken: 0 };
  for (const asset of data.assets) {
    kinds.set(asset.k, (kinds.get(asset.k) || 0) + 1);
    for (const problem of problemsOf(asset)) found[problem] += 1;
  }
  const parts = [];
  if (kinds.size > 1) {
    parts.push(chip("All", data.assets.length, state.kind === "" && state.problem === "",
      () => change({ kind: "", problem: "" })));
    for (const [kind, count] of kinds) parts.push(chip(kindNames[kind] || kind, count, state
      .kind === kind, () => change({ kind: state.kind === kind ? "" : kind })));
  }
  for (const [name, label] of Object.entries(problems)) {
    if (found[name] || state.problem === name) {
      parts.push(chip(label, found[name], state.problem === name, () => change({ problem: state
          .problem === name ? "" : name }), "in the window that is chosen"));
    }
  }
  parts.push(make("span", { class: "space" }));
  parts.push(choice("Size", { "": "Any size", ...sizes }, state.size, size => change({ size })));
  parts.push(choice("Sort", Object.fromEntries(Object.entries(sorts).map(([value, name]) => [value,
    `By ${name.toLowerCase()}`
  ])), state.sort, sort => change({ sort })));
  byId("toolbar").replaceChildren(...parts);
}

function groundSegment() {
  return make("div", { class: "segment wide",
  role: "group", "aria-label": "Background of pictures" },
    [
      ["auto", "Auto"],
      ["light", "Light"],
      ["dark", "Dark"],
      ["checker", "Check"]
    ].map(([name, label]) =>
      make("button", { type: "button", "aria-pressed": String(state.ground === name),
      onclick: () => change({ ground: name }) }, label)));
}
