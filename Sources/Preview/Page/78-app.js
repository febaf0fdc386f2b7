// The view of a whole app: a map whose areas are bytes, from bundles down to assets.
const restName = "Code and other files";

/** The tree of the map. A node has a name, its bytes, and children or a page that it opens. */
const appTree = app && (() => {
  const pages = new Map(app.pages.map((page, number) => [page.path, number]));
  const byBytes = list => list.filter(node => node.bytes > 0).sort((a, b) => b.bytes - a.bytes);
  const archive = (one, bundle) => {
    const inside = bundle && one.path.startsWith(`${bundle}/`) ? one.path.slice(bundle.length + 1)
      : one.path;
    const page = pages.get(one.path);
    const assets = (one.assets || []).map(asset => ({ name: asset.name, bytes: asset.bytes, page,
      asset: asset.name, note: plural(asset.renditions, "rendition") }));
    const rest = one.bytes - assets.reduce((sum, asset) => sum + asset.bytes, 0);
    assets.push({ name: "Names, keys and index", bytes: rest });
    return { name: inside, bytes: one.bytes, page, note: "archive",
      children: one.assets ? byBytes(assets) : null };
  };
  const bundles = app.report.bundles.map(bundle => {
    const parts = bundle.archives.map(one => archive(one, bundle.path));
    const loose = bundle.loose.map(one => ({ name: one.path.split("/").pop(), bytes: one.bytes,
      note: one.path }));
    if (loose.length) {
      parts.push({ name: "Loose pictures", note: plural(loose.length, "file"),
        bytes: loose.reduce((sum, one) => sum + one.bytes, 0), children: byBytes(loose) });
    }
    const rest = bundle.bytes - parts.reduce((sum, part) => sum + part.bytes, 0);
    if (rest > 0) parts.push({ name: restName, bytes: rest });
    return { name: bundle.path ? bundle.name : "Files in no bundle", note: bundle.kind,
      bytes: bundle.bytes, children: byBytes(parts) };
  });
  return { name: app.title, bytes: app.report.bytes, children: byBytes(bundles) };
})();

/** Returns the nodes from the whole app to the chosen one. */
function nodePath() {
  const path = [appTree];
  for (const place of state.node ? state.node.split(".").map(Number) : []) {
    const next = path[path.length - 1].children && path[path.length - 1].children[place];
    if (!next || !next.children) break;
    path.push(next);
  }
  return path;
}

const nodeText = (path, depth) => state.node.split(".").slice(0, depth).join(".");

/** Divides a rectangle into parts with these sizes, as square as possible, row by row. */
function squarify(sizes, { x, y, width, height }) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const scale = total > 0 ? width * height / total : 0;
  const parts = [];
  let start = 0;
  while (start < sizes.length) {
    const side = Math.max(1e-6, Math.min(width, height));
    // A row grows as long as its least square part becomes more square.
    let end = start, sum = 0, worst = Infinity;
    while (end < sizes.length) {
      const next = sum + sizes[end] * scale;
      const least = sizes[end] * scale, most = sizes[start] * scale;
      const ratio = Math.max(side * side * most / (next * next), next * next / (side * side
        * least));
      if (ratio > worst) break;
      [worst, sum, end] = [ratio, next, end + 1];
    }
    const depth = sum / side, isTall = width >= height;
    let place = isTall ? y : x;
    for (let number = start; number < end; number += 1) {
      const length = depth > 0 ? sizes[number] * scale / depth : 0;
      parts.push(isTall ? { x, y: place, width: depth, height: length }
        : { x: place, y, width: length, height: depth });
      place += length;
    }
    if (isTall) { x += depth; width -= depth; } else { y += depth; height -= depth; }
    start = end;
  }
  return parts;
}

const mostCells = 90;
const mostRows = 300;
const mapHues = [229, 172, 32, 338, 265, 140, 200, 12, 300, 90];

/** Returns a function that opens a child of the chosen node; null if there is nothing to open. */
function opening(node, place) {
  if (node.children && node.children.length) {
    return () => change({ node: state.node ? `${state.node}.${place}` : String(place) });
  }
  return node.asset === undefined || node.page === undefined ? null
    : () => chooseArchive(node.page, { view: "assets", query: node.asset });
}

const shareText = (bytes, whole) => `${(bytes / Math.max(1, whole) * 100).toFixed(1)} %`;

