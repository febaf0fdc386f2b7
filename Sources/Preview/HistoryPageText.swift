// Written by Sources/Preview/Page/generate.py from the files beside it: change those.
// swift-format-ignore-file

extension PageText {
  static let history = PageText(
    scriptHash: "sha256-yLuGCiEwTbm59UqKOlpCl2/EmUtJXf/pJu2UB/mZx0Q=",
    styleHash: "sha256-P0lhNOkzidqg5EmbGz+d2grTTWRxeF8dvCo2hEJ3Prc=",
    body: #"""
<a class="skip" href="#main" id="skip">Skip to the chart</a>
<header class="top">
  <div class="brand">
    <svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
      <rect x="2" y="2" width="24" height="24" rx="7" class="brand-back"/>
      <path d="M18.5 9.2a6.6 6.6 0 1 0 0 9.6" class="brand-line"/>
      <circle cx="19.6" cy="14" r="1.7" class="brand-dot"/>
    </svg>
    <div>
      <h1 id="title"></h1>
      <p id="subtitle"></p>
    </div>
  </div>
  <div class="segment" id="scale" role="group" aria-label="Sizes of the chart"></div>
</header>
<main id="main" class="history" tabindex="-1">
  <p class="hint" id="gaps"></p>
  <div class="history-grid">
    <figure class="chart" id="chart"></figure>
    <section class="legend" aria-labelledby="legend-name">
      <h2 class="group-name" id="legend-name">Devices</h2>
      <ul id="legend"></ul>
    </section>
  </div>
  <section class="commit" id="commit" aria-live="polite"></section>
  <section class="moves" aria-labelledby="moves-name">
    <h2 class="group-name" id="moves-name">Commits that changed a size</h2>
    <div class="scroll"><table id="moves"></table></div>
  </section>
</main>
<noscript><p class="noscript">
  This page needs its script, which is part of this file and asks for nothing outside of it.
</p></noscript>
"""#,
    style: #"""

/* Colours, type and the frame of the page. */
:root {
  color-scheme: light dark; --bg: #f5f5f2; --panel: #ffffff; --sunk: #eeeeea; --ink: #1a1b1f;
  --muted: #62656e; --line: #e0e0da; --accent: #4350e6; --accent-soft: #e9ebff; --on-accent: #fff;
  --warn: #8a5200; --warn-soft: #fff0d1; --bad: #b3152d; --bad-soft: #ffe3e6; --good: #14714a;
  --good-soft: #dcf5e8; --shadow: 0 1px 2px #1a1b1f14, 0 6px 20px #1a1b1f0d; --screen: #fbfbfa;
  --window: #d9deff; --radius: 14px;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #121316; --panel: #1b1d21; --sunk: #24272c; --ink: #eeeff2; --muted: #a0a4ae;
    --line: #2e3138; --accent: #98a2ff; --accent-soft: #2a2e55; --on-accent: #14161f;
    --warn: #ffc66b; --warn-soft: #3d2f12; --bad: #ff8f9d; --bad-soft: #47191f; --good: #74dba8;
    --good-soft: #143a29; --shadow: 0 1px 2px #0006, 0 8px 24px #0005; --screen: #24262b;
    --window: #3a4080;
  }
}
* { box-sizing: border-box; }
html { overflow-y: scroll; }
body {
  margin: 0; background: var(--bg); color: var(--ink);
  font: 14px/1.45 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans",
  sans-serif; -webkit-font-smoothing: antialiased;
}
h1, h2, h3, h4, p, figure, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.skip {
  position: absolute; left: -999px; top: 8px; z-index: 30; padding: 8px 12px;
  background: var(--panel);
}
.skip:focus { left: 8px; }
.mono { font-family: var(--mono); font-size: 12px; }
.muted { color: var(--muted); }
[hidden] { display: none !important; }

.top {
  position: sticky; top: 0; z-index: 10; display: flex; align-items: center; gap: 20px;
  padding: 10px 20px; background: var(--bg); border-bottom: 1px solid var(--line);
}
.brand { display: flex; align-items: center; gap: 11px; min-width: 0; flex: 1 1 220px; }
.brand svg { flex: none; }
.brand-back { fill: var(--accent); }
.brand-line { fill: none; stroke: var(--on-accent); stroke-width: 2.4; stroke-linecap: round; }
.brand-dot { fill: var(--on-accent); }
.brand > div { min-width: 0; }
.brand h1 {
  font-size: 15px; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap;
}
.brand p {
  font-size: 12px; color: var(--muted); white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis;
}
#printed { display: none; }
.tabs { display: flex; gap: 2px; padding: 3px; background: var(--sunk); border-radius: 11px; }
.tabs button, .segment button {
  border: 0; background: none; padding: 5px 13px; border-radius: 8px; color: var(--muted);
  font-weight: 550; white-space: nowrap;
}
.tabs button[aria-pressed=true], .segment button[aria-pressed=true] {
  background: var(--panel); color: var(--ink); box-shadow: 0 1px 3px #0002;
}
.tabs button:hover, .segment button:hover { color: var(--ink); }
.search {
  position: relative; display: flex; align-items: center; flex: 0 1 260px; color: var(--muted);
}
.search svg {
  position: absolute; left: 10px; fill: none; stroke: currentColor; stroke-width: 1.6;
  stroke-linecap: round;
}
.search input {
  width: 100%; padding: 7px 30px 7px 33px; border: 1px solid var(--line); border-radius: 10px;
  background: var(--panel); color: var(--ink);
}
.search input::placeholder { color: var(--muted); opacity: 1; }
.search kbd {
  position: absolute; right: 9px; font: 11px var(--mono); padding: 1px 6px; border-radius: 5px;
  background: var(--sunk);
}
.search input:focus + kbd { display: none; }
.banner {
  padding: 10px 20px; background: var(--bad-soft); color: var(--bad); white-space: pre-wrap;
  font-family: var(--mono); font-size: 12px; max-height: 40vh; overflow: auto;
}
.noscript { padding: 40px; text-align: center; }
.layout { display: grid; grid-template-columns: 288px minmax(0, 1fr); align-items: start; }
main { padding: 16px 22px 80px 8px; min-width: 0; outline: none; }
@media (max-width: 900px) {
  .layout { grid-template-columns: minmax(0, 1fr); }
  .top { flex-wrap: wrap; gap: 8px 12px; padding: 8px 14px; }
  .brand { flex-basis: 160px; }
  .tabs { order: 3; flex: 1 1 100%; flex-wrap: wrap; }
  .tabs button { flex: 1 1 auto; padding-inline: 8px; }
  .search { flex: 1 1 220px; }
  .search kbd { display: none; }
  main { padding: 4px 14px 60px; }
}

.segment {
  display: inline-flex; padding: 3px; gap: 2px; background: var(--sunk); border-radius: 10px;
  max-width: 100%;
}
.segment button { padding: 4px 11px; font-size: 13px; }
.segment.wide { display: flex; }
.segment.wide button { flex: 1; padding: 4px 6px; }
.field { display: block; }
.field > span, .group-name {
  display: block; margin-bottom: 5px; font-size: 11px; font-weight: 600; letter-spacing: .05em;
  text-transform: uppercase; color: var(--muted);
}
select {
  width: 100%; padding: 7px 30px 7px 10px; border: 1px solid var(--line); border-radius: 10px;
  appearance: none; text-overflow: ellipsis; background: var(--panel) no-repeat;
  background-image:
    linear-gradient(45deg, transparent 50%, var(--muted) 50%),
    linear-gradient(-45deg, transparent 50%, var(--muted) 50%);
  background-size: 5px 5px; background-position: right 15px center, right 10px center;
}
.chip {
  display: inline-flex; align-items: center; gap: 6px; padding: 4px 11px; border-radius: 99px;
  border: 1px solid var(--line); background: var(--panel); color: var(--muted); font-size: 13px;
  white-space: nowrap;
}
.chip b { font-weight: 550; color: var(--ink); font-variant-numeric: tabular-nums; }
.chip[aria-pressed=true] {
  background: var(--accent-soft); border-color: transparent; color: var(--accent);
}
.chip[aria-pressed=true] b { color: inherit; }
.chip:hover { border-color: var(--accent); }
.plain-button {
  border: 1px solid var(--line); background: var(--panel); border-radius: 9px; padding: 5px 12px;
}
.plain-button:hover { border-color: var(--accent); }

/* The chart of a history, its legend, and the commits. */
.history { max-width: 1280px; margin: 0 auto; padding: 16px 20px 60px; }
.history-grid { display: grid; grid-template-columns: minmax(0, 1fr) 320px; gap: 20px; }
.chart, .commit, .moves, .legend {
  background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius);
  padding: 14px 16px; min-width: 0;
}
.chart svg { display: block; width: 100%; height: 340px; overflow: visible; touch-action: pan-y; }
.chart .rule { stroke: var(--line); stroke-width: 1; }
.chart text { fill: var(--muted); font-size: 11px; font-variant-numeric: tabular-nums; }
.chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.chart .line.faint { opacity: .3; }
.chart .line.chosen { stroke-width: 3.5; }
.chart .dot { stroke: var(--panel); stroke-width: 1.5; }
.chart .cursor { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 3 3; }
.slide { display: flex; align-items: center; gap: 8px; margin-top: 10px; }
.slide input { flex: 1; min-width: 0; accent-color: var(--accent); }
.slide button { min-width: 40px; }
.legend ul { display: grid; gap: 4px; max-height: 372px; overflow: auto; }
.legend button {
  display: grid; grid-template-columns: 26px minmax(0, 1fr) auto; gap: 2px 8px; width: 100%;
  align-items: center; text-align: left; padding: 6px 8px; border: 1px solid transparent;
  border-radius: 9px; background: none;
}
.legend button:hover { border-color: var(--accent); }
.legend button[aria-pressed=true] { background: var(--accent-soft); }
.legend svg { width: 26px; height: 10px; }
.legend small { grid-column: 2 / 4; color: var(--muted); font-size: 12px; }
.legend b { font-weight: 550; font-variant-numeric: tabular-nums; white-space: nowrap; }
.commit, .moves { margin-top: 16px; }
.commit h2 { font-size: 15px; font-weight: 600; overflow-wrap: anywhere; }
.commit .changes { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 28px; margin-top: 10px; }
.scroll { overflow-x: auto; }
.history table { width: 100%; border-collapse: collapse; }
.history th, .history td { text-align: left; padding: 5px 10px 5px 0; vertical-align: top; }
.history th { font-size: 12px; font-weight: 600; color: var(--muted); white-space: nowrap; }
.history td { border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.history .number {
  text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; overflow-wrap: normal;
}
.history td button { border: 0; background: none; padding: 2px 0; color: var(--accent); }
.history td button:hover { text-decoration: underline; }
.history tr[aria-current] td { background: var(--accent-soft); }
.up { color: var(--bad); }
.down { color: var(--good); }
@media (max-width: 900px) {
  .history { padding: 12px 12px 50px; }
  .history-grid { grid-template-columns: minmax(0, 1fr); }
  .chart svg { height: 260px; }
  .legend ul { max-height: 220px; }
  .commit .changes { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  .slide, .segment { display: none; }
}

"""#,
    script: #"""
"use strict";
// Functions that make elements and texts, for every page.
const byId = id => document.getElementById(id);

/** Makes an element with properties and children; text is never read as markup. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined &&
    child !== false));
  return element;
}

/** Isolates a name: names in another writing direction must not turn the text around them. */
const nameText = text => make("bdi", null, text === "" ? "(no name)" : text);

/** Makes a path that may be broken after each folder. */
const pathText = path => make("bdi", null, path.split("/").flatMap((part, place) =>
  place ? ["/", make("wbr"), part] : [part]));

function bytesText(count) {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1000).toFixed(count < 1e4 ? 1 : 0)} KB`;
  return `${(count / 1e6).toFixed(count < 1e7 ? 2 : 1)} MB`;
}
const numberText = number => String(Math.round(number * 100) / 100);
const sizeText = (width, height) => `${numberText(width)} × ${numberText(height)}`;
const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

// The page of a history: a chart with a line for each device, and the commits that moved the lines.
const data = JSON.parse(document.getElementById("data").textContent);
const commits = data.commits;
const lines = data.lines;
const moves = new Map(data.moves.map(move => [move.commit, move]));

/** The chosen commit and line, and whether the chart begins at zero. The fragment keeps them. */
const state = { commit: commits.length - 1, line: -1, isWhole: false };

const hues = [229, 32, 160, 338, 265, 95, 200, 12, 300, 60];
const dashes = ["", "7 3", "2 3", "10 3 2 3"];
const isDark = matchMedia("(prefers-color-scheme: dark)");
const colorOf = place => `hsl(${hues[place % hues.length]} 65% ${isDark.matches ? 68 : 40}%)`;
const dashOf = place => dashes[Math.floor(place / hues.length) % dashes.length] || null;
const shortId = commit => commit.id.slice(0, 10);
const nameOf = line => line.names[0] + (line.names.length > 1
  ? ` and ${plural(line.names.length - 1, "other")}` : "");
const exact = count => `${count.toLocaleString("en")} bytes`;

function signedText(count) {
  if (count === 0) return "0 B";
  return `${count > 0 ? "+" : "−"}${bytesText(Math.abs(count))}`;
}

const growth = count => make("span", { class: count > 0 ? "up" : count < 0 ? "down" : "muted",
  title: exact(count) }, signedText(count));

function draw(tag, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// The chart. Its size is that of its place, so that texts are not scaled.
const margins = { left: 64, right: 12, top: 10, bottom: 26 };
let frame = null;

function range() {
  const all = lines.flatMap(line => line.bytes.filter(bytes => bytes !== null));
  const most = Math.max(...all), least = state.isWhole ? 0 : Math.min(...all);
  const room = Math.max((most - least) * .08, most * .002, 1);
  return [state.isWhole ? 0 : Math.max(0, least - room), most + room];
}

/** Returns round numbers in a range, about four of them. */
function ticks(low, high) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(one => one >= rough);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) found.push(tick);
  return found;
}

function axisText(bytes, step) {
  const digits = unit => Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(digits(1e6))} MB`;
  return bytes >= 1e3 ? `${(bytes / 1e3).toFixed(digits(1e3))} KB` : `${Math.round(bytes)} B`;
}

