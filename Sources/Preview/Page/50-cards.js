// The cards, one for each asset, and how they are sorted and filtered.
const cardsById = new Map();
let shownAssets = data.assets;

const sizes = { small: "up to 32 pt", medium: "33 to 128 pt", large: "more than 128 pt" };
const sorts = { name: "Name", bytes: "Bytes", size: "Size", variants: "Variants" };
const problems = { holes: "Holes", fallbacks: "Fallbacks", open: "Not known", broken: "Broken" };

const isBroken = (asset, answer) => Boolean(variantOf(asset, answer)?.e);

/** Returns the problems of an asset as it is shown now. */
function problemsOf(asset) {
  const answer = currentAnswer(asset),
    found = [];
  if (answer.w < 0) found.push("holes");
  if (warnings(asset, answer).length) found.push("fallbacks");
  if (answer.ua) found.push("open");
  if (isBroken(asset, answer)) found.push("broken");
  return found;
}

function sizeClassOf(asset) {
  const size = pointSize(variantOf(asset, currentAnswer(asset)), screenScale());
  if (!size) return "";
  const side = Math.max(...size);
  return side <= 32 ? "small" : side <= 128 ? "medium" : "large";
}

/** Returns whether an asset passes the filters, except those that are left out. */
function isShown(asset, except = []) {
  const asks = word => state[word] && !except.includes(word);
  const query = state.query.trim().toLowerCase();
  return (!query || asset.lower.includes(query)) && (!asks("kind") || asset.k === state.kind) &&
    (!asks("problem") || problemsOf(asset).includes(state.problem)) &&
    (!asks("size") || sizeClassOf(asset) === state.size);
}

function filterAssets() {
  const found = data.assets.filter(asset => isShown(asset));
  const area = asset => {
    const size = pointSize(variantOf(asset, currentAnswer(asset)), screenScale());
    return size ? size[0] * size[1] : 0;
  };
  if (state.sort === "bytes") found.sort((a, b) => b.bytes - a.bytes || a.place - b.place);
  if (state.sort === "variants") found.sort((a, b) => b.v.length - a.v.length || a.place - b.place);
  if (state.sort === "size") {
    const areas = new Map(found.map(asset => [asset, area(asset)]));
    found.sort((a, b) => areas.get(b) - areas.get(a) || a.place - b.place);
  }
  shownAssets = found;
}

function markElements(asset, answer, broken) {
  const marks = warnings(asset, answer).map(([, text]) => make("span", { class: "mark",
    title: text }, text));
  if (answer.ua) marks.push(make("span", { class: "mark",
      title: `${answer.ua.join(", ")} can have several values` },
    `depends on ${answer.ua.join(", ")}`));
  if (broken) marks.push(make("span", { class: "mark bad", title: broken }, "broken"));
  for (const [level, text, axis] of remarksOn(asset, answer)) {
    if (level === 1 || axis === "scale") continue;
    marks.push(make("span", { class: "mark note", title: text }, text));
  }
  return marks;
}

/** Returns the content of a card for an answer. */
function lookOf(asset, answer, room, scale = screenScale()) {
  if (answer.w < 0) {
    return [make("div", { class: "hole" }, make("b", null, "Nothing is shown"),
      `${answer.x || "name"} removes the last variant`)];
  }
  const variant = variantOf(asset, answer);
  if (variant.c) {
    return [make("div", { class: "color-fill", style: { background: variant.c.css } }), make(
    "span", { class: "color-value" }, hexOf(variant.c))];
  }
  const shown = pictureOf(variant, scale);
  if (shown) return [pictureCanvas(shown, variant, answer,
    `${asset.n}, ${keyText(asset, answer.w)}`, room)];
  if (variant.e) return [quiet("No picture", variant.e)];
  if (variant.t === "nothing") return [quiet("Nothing", "on purpose")];
  if (variant.t === "data") {
    const parts = [variant.uti, variant.size === undefined ? null : bytesText(variant.size)].filter(
      Boolean);
    return [quiet("Data", parts.join(", "), variant.text ? make("pre", null, variant.text) : null)];
  }
  return [quiet(titled(asset.k), `a rendition of the kind ${variant.t}`)];
}

function hexOf(color) {
  const hex = color.rgb.slice(0, 3).map(part => part.toString(16).padStart(2, "0")).join("")
    .toUpperCase();
  const alpha = color.rgb[3] < 1 ? ` ${Math.round(color.rgb[3] * 100)} %` : "";
  return `#${hex}${alpha}`;
}

function buildCard(asset) {
  const ground = make("div", { class: "ground" });
  const marks = make("div", { class: "marks" });
  const left = make("span"),
    right = make("span");
  const card = make("article", { class: "card", tabindex: "-1", role: "button", data: { asset: asset
          .id } },
    marks, ground, make("footer", null, make("h3", { title: asset.n }, nameText(asset.n)), make(
      "p", { class: "sub" }, left, right)));
  card.parts = { ground, marks, left, right, answer: null };
  cardsById.set(asset.id, card);
  return card;
}

function refreshCard(card, asset) {
  const answer = currentAnswer(asset),
    parts = card.parts;
  const key = `${asset.s}/${data.signatures[asset.s].a.indexOf(answer)}/${screenScale()}`;
  parts.ground.className = `ground on-${groundName()}`;
  if (parts.answer === key) return;
  parts.answer = key;
  const variant = variantOf(asset, answer);
  parts.marks.replaceChildren(...markElements(asset, answer, variant?.e));
  parts.ground.replaceChildren(...lookOf(asset, answer, [210, 124]));
  const size = pointSize(variant, screenScale());
  parts.left.textContent = answer.w < 0 ? plural(asset.v.length, "variant") : keyText(asset, answer
    .w);
  parts.right.textContent = size ? sizeText(...size) : variant ? bytesText(variant.size ?? variant
    .b) : "";
  const told = [asset.n, asset.k, answer.w < 0 ? "nothing is shown" : keyText(asset, answer.w), ...
    remarksOn(asset, answer).map(([, text]) => text)
  ];
  card.setAttribute("aria-label", told.join(", "));
}

function showCards(view) {
  let grid = view.querySelector(".cards");
  if (!grid) {
    grid = make("div", { class: "cards", role: "list", "aria-label": "Assets" });
    view.replaceChildren(grid);
    grid.addEventListener("click", event => {
      const card = event.target.closest(".card");
      if (card) change({ asset: card.dataset.asset });
    });
  }
  const cards = shownAssets.map(asset => {
    const card = cardsById.get(asset.id) || buildCard(asset);
    refreshCard(card, asset);
    return card;
  });
  const isSame = grid.children.length === cards.length && cards.every((card, place) => grid
    .children[place] === card);
  if (!isSame) grid.replaceChildren(...cards);
  if (cards.length && !grid.querySelector(".card[tabindex='0']")) cards[0].tabIndex = 0;
  if (!cards.length) view.replaceChildren(nothingFound());
}

function nothingFound() {
  if (!data.assets.length) return make("div", { class: "empty" }, make("h2", null,
    "There is nothing to show"),
    `The archive, which is for ${data.platform}, has no asset that can be shown.`);
  return make("div", { class: "empty" }, make("h2", null, "No asset matches"),
    make("button", { class: "plain-button", type: "button", onclick: () => { byId("search")
          .value = "";
        change({ query: "", kind: "", problem: "", size: "", becomes: "" }); } }, "Show all"));
}