function drawCells(map, node) {
  const { width, height } = map.getBoundingClientRect();
  const shown = node.children.slice(0, mostCells);
  const rest = node.children.slice(mostCells);
  const cells = shown.map((child, place) => ({ child, open: opening(child, place) }));
  if (rest.length) {
    cells.push({ child: { name: plural(rest.length, "other"),
      bytes: rest.reduce((sum, child) => sum + child.bytes, 0) }, open: null });
    cells.sort((a, b) => b.child.bytes - a.child.bytes);
  }
  const boxes = squarify(cells.map(cell => cell.child.bytes), { x: 0, y: 0, width, height });
  map.replaceChildren(...cells.map(({ child, open }, number) => {
    const box = boxes[number];
    const words = `${child.name}, ${bytesText(child.bytes)}, ${shareText(child.bytes, node.bytes)}`;
    const hue = child.name === restName ? null : mapHues[number % mapHues.length];
    const style = { left: `${box.x}px`, top: `${box.y}px`, width: `${Math.max(1, box.width)}px`,
      height: `${Math.max(1, box.height)}px` };
    const hasText = box.width > 54 && box.height > 22, hasSize = hasText && box.height > 42;
    const label = [hasText ? make("b", null, nameText(child.name)) : null,
      hasSize ? make("span", null, bytesText(child.bytes)) : null];
    const cell = open ? make("button", { class: "cell", type: "button", style, title: words,
      "aria-label": words, onclick: open }, label)
      : make("div", { class: "cell", style, title: words }, label);
    if (hue !== null) {
      cell.style.setProperty("--hue", hue);
      cell.classList.add("tinted");
    }
    return cell;
  }));
}

function nodeTable(node) {
  const most = Math.max(1, ...node.children.map(child => child.bytes));
  const rows = node.children.slice(0, mostRows).map((child, place) => {
    const open = opening(child, place);
    return make("li", null, make(open ? "button" : "div", { class: "bar-row",
      type: open ? "button" : null, onclick: open },
      make("span", { class: "bar-name" }, nameText(child.name), child.note ? make("small", null,
        child.note) : null),
      make("span", { class: "bar" },
        make("i", { style: { width: `${child.bytes / most * 100}%` } })),
      make("span", { class: "bar-value" }, bytesText(child.bytes),
        make("small", null, shareText(child.bytes, node.bytes)))));
  });
  const rest = node.children.length - rows.length;
  if (rest > 0) rows.push(make("li", { class: "muted" }, `and ${plural(rest, "other")}`));
  return make("ol", { class: "bars" }, rows);
}

function showMap(view) {
  const path = nodePath(), node = path[path.length - 1];
  const crumbs = make("nav", { class: "crumbs", "aria-label": "Place in the app" }, path.map((step,
    depth) => make("button", { type: "button", "aria-current": step === node ? "page" : null,
    onclick: () => change({ node: nodeText(path, depth) }) }, nameText(step.name))));
  const map = make("div", { class: "map", role: "group",
    "aria-label": "Bytes; the list below has the same" });
  const archive = node.page === undefined ? null : make("button", { class: "plain-button",
    type: "button", onclick: () => chooseArchive(node.page, { view: "assets", query: "" }) },
    "Show its assets");
  view.replaceChildren(crumbs, make("p", { class: "hint lead" }, make("b", null, bytesText(node
    .bytes)), node.note ? ` · ${node.note}` : "", " ", archive), map, nodeTable(node));
  new ResizeObserver(() => { if (map.isConnected) drawCells(map, node); }).observe(map);
  drawCells(map, node);
  byId("live").textContent = `${node.name}: ${bytesText(node.bytes)}`;
}

/** Goes to the node around the chosen one. Returns whether there is one. */
function leaveNode() {
  const path = nodePath();
  if (path.length < 2) return false;
  change({ node: nodeText(path, path.length - 2) });
  return true;
}

/** Shows another archive of the app: the page is loaded again, because its script has one. */
function chooseArchive(number, changes) {
  Object.assign(state, { asset: "", kind: "", problem: "", size: "", open: "" }, changes);
  if (number === archiveNumber) {
    byId("search").value = state.query;
    return change({});
  }
  clearTimeout(fragmentTimer);
  const parts = new URLSearchParams(fragmentText());
  parts.set("archive", String(number));
  location.hash = parts.toString();
}

function drawArchives() {
  if (!app || app.pages.length < 2) return;
  const select = byId("archive");
  select.replaceChildren(...app.pages.map((page, number) => make("option",
    { value: String(number) }, page.name)));
  select.value = String(archiveNumber);
  select.addEventListener("change", () => chooseArchive(Number(select.value),
    { view: state.view === "map" ? "assets" : state.view, query: "" }));
  byId("archives").hidden = false;
}