function pathOf(line) {
  let path = "", isOpen = false;
  line.bytes.forEach((bytes, place) => {
    if (bytes === null) { isOpen = false; return; }
    // A line has steps: a commit holds until the next one.
    path += isOpen ? `H${frame.x(place).toFixed(1)}V${frame.y(bytes).toFixed(1)}`
      : `M${frame.x(place).toFixed(1)} ${frame.y(bytes).toFixed(1)}`;
    isOpen = true;
  });
  return path;
}

function drawChart() {
  const svg = byId("lines");
  const { width, height } = svg.getBoundingClientRect();
  const [low, high] = range();
  const inner = { width: Math.max(10, width - margins.left - margins.right),
    height: Math.max(10, height - margins.top - margins.bottom) };
  frame = {
    x: place => margins.left + inner.width * (commits.length > 1 ? place / (commits.length - 1)
      : .5),
    y: bytes => margins.top + inner.height * (1 - (bytes - low) / (high - low)),
    place: x => Math.max(0, Math.min(commits.length - 1,
      Math.round((x - margins.left) / inner.width * (commits.length - 1)))),
  };
  const rules = ticks(low, high);
  const step = rules.length > 1 ? rules[1] - rules[0] : high - low;
  const right = margins.left + inner.width, bottom = margins.top + inner.height;
  const parts = rules.flatMap(tick => [
    draw("line", { class: "rule", x1: margins.left, x2: right, y1: frame.y(tick),
      y2: frame.y(tick) }),
    draw("text", { x: margins.left - 8, y: frame.y(tick) + 4, "text-anchor": "end" },
      axisText(tick, step)),
  ]);
  parts.push(draw("text", { x: margins.left, y: bottom + 18 }, commits[0].date));
  if (commits.length > 1) {
    parts.push(draw("text", { x: right, y: bottom + 18, "text-anchor": "end" },
      commits[commits.length - 1].date));
  }
  parts.push(draw("line", { class: "cursor", x1: frame.x(state.commit), x2: frame.x(state.commit),
    y1: margins.top, y2: bottom }));
  lines.forEach((line, place) => {
    const mood = state.line < 0 ? "" : state.line === place ? " chosen" : " faint";
    parts.push(draw("path", { class: `line${mood}`, d: pathOf(line), stroke: colorOf(place),
      "stroke-dasharray": dashOf(place) }));
    const here = line.bytes[state.commit];
    if (here !== null) {
      parts.push(draw("circle", { class: "dot", cx: frame.x(state.commit), cy: frame.y(here), r: 4,
        fill: colorOf(place) }));
    }
  });
  svg.replaceChildren(...parts);
}

