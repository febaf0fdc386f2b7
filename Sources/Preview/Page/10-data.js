// The data of the page, and functions that read it. The rule made every decision before.
/** The report about an app, if the page is that of one. Its archives are pages of one file; the
    fragment of the address chooses one. */
const app = byId("app") && JSON.parse(byId("app").textContent);
const wantedArchive = () => app ? Math.max(0, Math.min(app.pages.length - 1, Number(
  new URLSearchParams(location.hash.slice(1)).get("archive")) || 0)) : 0;
const archiveNumber = wantedArchive();

/** The page of an app without archives, or of an archive that cannot be shown. */
const emptyData = { title: app ? app.title : "", platform: "", size: 0, looks: { styles: ["any"],
  contrasts: ["any"], languages: [["", false]] }, devices: [], undecided: [0, 0, 0],
  signatures: [], assets: [], pictures: [], bytes: null, damaged: [], difference: null };
const data = !app ? JSON.parse(byId("data").textContent)
  : app.pages.length ? { ...emptyData, ...JSON.parse(byId(`data-${archiveNumber}`).textContent) }
    : emptyData;
const pictureId = number => app ? `p${archiveNumber}-${number}` : `p${number}`;
const looks = data.looks;
const lookCount = looks.styles.length * looks.contrasts.length * looks.languages.length;

const modeNames = {
  "full": "Full screen",
  "slide-over": "Slide Over",
  "split-1/3": "Split 1/3",
  "split-1/2": "Split 1/2",
  "split-2/3": "Split 2/3",
  "stage-manager": "Stage Manager",
  "free-window": "Free window",
  "unfolded": "Unfolded",
};
const idiomNames = {
  phone: "iPhone",
  pad: "iPad",
  tv: "Apple TV",
  watch: "Apple Watch",
  mac: "Mac",
  vision: "Apple Vision",
  car: "CarPlay",
};
const titled = text => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the answer of a situation and look about an asset; see AnswerTable. */
function answerAt(asset, situation, look) {
  const signature = data.signatures[asset.s];
  return signature.a[signature.t[situation * lookCount + look]];
}

/** Returns why a variant is not the one that an answer shows. The page has runs of equal reasons,
    each with its length. */
function verdictOf(answer, ordinal) {
  let end = 0;
  for (const [count, words] of answer.d) {
    end += count;
    if (ordinal < end) return words;
  }
  return "";
}

/** Returns the variant that an answer shows, or null. */
const variantOf = (asset, answer) => answer.w < 0 ? null : asset.v[answer.w];

/** Returns whether an asset has pictures that depend on the scale of a screen; symbols are
    drawings. */
const hasScale = asset => !["color", "data", "symbol"].includes(asset.k);

/** Returns the traits of a variant as text. */
function keyText(asset, ordinal) {
  const text = data.signatures[asset.s].k[ordinal];
  return hasScale(asset) ? text : text.replace(/^1x, /, "");
}

/** Returns the traits of a winner as text; there may be no winner. */
const shownText = (asset, ordinal) => ordinal < 0 ? "nothing" : keyText(asset, ordinal);

/** Returns remarks about a variant that is not what was requested: level, words, axis. */
const remarksOn = (asset, answer) => (answer.f || []).filter(remark => hasScale(asset) || remark[
  2] !== "scale");
const warnings = (asset, answer) => remarksOn(asset, answer).filter(([level]) => level === 1);

/** Returns the picture of a variant on a screen, and how many of its pixels are a point. */
function pictureOf(variant, screenScale) {
  if (!variant) return null;
  if (variant.p !== undefined) {
    const picture = data.pictures[variant.p];
    const shrunk = picture.o ? picture.w / picture.o[0] : 1;
    return { number: variant.p, scale: Math.max(variant.x, 1) * shrunk };
  }
  if (variant.d) {
    const scale = variant.d[screenScale] !== undefined ? screenScale : Math.max(...Object.keys(
      variant.d).map(Number));
    const picture = data.pictures[variant.d[scale]];
    const shrunk = picture.o ? picture.w / picture.o[0] : 1;
    return { number: variant.d[scale], scale: scale * shrunk };
  }
  return null;
}

/** Returns the size in points at which a variant is shown. */
function pointSize(variant, screenScale) {
  const shown = pictureOf(variant, screenScale);
  if (shown && data.pictures[shown.number].w) {
    const picture = data.pictures[shown.number];
    return [picture.w / shown.scale, picture.h / shown.scale];
  }
  if (variant && variant.w) return [variant.w / Math.max(variant.x, 1), variant.h / Math.max(variant
    .x, 1)];
  return null;
}

const assetBytes = asset => asset.v.reduce((sum, variant) => sum + variant.b, 0);

/** A colour for each set of traits, the same for all assets: the most frequent get the plainest. */
const paletteHues = [229, 172, 32, 338, 265, 140, 200, 12, 300, 90, 50, 215];
const keyColors = (() => {
  const counts = new Map();
  for (const asset of data.assets) {
    asset.v.forEach((_, ordinal) => counts.set(keyText(asset, ordinal), (counts.get(keyText(
      asset, ordinal)) || 0) + 1));
  }
  const names = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([
    name]) => name);
  return new Map(names.map((name, place) => {
    const turn = Math.floor(place / paletteHues.length);
    const hue = (paletteHues[place % paletteHues.length] + turn * 17) % 360;
    return [name, [hue, 54 - turn * 8 % 30, 50 + turn * 7 % 18]];
  }));
})();
const winnerColor = (asset, ordinal) => {
  if (ordinal < 0) return "var(--bad)";
  const [hue, saturation, lightness] = keyColors.get(keyText(asset, ordinal));
  return `hsl(${hue} ${saturation}% ${lightness}%)`;
};

/** Returns black or white, whichever is easier to read on the colour of a set of traits. */
function inkOn(name) {
  const [hue, saturation, lightness] = keyColors.get(name).map((part, place) => place ? part / 100
    : part);
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const light = [0, 8, 4].map((start, place) => {
    const turn = (start + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
    return (value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4)
      * [.2126, .7152, .0722][place];
  }).reduce((sum, part) => sum + part);
  return light > .179 ? "#000" : "#fff";
}

data.assets.forEach((asset, place) => {
  asset.place = place;
  asset.bytes = assetBytes(asset);
  asset.id = `${asset.k}:${asset.n}`;
  asset.lower = asset.n.toLowerCase();
});
const assetsById = new Map(data.assets.map(asset => [asset.id, asset]));
