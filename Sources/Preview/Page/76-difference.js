// The changes since an older archive: pictures side by side, under a swipe, blinking, or marked.
const difference = data.difference;
const compareView = { entry: null, mode: "swipe", zoom: 0, timer: 0 };

const changeKind = entry => !entry.before ? "added" : !entry.after ? "removed" : "changed";

/** Whether only colours differ, and the packing of an atlas explains it. */
const isRounding = entry => Boolean(entry.r);

/** The address of each change: its asset and its traits. Equal ones are numbered. */
const changesById = new Map();
const changeIds = new Map();
for (const entry of difference ? difference.changes : []) {
  const base = `${entry.k}:${entry.n}: ${entry.key}`;
  let id = base;
  for (let number = 2; changesById.has(id); number += 1) id = `${base} (${number})`;
  changesById.set(id, entry);
  changeIds.set(entry, id);
}

/** Returns the changes that are not hidden as rounding, together for each asset. */
function changedAssets() {
  const groups = new Map();
  for (const entry of difference.changes) {
    if (!state.rounding && isRounding(entry)) continue;
    const id = `${entry.k}:${entry.n}`;
    if (!groups.has(id)) groups.set(id, { id, k: entry.k, n: entry.n, entries: [] });
    groups.get(id).entries.push(entry);
  }
  return [...groups.values()];
}

const becomeNames = { added: "Added", removed: "Removed", changed: "Changed" };

/** Returns whether an asset is new or gone, or whether some of its variants changed. */
function becomes({ id, entries }) {
  const here = assetsById.get(id);
  const kinds = new Set(entries.map(changeKind));
  if (kinds.size > 1) return "changed";
  if (kinds.has("removed")) return here ? "changed" : "removed";
  if (kinds.has("added")) return entries.length < (here?.v.length || 0) ? "changed" : "added";
  return "changed";
}

/** Returns whether an asset passes the filters, except one that is left out. */
function isShownChange(group, except) {
  const query = state.query.trim().toLowerCase();
  return (!query || group.n.toLowerCase().includes(query)) &&
    (except === "kind" || !state.kind || group.k === state.kind) &&
    (except === "becomes" || !state.becomes || becomes(group) === state.becomes);
}

function changeFilters() {
  const groups = changedAssets();
  const kinds = kindsOf(groups);
  const parts = chipsFor("becomes", becomeNames,
    groups.filter(group => isShownChange(group, "becomes")), group => [becomes(group)]);
  if (Object.keys(kinds).length > 1 || state.kind) {
    const chosen = state.kind ? kindsOf([{ k: state.kind }]) : {};
    parts.push(...chipsFor("kind", { ...kinds, ...chosen },
      groups.filter(group => isShownChange(group, "kind")), group => [group.k]));
  }
  return parts;
}

/** Returns the largest drawing of a variant of either archive. */
const largestPicture = variant => pictureOf(variant, Math.max(...data.devices.flatMap(
  one => one.scales), 1));

function showDifference(view) {
  const rounded = difference.changes.filter(isRounding).length;
  const all = changedAssets(), found = all.filter(group => isShownChange(group));
  const variants = found.reduce((sum, group) => sum + group.entries.length, 0);
  const total = difference.after - difference.before;
  const head = make("div", { class: "difference-head" },
    make("p", null, "From ", make("b", null, nameText(difference.title)), " to ",
      make("b", null, nameText(data.title)), ":"),
    make("span", { class: "tally" }, `${plural(found.length, "asset")}, `
      + plural(variants, "variant")),
    make("span", { class: "tally" }, `${bytesText(difference.before)} → `
      + `${bytesText(difference.after)} (${signedBytes(total)})`));
  byId("live").textContent = `${plural(found.length, "changed asset")} shown`;
  view.replaceChildren(head,
    found.length ? make("div", { class: "changed-assets" }, found.map(changedCard))
      : all.length ? nothingFound()
        : make("div", { class: "empty" }, make("h2", null, rounded
          ? "Both archives show the same assets, except for rounding"
          : "Both archives show the same assets")),
    roundingButton(rounded), paidBytes(), fieldTable());
}

/** Makes the button that shows the pictures that differ by no more than rounding. */
function roundingButton(count) {
  if (!count) return "";
  const words = `${plural(count, "picture")} that ${count === 1 ? "differs" : "differ"} by at most `
    + "2/255, as atlases that are packed otherwise do";
  return make("p", { class: "hint rounding" }, make("button", { class: "step more-changes",
    type: "button", "aria-pressed": String(Boolean(state.rounding)),
    onclick: () => change({ rounding: state.rounding ? "" : "shown" }) },
  `${state.rounding ? "Hide" : "Show"} ${words}`));
}

/** Returns what changed, with the greatest difference of the colours. */
const aspectTexts = entry => [...entry.aspects,
  ...(entry.g === undefined ? [] : [`by up to ${entry.g}/255`])];

const signedBytes = count => `${count < 0 ? "−" : "+"}${bytesText(Math.abs(count))}`;