function buildChart() {
  const svg = draw("svg", { id: "lines", role: "img",
    "aria-label": "Bytes that devices download, by commit; the table below has the numbers" });
  const choose = event => {
    if (event.type === "pointermove" && !event.buttons) return;
    change({ commit: frame.place(event.clientX - svg.getBoundingClientRect().left) });
  };
  svg.addEventListener("pointerdown", choose);
  svg.addEventListener("pointermove", choose);
  const slider = make("input", { id: "slider", type: "range", min: "0",
    max: String(commits.length - 1), step: "1", "aria-label": "Commit",
    oninput: event => change({ commit: Number(event.target.value) }) });
  const step = (label, sign, direction) => make("button", { class: "plain-button", type: "button",
    "aria-label": label, title: label, onclick: () => stepMove(direction) }, sign);
  byId("chart").replaceChildren(svg, make("div", { class: "slide" },
    step("Previous change", "‹", -1), slider, step("Next change", "›", 1)));
  new ResizeObserver(drawChart).observe(svg);
}

/** Goes to the nearest commit in a direction that changed a size. */
function stepMove(direction) {
  const places = data.moves.map(move => move.commit);
  const next = direction < 0 ? places.filter(place => place < state.commit).pop()
    : places.find(place => place > state.commit);
  if (next !== undefined) change({ commit: next });
}

