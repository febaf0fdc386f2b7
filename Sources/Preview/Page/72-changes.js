// The effects of a rotation, a split, dark mode or another language, before and after.

/** Returns every step from here: its name, and the situation and the look to which it leads. */
function stepsFromHere() {
  const here = shownWindow(),
    steps = [];
  const add = (name, situation, look) => steps.push({ name, situation, look });
  looks.styles.forEach((name, style) => { if (style !== state.style) add(`${titled(name)} style`,
      here.c, lookNumber(style)); });
  looks.contrasts.forEach((name, place) => { if (place !== state.contrast) add(
      `${titled(name)} contrast`, here.c, lookNumber(state.style, place)); });
  looks.languages.forEach(([tag], place) => { if (place !== state.language) add(tag ?
      `Language ${tag}` : "No language", here.c, lookNumber(state.style, state.contrast,
        place)); });
  device().windows.forEach((window, place) => { if (place !== state.window) add(windowName(window),
      window.c, lookNumber()); });
  return steps;
}

/** Returns whether two answers look alike: the same picture in the same direction. */
function looksAlike(asset, before, after) {
  if (before === after) return true;
  if (before.w < 0 || after.w < 0) return before.w === after.w;
  if (Boolean(before.m) !== Boolean(after.m)) return false;
  if (before.w === after.w) return true;
  const [a, b] = [variantOf(asset, before), variantOf(asset, after)];
  return a.p !== undefined && a.p === b.p && a.x === b.x;
}

function showChanges(view) {
  const window = shownWindow();
  const groups = stepsFromHere().map(step => {
    const changed = shownAssets.filter(asset => !looksAlike(asset, currentAnswer(asset),
      answerAt(asset, step.situation, step.look)));
    return changeGroup(step, changed);
  });
  view.replaceChildren(make("p", { class: "hint lead" },
    `From ${device().name}, ${windowName(window).toLowerCase()}, `
    + `${looks.styles[state.style]}: what would change.`
    ), ...groups);
}

function changeGroup(step, changed) {
  const body = make("div", { class: "pairs" });
  const group = make("details", { class: "change-group" }, make("summary", null, make("b", null,
      step.name),
    make("span", { class: `count ${changed.length ? "some" : ""}` }, changed.length ?
      `${plural(changed.length, "asset")} of ${shownAssets.length}` : "nothing changes")), body);
  const fill = () => {
    if (!group.open || body.children.length) return;
    body.append(...changed.slice(0, 400).map(asset => changePair(asset, answerAt(asset, step
      .situation, step.look))));
    if (changed.length > 400) body.append(make("p", { class: "hint" },
      `and ${plural(changed.length - 400, "other")}; search narrows them`));
  };
  group.addEventListener("toggle", fill);
  if (changed.length && changed.length <= 24) group.open = true;
  fill();
  return group;
}

function changePair(asset, after) {
  const before = currentAnswer(asset);
  const side = answer => make("span", { class: `ground pair-side on-${groundName()}` },
    ...lookOf(asset, answer, [78, 62]));
  const becomes = `${shownText(asset, before.w)} → ${shownText(asset, after.w)}`
    + (after.m ? ", mirrored" : "");
  return make("button",
    { class: "pair", type: "button", "aria-label": `${asset.n}: ${becomes}`,
      onclick: () => change({ asset: asset.id }) },
    side(before), make("span", { class: "arrow" }, "→"), side(after),
    make("span", { class: "pair-name" }, nameText(asset.n), make("small", null, becomes)));
}
