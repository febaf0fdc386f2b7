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

/** Makes a chip for each value: its number is that of the things that it would leave. */
function chipsFor(word, names, things, valuesOf, title) {
  const counts = new Map();
  for (const thing of things) {
    for (const value of valuesOf(thing)) counts.set(value, (counts.get(value) || 0) + 1);
  }
  return Object.entries(names).filter(([value]) => counts.has(value) || state[word] === value)
    .map(([value, name]) => chip(name, counts.get(value) || 0, state[word] === value,
      () => change({ [word]: state[word] === value ? "" : value }), title));
}

/** Returns the names of the kinds of all things, in the order of the first of each. */
const kindsOf = things => Object.fromEntries(things.map(({ k }) => [k, kindNames[k] || k]));

function drawToolbar() {
  byId("toolbar").replaceChildren(...(state.view === "map" ? []
    : state.view === "difference" ? changeFilters() : assetFilters()));
}

function assetFilters() {
  const kinds = kindsOf(data.assets);
  const all = data.assets.filter(asset => isShown(asset, ["kind", "problem"]));
  const parts = Object.keys(kinds).length > 1 ? [
    chip("All", all.length, state.kind === "" && state.problem === "",
      () => change({ kind: "", problem: "" })),
    ...chipsFor("kind", kinds, data.assets.filter(asset => isShown(asset, ["kind"])),
      asset => [asset.k]),
  ] : [];
  parts.push(...chipsFor("problem", problems,
    data.assets.filter(asset => isShown(asset, ["problem"])), problemsOf,
    "in the window that is chosen"));
  parts.push(make("span", { class: "space" }));
  parts.push(choice("Size", { "": "Any size", ...sizes }, state.size, size => change({ size })));
  parts.push(choice("Sort", Object.fromEntries(Object.entries(sorts).map(([value, name]) => [value,
    `By ${name.toLowerCase()}`
  ])), state.sort, sort => change({ sort })));
  return parts;
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