function drawLegend() {
  byId("legend").replaceChildren(...lines.map((line, place) => {
    const known = line.bytes.filter(bytes => bytes !== null);
    const here = line.bytes[state.commit];
    return make("li", null, make("button", { type: "button",
        "aria-pressed": String(state.line === place), title: line.names.join(", "),
        onclick: () => change({ line: state.line === place ? -1 : place }) },
      draw("svg", { viewBox: "0 0 26 10", "aria-hidden": "true" }, draw("path", { d: "M1 5H25",
        stroke: colorOf(place), "stroke-width": 3, "stroke-dasharray": dashOf(place) })),
      make("span", null, nameOf(line)), make("b", null, here === null ? "—" : bytesText(here)),
      make("small", null, growth(known[known.length - 1] - known[0]), " in all")));
  }));
}

function drawCommit() {
  const commit = commits[state.commit], move = moves.get(state.commit);
  byId("slider").value = state.commit;
  byId("slider").setAttribute("aria-valuetext", `${commit.date} ${commit.subject}`);
  const facts = [commit.date, commit.author, commit.bytes === undefined ? null
    : `${exact(commit.bytes)} not thinned`].filter(Boolean).join(" · ");
  const parts = [make("h2", null, make("span", { class: "mono" }, shortId(commit)), " ",
    nameText(commit.subject)), make("p", { class: "hint" }, facts)];
  if (commit.state === "absent") parts.push(make("p", null, "There is no catalogue here."));
  if (commit.state === "refused") {
    parts.push(make("p", { class: "up" }, `It does not compile: ${commit.reason}`));
  } else if (commit.state === "compiled" && !move) {
    parts.push(make("p", { class: "muted" }, "No size changed."));
  }
  if (move) parts.push(make("div", { class: "changes" }, lineChanges(move), assetChanges(move)));
  byId("commit").replaceChildren(...parts);
}

