// Assembles the page: views, keys, printing.
const views = {
  ...(app ? { map: { name: "App", draw: showMap } } : {}),
  assets: { name: "Assets", draw: showCards },
  matrix: { name: "Matrix", draw: showMatrix },
  changes: { name: "When windows change", draw: showChanges },
  bytes: { name: "Bytes", draw: showBytes },
};
if (difference) views.difference = { name: "Since the last release", draw: showDifference };

function drawTabs() {
  const shown = Object.entries(views).filter(([name]) => name === "map" || data.devices.length);
  byId("tabs").replaceChildren(...shown.map(([name, view], place) =>
    make("button", { type: "button", "aria-pressed": String(state.view === name),
      title: `${view.name}  ${app ? place : place + 1}`,
      onclick: () => change({ view: name }) }, view.name)));
}

const filterWords = ["device", "window", "style", "contrast", "language", "query", "kind",
  "problem", "size", "sort"
];

function drawView(changed) {
  const view = byId("view");
  if (!views[state.view]) state.view = defaults.view;
  if (app && !data.devices.length) state.view = "map";
  document.documentElement.dataset.view = state.view;
  if (changed.includes("view")) view.replaceChildren();
  if (changed.some(word => filterWords.includes(word) || word === "view")) {
    filterAssets();
    byId("live").textContent = `${plural(shownAssets.length, "asset")} shown on ${device().name}`;
  }
  if (changed.every(word => word === "asset" || word === "open")) return;
  drawTabs();
  drawToolbar();
  views[state.view].draw(view, changed);
}

function moveFocus(step) {
  const cards = [...document.querySelectorAll(".card")];
  const here = cards.indexOf(document.activeElement);
  const next = cards[Math.max(0, Math.min(cards.length - 1, here < 0 ? 0 : here + step))];
  if (!next) return;
  for (const card of cards)
    if (card.tabIndex === 0) card.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function columns() {
  const grid = document.querySelector(".cards");
  return grid ? getComputedStyle(grid).gridTemplateColumns.split(" ").length : 1;
}

const keys = {
  "/": ["Search", () => { byId("search").focus();
    byId("search").select(); }],
  "[": ["Previous device", () => stepDevice(-1)],
  "]": ["Next device", () => stepDevice(1)],
  "w": ["Next window", () => change({ window: (state.window + 1) % device().windows.length,
    free: null })],
  "r": ["Rotate", rotate],
  "s": ["Next style", () => change({ style: (state.style + 1) % looks.styles.length })],
  "g": ["Next background", () => change({ ground: { auto: "light", light: "dark", dark: "checker",
      checker: "auto" } [state.ground] })],
  ...(app ? { "0": ["App", () => change({ view: "map" })] } : {}),
  "1": ["Assets", () => change({ view: "assets" })],
  "2": ["Matrix", () => change({ view: "matrix" })],
  "3": ["When windows change", () => change({ view: "changes" })],
  "4": ["Bytes", () => change({ view: "bytes" })],
  ...(difference ? { "5": ["Since the last release", () => change({ view: "difference" })] } : {}),
  "?": ["These keys", showHelp],
};

addEventListener("keydown", event => {
  // A browser does not wait when it prints, so all that was not in view is drawn first.
  if ((event.ctrlKey || event.metaKey) && event.key === "p") {
    event.preventDefault();
    drawAll().then(() => print());
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && event.target === byId("search")) {
    byId("search").value = "";
    change({ query: "" });
    byId("search").blur();
  }
  if (isTyping) return;
  const card = event.target.closest(".card");
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns(), ArrowUp: -columns() };
  if (card && steps[event.key]) { event.preventDefault(); return moveFocus(steps[event.key]); }
  if (card && (event.key === "Enter" || event.key === " ")) { event
  .preventDefault(); return change({ asset: card.dataset.asset }); }
  if (document.querySelector("dialog[open]") && event.key !== "s" && event.key !== "w" && event
    .key !== "r" && event.key !== "g") return;
  const isUp = state.view === "map" && (event.key === "Escape" || event.key === "Backspace");
  if (isUp && leaveNode()) return event.preventDefault();
  const key = keys[event.key];
  if (key) { event.preventDefault();
    key[1](); }
});

function showHelp() {
  const dialog = byId("help");
  dialog.replaceChildren(make("h2", { id: "help-title" }, "Keys"),
    make("dl", { class: "facts" }, Object.entries(keys).flatMap(([key, [name]]) => [make("dt",
        null, make("kbd", null, key)), make("dd", null, name)]),
      app ? [make("dt", null, make("kbd", null, "Esc")), make("dd", null,
        "In the map of the app: one step out")] : [],
      make("dt", null, make("kbd", null, "arrows, Enter")), make("dd", null,
        "Move through the assets, open one")),
    make("form", { method: "dialog" }, make("button", { class: "plain-button" }, "Close")));
  dialog.showModal();
}

/** Tells the style sheet the ground: it changes the ground of a picture only if it is automatic. */
const sayGround = () => { document.documentElement.dataset.ground = state.ground; };

addEventListener("beforeprint", drawAll);

function start() {
  readFragment();
  document.title = app ? `${app.title}: app` : `${data.title}: preview`;
  byId("title").replaceChildren(nameText(app ? app.title : data.title));
  const variants = data.assets.reduce((sum, asset) => sum + asset.v.length, 0);
  byId("subtitle").textContent =
    `${plural(data.assets.length, "asset")}, ${plural(variants, "variant")}, `
    + bytesText(data.size) + (app && app.pages.length ? ` in ${app.pages[archiveNumber].name}`
      : "");
  byId("skip").addEventListener("click", event => { event.preventDefault();
    byId("main").focus(); });
  const search = byId("search");
  search.value = state.query;
  search.addEventListener("input", () => change({ query: search.value }));
  drawArchives();
  if (data.fault) {
    showBanner(`${data.title}: ${data.fault}`);
  } else if (data.damaged.length) {
    showBanner(data.damaged.map(([name, variant, reason]) =>
      `damaged: ${name}${variant ? ` (${variant})` : ""}: ${reason}`).join("\n"));
  }
  if (!data.devices.length && app) {
    whenChanged(drawView);
    return drawView(["view"]);
  }
  if (!data.devices.length) {
    byId("view").replaceChildren(make("div", { class: "empty" }, make("h2", null,
      "No known device reads this archive")));
    return;
  }
  buildStage();
  listenForNews();
  whenChanged(sayGround);
  whenChanged(drawView);
  whenChanged(changed => { if (changed.includes("asset") || state.asset) showDetail(changed); });
  whenChanged(changed => { if (changed.includes("open")) showComparison(); });
  sayGround();
  drawView(["view"]);
  if (state.asset) showDetail(["asset"]);
  if (state.open) showComparison();
}
start();