function changeSight(variant, name, room) {
  if (!variant) return [quiet("—")];
  if (variant.c) {
    return [make("div", { class: "color-fill", style: { background: variant.c.css } }),
      make("span", { class: "color-value" }, hexOf(variant.c))];
  }
  const shown = largestPicture(variant);
  if (shown) return [pictureCanvas(shown, variant, null, name, room)];
  const size = variant.size === undefined ? variant.t : bytesText(variant.size);
  return [quiet(titled(variant.t), variant.e || size)];
}

/** Makes the card of an asset, with a button for each of its variants that changed. */
function changedCard(group) {
  const { entries } = group, kind = becomes(group), isSingle = entries.length === 1;
  const bytes = entries.reduce((sum, one) => sum + (one.after?.b || 0) - (one.before?.b || 0), 0);
  return make("article", { class: `changed-asset ${isSingle ? "single" : ""}` },
    make("header", null, make("h3", { title: group.n }, nameText(group.n)),
      make("span", { class: `tally ${kind}` }, kind),
      isSingle ? null : make("small", null, [plural(entries.length, "variant"),
        signedBytes(bytes)].join(", "))),
    make("div", { class: "pairs" }, entries.map(entry => changeButton(entry, kind, isSingle))));
}

function changeButton(entry, kindOfAsset, isSingle) {
  const kind = changeKind(entry);
  const room = isSingle ? [150, 110] : [76, 62];
  const side = (variant, name) => make("span", { class: `ground pair-side on-${groundName()}` },
    ...changeSight(variant, `${entry.n}, ${name}`, room));
  const bytes = (entry.after?.b || 0) - (entry.before?.b || 0);
  return make("button",
    { class: "pair", type: "button", "aria-label": `${kind}: ${entry.n}, ${entry.key}`,
      onclick: () => openComparison(entry) },
    side(entry.before, "before"), make("span", { class: "arrow" }, "→"),
    side(entry.after, "after"),
    make("span", { class: "pair-name" }, entry.key, make("small", null,
      [...(kind === kindOfAsset ? [] : [kind]), ...aspectTexts(entry), signedBytes(bytes)]
        .join(", "))));
}

function paidBytes() {
  const names = new Map(data.devices.map(one => [one.id, one.name]));
  const rows = difference.devices.map(([ids, before, after]) => make("tr", null,
    make("td", { title: ids.map(id => names.get(id) || id).join(", ") },
      names.get(ids[0]) || ids[0], ids.length > 1
        ? make("small", null, `and ${plural(ids.length - 1, "other")}`) : null),
    make("td", { class: "number" }, before.toLocaleString("en")),
    make("td", { class: "number" }, after.toLocaleString("en")),
    make("td", { class: `number ${after > before ? "bad-text" : "good-text"}` },
      after === before ? "the same" : signedBytes(after - before))));
  return section("Bytes for each device", tableOf(["Device", "Before", "After", "Change"], rows));
}

function fieldTable() {
  if (!difference.fields.length) return "";
  return section("Headers of the archives", tableOf(["", "Before", "After"],
    difference.fields.map(row => make("tr", null, row.map(text => make("td", null,
      nameText(text)))))));
}

const tableOf = (heads, rows) => make("div", { class: "table-box" },
  make("table", { class: "variants" },
    make("thead", null, make("tr", null, heads.map(name => make("th", { scope: "col" }, name)))),
    make("tbody", null, rows)));

// MARK: - One change in full

const openComparison = entry => change({ open: changeIds.get(entry) });

/** Shows the change that the address names, or closes it. */
function showComparison() {
  const entry = changesById.get(state.open), dialog = byId("detail");
  if (!entry) {
    if (dialog.open && compareView.entry) dialog.close();
    return;
  }
  if (compareView.entry === entry) return;
  Object.assign(compareView, { entry, zoom: 0 });
  drawComparison();
  if (!dialog.open) dialog.showModal();
}

const compareModes = { swipe: "Swipe", blink: "Blink", side: "Side by side", marked: "Changed" };

function drawComparison() {
  clearInterval(compareView.timer);
  const { entry } = compareView;
  const modes = make("div", { class: "segment", role: "group", "aria-label": "How to compare" },
    Object.entries(compareModes).map(([mode, name]) => make("button", { type: "button",
      "aria-pressed": String(mode === compareView.mode),
      onclick: () => { compareView.mode = mode; drawComparison(); } }, name)));
  const box = make("div", { class: `compare on-${groundName()}`, id: "compare" });
  const note = make("p", { class: "hint", id: "compare-note" });
  byId("detail").classList.add("fits");
  byId("detail").replaceChildren(make("header", { class: "detail-head" },
    make("div", null, make("h2", { id: "detail-name", tabindex: "-1", autofocus: true },
      nameText(entry.n)), make("p", { class: "muted" },
      [changeKind(entry), entry.key, ...aspectTexts(entry)].join(", "))),
    make("div", { class: "head-tools" }, modes, make("button", { class: "step", type: "button",
      "aria-label": "Close", onclick: () => byId("detail").close() }, "✕"))),
    make("div", { class: "compare-box" }, box, note));
  fillComparison(box, note, entry).catch(error => note.replaceChildren(String(error)));
}