function lineChanges(move) {
  const rows = lines.flatMap((line, place) => move.lines[place] ? [make("tr", null,
    make("td", null, nameOf(line)), make("td", { class: "number" }, growth(move.lines[place])))]
    : []);
  return make("table", null, make("thead", null, make("tr", null, make("th", null, "Device"),
    make("th", { class: "number" }, "Change"))), make("tbody", null, rows.length ? rows
    : make("tr", null, make("td", { colspan: "2", class: "muted" }, "no device"))));
}

const mostAssets = 30;

function assetChanges(move) {
  const rows = move.assets.slice(0, mostAssets).map(asset => make("tr", null,
    make("td", null, nameText(asset.name), asset.before === null ? " (new)" : asset.after === null
      ? " (removed)" : ""),
    make("td", { class: "number" }, growth((asset.after || 0) - (asset.before || 0)))));
  const rest = move.assets.length - rows.length;
  if (rest > 0) {
    rows.push(make("tr", null, make("td", { colspan: "2", class: "muted" }, `and ${rest} more`)));
  }
  return make("table", null, make("thead", null, make("tr", null, make("th", null, "Asset"),
    make("th", { class: "number" }, "Change"))), make("tbody", null, rows));
}

function drawMoves() {
  const rows = [...data.moves].reverse().map(move => {
    const commit = commits[move.commit];
    const known = move.lines.filter(change => change !== null);
    const shown = state.line >= 0 ? move.lines[state.line]
      : known.reduce((most, change) => Math.abs(change) > Math.abs(most) ? change : most, 0);
    return make("tr", { "aria-current": move.commit === state.commit ? "true" : null },
      make("td", null, make("button", { class: "mono", type: "button",
        onclick: () => change({ commit: move.commit }) }, shortId(commit))),
      make("td", { class: "number" }, commit.date),
      make("td", { class: "number" }, shown === null ? "—" : growth(shown)),
      make("td", { class: "number" }, growth(move.bytes)),
      make("td", null, nameText(commit.subject)));
  });
  const heads = ["Commit", "Date", state.line >= 0 ? lines[state.line].names[0] : "Largest change",
    "Not thinned", "Subject"];
  byId("moves").replaceChildren(make("thead", null, make("tr", null, heads.map((head, place) =>
    make("th", { class: place > 0 && place < 4 ? "number" : null, scope: "col" }, head)))),
  make("tbody", null, rows.length ? rows : make("tr", null, make("td", { colspan: "5",
    class: "muted" }, "none"))));
}

