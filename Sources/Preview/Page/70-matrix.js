// Assets against windows, coloured by the winner: if a colour changes, another variant is shown.

/** Returns the windows of the device, or one column for each distinct situation of all devices. */
function matrixColumns() {
  if (state.matrix !== "all") {
    return device().windows.map(window => ({ situation: window.c, scale: screenScale(
        displayOf(device(), window)),
      title: modeNames[window.m] || window.m, more: [window.o === "any" ? "" : window.o,
        window.w ? `${window.w} width` : ""
      ].filter(Boolean).join(", ") }));
  }
  const found = new Map();
  data.devices.forEach(one => one.windows.forEach(window => {
    if (!found.has(window.c)) found.set(window.c, { situation: window.c, scale: screenScale(
        displayOf(one, window)), title: one.name, devices: new Set(), window });
    found.get(window.c).devices.add(one.name);
  }));
  return [...found.values()].map(column => {
    const others = column.devices.size - 1;
    const also = others ? `, and ${plural(others, "other device")}` : "";
    return { ...column, more: windowName(column.window).toLowerCase() + also };
  });
}

/** Returns whether a row would have more than one colour. */
function differsIn(columns, look) {
  return asset => columns.some(column => !looksAlike(asset,
    answerAt(asset, columns[0].situation, look), answerAt(asset, column.situation, look)));
}

/** Returns rows of one asset, or of all assets with one set of variants, which share their
    answers. */
function matrixRows(columns, look) {
  const assets = state.group === "differs" ? shownAssets.filter(differsIn(columns, look))
    : shownAssets;
  if (state.group !== "sets") return assets.map(asset => ({ asset, name: asset.n, count: 1 }));
  const groups = new Map();
  for (const asset of assets) {
    if (!groups.has(asset.s)) groups.set(asset.s, { asset, name: asset.n, count: 0 });
    groups.get(asset.s).count += 1;
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

function showMatrix(view) {
  const columns = matrixColumns(),
    look = lookNumber();
  const isDense = columns.length > 24;
  const head = make("div", { class: "matrix-row matrix-head", role: "row" },
    make("span", { role: "columnheader" }, "Asset"),
    make("div", { class: "runs" }, columns.map(column => columnHead(column, isDense))));
  const rows = matrixRows(columns, look).map(row => matrixRow(row, columns, look));
  const tools = make("div", { class: "matrix-tools" },
    choice("Columns", { device: `Windows of ${device().name}`,
      all: "Every device and window that differs" }, state.matrix, matrix => change({ matrix })),
    choice("Rows", { "": "Every asset", differs: "Only where something changes",
      sets: "One row for each set of variants" }, state.group, group => change({ group })),
    make("p", { class: "hint" },
      "Each colour is a variant; a change of colour is a change of variant."));
  const table = make("div", { class: `matrix ${isDense ? "dense" : ""}`,
    role: "table", "aria-label": "Assets by window" }, head, rows);
  view.replaceChildren(tools, rows.length ? table : nothingChanges(), ...(isDense ? [
    columnList(columns)
  ] : []));
}

const nothingChanges = () => state.group === "differs" && shownAssets.length
  ? make("div", { class: "empty" }, make("h2", null, "All columns show the same variants"))
  : nothingFound();

function columnHead(column, isDense) {
  const properties = { class: "column", role: "columnheader" };
  properties.title = `${column.title}, ${column.more}`;
  return make("span", properties, make("b", null, column.title),
    isDense ? null : make("small", null, column.more));
}

function matrixRow({ asset, name, count }, columns, look) {
  const runs = [];
  columns.forEach((column, place) => {
    const answer = answerAt(asset, column.situation, look),
      last = runs[runs.length - 1];
    const key = `${answer.w}/${answer.m ? 1 : 0}/${answer.ua ? 1 : 0}`;
    if (last && last.key === key) last.count += 1;
    else runs.push({ key, answer, count: 1, place });
  });
  const cells = runs.map(run => {
    const text = run.answer.w < 0 ? `nothing: ${run.answer.x || "name"}` : keyText(asset, run
      .answer.w) + (run.answer.m ? ", mirrored" : "") + (run.answer.ua ? " (or another)" : "");
    return make("span", { class: `run ${run.answer.w < 0 ? "none" : ""}`, role: "cell",
        title: `${text}: ${plural(run.count, "column")}`, style: { flexGrow: String(run
            .count), background: run.answer.w < 0 ? "" : winnerColor(asset, run.answer.w),
          color: run.answer.w < 0 ? "" : inkOn(keyText(asset, run.answer.w)) } },
      text);
  });
  return make("div", { class: "matrix-row", role: "row" },
    make("button", { class: "row-name", type: "button", role: "rowheader", onclick: () =>
    change({ asset: asset.id }) }, nameText(name), count > 1 ? make("small", null,
      `and ${plural(count - 1, "other")}`) : null),
    make("div", { class: "runs" }, cells));
}

const columnList = columns => make("details", { class: "column-list" }, make("summary", null,
    "Description of the columns"),
  make("ol", null, columns.map(column => make("li", null, `${column.title}: ${column.more}`))));