async function fillComparison(box, note, entry) {
  const sides = [entry.before, entry.after].map(variant => variant && largestPicture(variant));
  if (!sides[0] || !sides[1]) {
    for (const variant of [entry.before, entry.after]) {
      if (variant) box.append(make("div", { class: "ground big" },
        ...changeSight(variant, entry.n, [480, 330])));
    }
    return;
  }
  const bitmaps = await Promise.all(sides.map(side => bitmapOf(side.number)));
  const edges = [Math.max(bitmaps[0].width, bitmaps[1].width),
    Math.max(bitmaps[0].height, bitmaps[1].height)];
  const share = Math.min(1, mostCompared / Math.max(...edges));
  const [width, height] = edges.map(edge => Math.max(1, Math.round(edge * share)));
  const zoom = Math.min(16, Math.max(1, Math.floor(Math.min(900 / width, 440 / height))));
  const isSide = compareView.mode === "side";
  const fit = Math.min(zoom, (isSide ? 480 : 1000) / width, 460 / height);
  const canvases = bitmaps.map((bitmap, place) => compareCanvas(bitmap, [width, height, share],
    fit, `${entry.n}, ${place ? "after" : "before"}`, zoom > 1));
  const counted = markChanges(canvases, entry);
  note.textContent = `${counted.count.toLocaleString("en")} of `
    + `${(width * height).toLocaleString("en")} pixels changed`
    + (share < 1 ? `, seen at ${Math.round(share * 100)} % of their size.` : ".");
  compareFillers[compareView.mode](box, canvases, counted.canvas, [width * fit, height * fit]);
}

/** The longest side of a comparison, which needs several copies of both pictures. */
const mostCompared = 4096;

function compareCanvas(bitmap, [width, height, share], fit, label, isCrisp) {
  const canvas = make("canvas", { role: "img", "aria-label": label, width, height,
    class: isCrisp ? "crisp" : "", style: { width: `${width * fit}px`,
      height: `${height * fit}px` } });
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(bitmap, 0, 0,
    bitmap.width * share, bitmap.height * share);
  return canvas;
}

/** Draws the changes: equal pixels are faint, different ones are marked. */
function markChanges(canvases, entry) {
  const [before, after] = canvases.map(canvas => canvas.getContext("2d").getImageData(0, 0,
    canvas.width, canvas.height));
  const canvas = canvases[1].cloneNode();
  canvas.setAttribute("aria-label", `${entry.n}, changed pixels marked`);
  const old = new Uint32Array(before.data.buffer), now = new Uint32Array(after.data.buffer);
  const marked = new ImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(marked.data.buffer);
  let count = 0;
  for (let place = 0; place < now.length; place += 1) {
    if (old[place] === now[place]) {
      pixels[place] = now[place] & 0xffffff | (now[place] >>> 26) << 24;
    } else {
      pixels[place] = 0xff991ee6 | 0;
      count += 1;
    }
  }
  canvas.getContext("2d").putImageData(marked, 0, 0);
  return { canvas, count };
}

const compareFillers = {
  side(box, [before, after]) {
    box.append(make("figure", null, before, make("figcaption", null, "before")),
      make("figure", null, after, make("figcaption", null, "after")));
  },
  marked(box, canvases, marked) { box.append(marked); },
  blink(box, [before, after], marked, size) {
    const label = make("figcaption", null, "before");
    box.append(make("figure", { class: "stacked", style: { width: `${size[0]}px` } },
      make("div", { class: "stack-box", style: { height: `${size[1]}px` } }, before, after),
      label));
    let isAfter = false;
    const turn = () => {
      after.style.visibility = isAfter ? "visible" : "hidden";
      before.style.visibility = isAfter ? "hidden" : "visible";
      label.textContent = isAfter ? "after" : "before";
      isAfter = !isAfter;
    };
    turn();
    compareView.timer = setInterval(turn, 700);
  },
  swipe(box, [before, after], marked, size) {
    const range = make("input", { type: "range", min: "0", max: "100", value: "50",
      class: "swipe-range", "aria-label": "How much of the older picture is shown",
      style: { width: `${size[0]}px` } });
    const edge = make("div", { class: "swipe-edge" });
    const move = () => {
      after.style.clipPath = `inset(0 0 0 ${range.value}%)`;
      before.style.clipPath = `inset(0 ${100 - range.value}% 0 0)`;
      edge.style.left = `${range.value}%`;
    };
    range.addEventListener("input", move);
    move();
    box.append(make("div", { class: "stacked", style: { width: `${size[0]}px` } },
      make("div", { class: "stack-box", style: { height: `${size[1]}px` } }, before, after, edge),
      range, make("div", { class: "swipe-names" }, make("span", null, "before"),
        make("span", null, "after"))));
  },
};

byId("detail").addEventListener("close", () => {
  clearInterval(compareView.timer);
  compareView.entry = null;
  if (state.open) change({ open: "" });
});