function drawScale() {
  const choices = [[false, "Changes"], [true, "From zero"]];
  byId("scale").replaceChildren(...choices.map(([isWhole, name]) => make("button",
    { type: "button", "aria-pressed": String(state.isWhole === isWhole),
      onclick: () => change({ isWhole }) }, name)));
}

function change(changes) {
  Object.assign(state, changes);
  const parts = new URLSearchParams();
  if (state.commit !== commits.length - 1) parts.set("commit", commits[state.commit].id);
  if (state.line >= 0) parts.set("device", lines[state.line].devices[0]);
  if (state.isWhole) parts.set("from", "zero");
  history.replaceState(null, "", `#${parts}`);
  drawAll();
}

function drawAll() {
  drawScale();
  drawChart();
  drawLegend();
  drawCommit();
  drawMoves();
}

function readFragment() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const commit = commits.findIndex(one => one.id === parts.get("commit"));
  state.commit = commit < 0 ? commits.length - 1 : commit;
  state.line = lines.findIndex(line => line.devices.includes(parts.get("device")));
  state.isWhole = parts.get("from") === "zero";
}

function gapText() {
  const gaps = [];
  if (data.isCut) gaps.push("The clone is shallow: it has no older commits.");
  const count = name => commits.filter(commit => commit.state === name).length;
  if (count("absent")) gaps.push(`${plural(count("absent"), "commit")} without the catalogue.`);
  if (count("refused")) gaps.push(`${plural(count("refused"), "commit")} that did not compile.`);
  return gaps.join(" ");
}

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  if (event.key === "ArrowLeft") change({ commit: Math.max(0, state.commit - 1) });
  else if (event.key === "ArrowRight") {
    change({ commit: Math.min(commits.length - 1, state.commit + 1) });
  } else if (event.key === "[") stepMove(-1);
  else if (event.key === "]") stepMove(1);
});
addEventListener("hashchange", () => { readFragment(); drawAll(); });
isDark.addEventListener("change", drawAll);

readFragment();
document.title = `${data.catalogs.join(", ")}: history`;
byId("title").replaceChildren(nameText(data.catalogs.join(", ")));
byId("subtitle").textContent = `${plural(commits.length, "commit")}, `
  + `${plural(data.moves.length, "change")}, ${plural(lines.length, "line")}`;
byId("gaps").textContent = gapText();
byId("gaps").hidden = gapText() === "";
byId("skip").addEventListener("click", event => { event.preventDefault(); byId("main").focus(); });
buildChart();
drawAll();

"""#)
}
