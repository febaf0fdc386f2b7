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
