// Written by Sources/Preview/Page/generate.py from the files beside it: change those.
// swift-format-ignore-file

extension PageText {
  static let preview = PageText(
    scriptHash: "sha256-wC1u40lynw2w9NeM4hYOGSPijA4g3hSWqcz1ksP9+es=",
    styleHash: "sha256-s5iim2Hp8YjRIbYsGF91/XTmMK0vWt15YWKE+LUeKzc=",
    body: #"""
<a class="skip" href="#main" id="skip">Skip to the assets</a>
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
      <p id="printed" aria-hidden="true"></p>
    </div>
  </div>
  <label class="archives" id="archives" hidden>
    <span class="unseen">Archive</span>
    <select id="archive"></select>
  </label>
  <nav class="tabs" id="tabs" aria-label="Views"></nav>
  <label class="search">
    <span class="unseen">Search by name</span>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>
    </svg>
    <input id="search" type="search" placeholder="Search by name" autocomplete="off"
      spellcheck="false">
    <kbd aria-hidden="true">/</kbd>
  </label>
</header>
<div class="banner" id="banner" role="alert" hidden></div>
<div class="layout" id="layout">
  <aside class="stage" id="stage" aria-label="Device, window and style"></aside>
  <main id="main" tabindex="-1">
    <div class="toolbar" id="toolbar" role="group" aria-label="Filters"></div>
    <p class="unseen" id="live" role="status" aria-live="polite"></p>
    <div id="view"></div>
  </main>
</div>
<dialog class="detail" id="detail" aria-labelledby="detail-name"></dialog>
<dialog class="help" id="help" aria-labelledby="help-title"></dialog>
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

/* The device bar: the device drawn to scale, its windows and looks. */
.stage {
  position: sticky; top: 57px; max-height: calc(100vh - 57px); overflow: auto;
  padding: 16px 18px 24px 20px; display: flex; flex-direction: column; gap: 15px;
}
.stage-row { display: flex; gap: 6px; }
.stage-row > .field { flex: 1; min-width: 0; }
.step {
  flex: none; width: 32px; align-self: end; height: 35px; border: 1px solid var(--line);
  border-radius: 10px; background: var(--panel); color: var(--muted); padding: 0;
}
.step:hover { color: var(--ink); border-color: var(--accent); }
.step.more { display: none; width: auto; padding: 0 11px; }
.step.more[aria-expanded=true] { color: var(--accent); border-color: var(--accent); }
.stage > * { flex: none; }
.screen-box {
  height: 232px; padding-bottom: 30px; border-radius: var(--radius); background: var(--sunk);
  display: grid; place-items: center; position: relative; overflow: hidden;
}
.device {
  position: relative; background: var(--screen); border-radius: 16px;
  box-shadow: 0 0 0 5px #26272b, 0 0 0 6px #54565c, 0 10px 26px #0003;
}
.device.watch { border-radius: 30%; }
.device .pane {
  position: absolute; border-radius: inherit; background: var(--window); display: grid;
  place-items: center; color: var(--ink); font-size: 11px; font-weight: 600; text-align: center;
  transition: left .25s, top .25s, width .25s, height .25s; overflow: hidden;
}
.device .pane.floating { border-radius: 9px; box-shadow: 0 4px 16px #0005; }
.device .pane.part { border-radius: 9px; }
.device .pane.dragging { transition: none; }
.device .pane small {
  display: block; font-weight: 450; font-variant-numeric: tabular-nums;
}
.grip {
  position: absolute; right: 0; bottom: 0; width: 26px; height: 26px; border: 0; padding: 0;
  background: none; cursor: nwse-resize; touch-action: none;
}
.grip::after {
  content: ""; position: absolute; right: 6px; bottom: 6px; width: 9px; height: 9px;
  border: solid var(--accent); border-width: 0 2.5px 2.5px 0; border-radius: 0 0 4px 0;
}
.classes { position: absolute; left: 10px; bottom: 8px; display: flex; gap: 5px; }
.class-tag {
  font-size: 11px; padding: 2px 8px; border-radius: 99px; background: var(--panel);
  color: var(--muted); box-shadow: 0 1px 3px #0002;
}
.class-tag b { color: var(--ink); font-weight: 600; }
.windows { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px; }
.looks { display: grid; gap: 12px; }
.windows button {
  display: flex; flex-direction: column; align-items: center; gap: 5px; padding: 8px 3px 6px;
  border: 1px solid var(--line); border-radius: 10px; background: var(--panel); font-size: 11px;
  line-height: 1.2; color: var(--muted);
}
.windows button[aria-pressed=true] {
  border-color: var(--accent); color: var(--ink); background: var(--accent-soft);
}
.windows button:hover { border-color: var(--accent); }
.mini {
  position: relative; display: block; background: var(--sunk); border-radius: 3px;
  box-shadow: 0 0 0 1.5px var(--muted); overflow: hidden;
}
.mini i {
  position: absolute; display: block; background: var(--accent); border-radius: 1.5px; opacity: .8;
}
.facts { display: grid; grid-template-columns: auto 1fr; gap: 3px 12px; font-size: 12px; }
.facts dt { color: var(--muted); }
.facts dd {
  text-align: right; font-variant-numeric: tabular-nums; overflow: hidden; text-overflow: ellipsis;
}
.hint { font-size: 12px; color: var(--muted); }
@media (max-width: 900px) {
  .stage { position: static; max-height: none; padding: 12px 14px; }
  .stage:not(.open) > :not(.stage-row) { display: none; }
  .stage-row .field > span { display: none; }
  .step.more { display: block; }
  .windows { grid-template-columns: repeat(auto-fill, minmax(80px, 1fr)); }
}

/* The toolbar and the cards. */
.toolbar { display: flex; flex-wrap: wrap; gap: 7px; align-items: center; margin-bottom: 14px; }
.toolbar .space { flex: 1; }
.toolbar select { width: auto; padding-top: 5px; padding-bottom: 5px; font-size: 13px; }
.toolbar .segment button { padding: 3px 9px; }
.swatch-dot {
  display: inline-block; width: 12px; height: 12px; border-radius: 4px; vertical-align: -1px;
  box-shadow: inset 0 0 0 1px #8886;
}
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(184px, 1fr)); gap: 14px; }
@media (max-width: 900px) {
  .cards { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 10px; }
  .toolbar { margin-bottom: 12px; }
  .toolbar .space { display: none; }
}
.card {
  position: relative; display: flex; flex-direction: column; background: var(--panel);
  border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; text-align: start;
  padding: 0; min-width: 0; content-visibility: auto; contain-intrinsic-size: 184px 228px;
  cursor: pointer; outline-offset: 3px;
}
.card:hover {
  border-color: color-mix(in srgb, var(--accent) 55%, var(--line)); box-shadow: var(--shadow);
}
.card:focus-visible { border-radius: var(--radius); }
.ground {
  position: relative; display: grid; place-items: center; height: 148px; padding: 12px;
  overflow: hidden;
}
.on-light { background: #ffffff; color: #1a1b1f; }
.on-dark { background: #17181b; color: #f2f2f4; }
.on-checker, .checker {
  background: #fff conic-gradient(#dcdce0 25%, #fff 0 50%, #dcdce0 0 75%, #fff 0) 0 0 / 16px 16px;
  color: #1a1b1f;
}
.ground canvas { display: block; max-width: 100%; max-height: 100%; object-fit: contain; }
.as-template { filter: brightness(0); }
.on-dark .as-template { filter: brightness(0) invert(1); }
[data-ground="auto"] .on-light .is-light:not(.as-template) {
  background: #17181b; box-shadow: 0 0 0 8px #17181b;
}
[data-ground="auto"] .on-dark .is-dark:not(.as-template) {
  background: #fff; box-shadow: 0 0 0 8px #fff;
}
.card footer { padding: 9px 12px 11px; border-top: 1px solid var(--line); min-width: 0; }
.card h3 {
  font-size: 13px; font-weight: 600; letter-spacing: -.005em; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap;
}
.card .sub { display: flex; gap: 8px; font-size: 12px; color: var(--muted); white-space: nowrap; }
.card .sub span:first-child { flex: 1; overflow: hidden; text-overflow: ellipsis; }
.card .sub span:last-child { font-variant-numeric: tabular-nums; }
.marks {
  position: absolute; left: 8px; top: 8px; right: 8px; display: flex; flex-wrap: wrap; gap: 4px;
  pointer-events: none; z-index: 1;
}
.mark {
  font-size: 11px; line-height: 1.35; padding: 1px 7px; border-radius: 99px; font-weight: 550;
  max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  background: var(--warn-soft); color: var(--warn);
}
.mark.note {
  background: var(--panel); color: var(--muted);
  box-shadow: inset 0 0 0 1px var(--line);
}
.mark.bad { background: var(--bad); color: #fff; }
@media (prefers-color-scheme: dark) {
  .mark.bad { color: #2b0d11; }
}
.hole {
  position: absolute; inset: 0; display: grid; place-content: center; text-align: center; gap: 3px;
  padding: 16px; color: var(--bad); font-size: 12px;
  background: repeating-linear-gradient(
    -45deg, var(--bad-soft) 0 9px, color-mix(in srgb, var(--bad-soft) 55%, var(--panel)) 0 18px);
}
.hole b { font-size: 15px; }
.quiet {
  position: absolute; inset: 0; display: grid; place-content: center; text-align: center; gap: 4px;
  padding: 14px; font-size: 12px; background: var(--sunk); color: var(--muted); overflow: hidden;
  overflow-wrap: anywhere;
}
.quiet b { font-size: 14px; color: var(--ink); }
.quiet pre {
  margin: 4px 0 0; font: 10px/1.4 var(--mono); text-align: left; max-height: 74px; overflow: hidden;
  white-space: pre-wrap;
}
.color-fill { position: absolute; inset: 0; }
.color-value {
  position: absolute; left: 10px; bottom: 9px; font: 12px var(--mono); padding: 1px 7px;
  border-radius: 6px; background: #ffffffd9; color: #1a1b1f;
}
.empty { padding: 80px 20px; text-align: center; color: var(--muted); }
.empty h2 { color: var(--ink); font-size: 18px; margin-bottom: 6px; }

/* One asset in full. */
dialog {
  border: 0; padding: 0; color: inherit; background: var(--panel); border-radius: 18px;
  box-shadow: 0 20px 80px #0007;
}
dialog::backdrop { background: #0b0c1080; backdrop-filter: blur(3px); }
.detail {
  width: min(1120px, 95vw); max-width: none; height: min(900px, 94vh); max-height: none;
  overflow: auto; overscroll-behavior: contain;
}
.detail.fits { height: fit-content; max-height: 94vh; }
.detail-head {
  position: sticky; top: 0; z-index: 3; display: flex; align-items: center; gap: 16px;
  padding: 14px 20px; background: var(--panel); border-bottom: 1px solid var(--line);
}
.detail-head > div:first-child { flex: 1; min-width: 0; }
.detail-head h2 {
  font-size: 17px; letter-spacing: -.01em; overflow-wrap: anywhere; display: -webkit-box;
  -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden;
}
.detail-head h2:focus { outline: none; }
.head-tools { display: flex; gap: 6px; align-items: center; }
.detail-top {
  display: grid; grid-template-columns: minmax(0, 1fr) 320px; gap: 22px; padding: 20px;
}
.big-box { min-width: 0; }
.big {
  height: 372px; border-radius: var(--radius); border: 1px solid var(--line); overflow: auto;
  padding: 18px;
}
.frame { position: relative; margin: auto; flex: none; }
.frame canvas { width: 100%; height: 100%; max-width: none; max-height: none; }
.crisp { image-rendering: pixelated; }
.inset-overlay {
  position: absolute; outline: 1.5px solid #ff3d8b; box-shadow: 0 0 0 9999px #ff3d8b24;
  clip-path: inset(-9999px); pointer-events: none;
}
.frame { overflow: clip; }
.guide { position: absolute; border: 0 dashed #00a2c7; pointer-events: none; }
.big-tools {
  display: flex; flex-wrap: wrap; gap: 18px; align-items: center; padding-top: 10px;
  font-size: 13px; color: var(--muted);
}
.zoom { display: flex; gap: 9px; align-items: center; font-variant-numeric: tabular-nums; }
input[type=range], input[type=checkbox] { accent-color: var(--accent); }
.check { display: flex; gap: 6px; align-items: center; }
.situation .facts { font-size: 13px; gap: 6px 14px; }
.situation .facts dd { overflow-wrap: anywhere; }
.remarks { margin-top: 14px; display: grid; gap: 6px; font-size: 13px; }
.remarks li { padding: 7px 11px; border-radius: 9px; background: var(--sunk); }
.remarks .warn-text { background: var(--warn-soft); }
.warn-text { color: var(--warn); }
.bad-text { color: var(--bad); }
.part { padding: 4px 20px 20px; }
.part h3 { font-size: 13px; font-weight: 650; margin: 8px 0 10px; }
.table-box { overflow: auto; border: 1px solid var(--line); border-radius: 12px; }
.variants { width: 100%; border-collapse: collapse; font-size: 13px; }
.variants th {
  text-align: start; font-size: 11px; font-weight: 600; color: var(--muted); padding: 8px 12px;
  background: var(--sunk); white-space: nowrap;
}
.variants td { padding: 7px 12px; border-top: 1px solid var(--line); vertical-align: middle; }
.variants .wins td { background: var(--accent-soft); }
.variants .thumb { width: 68px; text-align: center; padding: 5px 8px; }
.variants .thumb.on-light { background: #fff; }
.variants .thumb.on-dark { background: #17181b; }
.variants .thumb canvas { display: inline-block; vertical-align: middle; }
.variants .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
/* A long name is broken, but no column becomes narrower than its words. */
.variants .file { overflow-wrap: break-word; min-width: 110px; max-width: 320px; }
.variants small { display: block; color: var(--muted); font-size: 11px; }
.dot { display: inline-block; width: 9px; height: 9px; border-radius: 3px; margin-inline-end: 8px; }
.swatch {
  display: inline-block; width: 44px; height: 26px; border-radius: 7px;
  box-shadow: inset 0 0 0 1px #8884; vertical-align: middle;
}
.shots { display: flex; flex-wrap: wrap; gap: 12px; }
.shot {
  width: 176px; border: 1px solid var(--line); border-radius: 12px; background: none;
  padding: 12px 8px 10px; display: grid; gap: 5px; justify-items: center; font-size: 12px;
}
.shot[aria-pressed=true] { border-color: var(--accent); background: var(--accent-soft); }
.shot:hover { border-color: var(--accent); }
.shot-box { height: 138px; display: grid; place-items: center; }
.shot-screen {
  position: relative; display: block; background: var(--sunk); border-radius: 7px;
  box-shadow: 0 0 0 2px var(--muted); overflow: hidden;
}
.pane-shot {
  position: absolute; display: grid; place-items: center; border: 2px solid; border-radius: 6px;
  overflow: hidden;
}
.shot-name { font-weight: 600; text-align: center; }
.shot-answer { color: var(--muted); text-align: center; overflow-wrap: anywhere; }
.stretch-ground {
  padding: 22px; border-radius: var(--radius); border: 1px solid var(--line); overflow: auto;
}
.stretch-frame { position: relative; width: max-content; }
.stretch-frame canvas { display: block; }
.stretch-grip {
  position: absolute; right: -11px; bottom: -11px; width: 22px; height: 22px; border-radius: 50%;
  border: 2px solid #fff; background: #4350e6; cursor: nwse-resize; touch-action: none; padding: 0;
  box-shadow: 0 1px 5px #0006;
}
.stretch-size { font-variant-numeric: tabular-nums; font-weight: 600; color: var(--ink); }
.part > .hint { margin-bottom: 10px; }
.swatches {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 12px;
}
.swatch-card { border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.swatch-fill { height: 84px; }
.swatch-fill div { height: 100%; }
.swatch-text { display: grid; gap: 3px; padding: 11px 13px 13px; font-size: 12px; }
.swatch-text b { font-size: 13px; }
.ratios { display: flex; flex-wrap: wrap; gap: 5px; margin-top: 6px; }
.ratio {
  font-size: 11px; padding: 1px 8px; border-radius: 99px; font-variant-numeric: tabular-nums;
}
.ratio.good { background: var(--good-soft); color: var(--good); }
.ratio.fair { background: var(--warn-soft); color: var(--warn); }
.ratio.poor { background: var(--bad-soft); color: var(--bad); }
.glyphs { display: grid; grid-template-columns: repeat(auto-fill, minmax(92px, 1fr)); gap: 8px; }
.glyph {
  display: grid; place-items: center; gap: 8px; align-content: end; padding: 14px 6px 9px;
  border: 1px solid var(--line); border-radius: 12px; min-height: 96px; font-size: 11px;
}
.layers { display: grid; gap: 8px; }
.layer { display: flex; gap: 14px; align-items: center; }
.layer-number {
  width: 22px; text-align: end; color: var(--muted); font-variant-numeric: tabular-nums;
}
.layer-look {
  position: relative; width: 104px; height: 104px; border-radius: 12px; overflow: hidden;
  display: grid; place-items: center; border: 1px solid var(--line);
}
.help { padding: 22px 26px; min-width: 320px; }
.help h2 { font-size: 16px; margin-bottom: 12px; }
.help .facts { font-size: 13px; gap: 7px 26px; margin-bottom: 18px; }
kbd { font: 12px var(--mono); padding: 1px 7px; border-radius: 6px; background: var(--sunk); }
@media (max-width: 900px) {
  .detail { width: 100vw; height: 100dvh; border-radius: 0; }
  .detail-top { grid-template-columns: minmax(0, 1fr); padding: 14px; }
  .detail-head { padding: 10px 14px; }
  .head-ground { display: none; }
  .head-tools { flex-wrap: wrap; justify-content: end; }
  .part { padding-inline: 14px; }
  .big { height: 300px; }
}

/* Matrix, changes and bytes, and the printed page. */
.matrix-tools {
  display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin-bottom: 12px;
}
.matrix-tools select {
  width: auto; padding-top: 5px; padding-bottom: 5px; font-size: 13px; max-width: 320px;
}
.matrix-tools .hint { flex: 1 1 240px; }
.matrix {
  background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius);
  overflow: clip;
}
.matrix-row {
  display: grid; grid-template-columns: minmax(120px, 220px) minmax(0, 1fr);
  border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 32px;
}
.matrix-head {
  border-top: 0; position: sticky; top: 57px; z-index: 2; background: var(--sunk); font-size: 11px;
  color: var(--muted); content-visibility: visible;
}
.matrix-head > span { padding: 8px 14px; font-weight: 600; align-self: end; }
.matrix-head .column {
  flex: 1 1 0; min-width: 0; padding: 8px 4px; text-align: center; overflow: hidden;
  line-height: 1.25; border-inline-start: 1px solid var(--line);
}
.matrix-head .column b {
  display: block; font-weight: 600; color: var(--ink); overflow: hidden; text-overflow: ellipsis;
}
.matrix-head .column small { display: block; font-size: 10px; }
.row-name {
  border: 0; background: none; text-align: start; padding: 6px 14px; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; font-weight: 550; font-size: 13px;
}
.row-name:hover { color: var(--accent); }
.row-name small { color: var(--muted); margin-inline-start: 7px; font-weight: 400; }
.runs { display: flex; min-width: 0; }
.run {
  flex: 1 1 0; min-width: 0; margin: 3px 0; border-radius: 5px; padding: 3px 0; font-size: 11px;
  box-shadow: inset -1px 0 var(--panel), inset 1px 0 var(--panel); text-indent: 7px;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
.run.none {
  background: repeating-linear-gradient(-45deg, var(--bad-soft) 0 7px, transparent 0 14px);
  color: var(--bad);
}
.dense .run { border-radius: 0; text-indent: 3px; font-size: 10px; box-shadow: none; }
.dense .column {
  height: 128px; padding: 6px 0; writing-mode: vertical-rl; transform: rotate(180deg);
  display: flex; align-items: center; border: 0; white-space: nowrap;
}
.column-list { margin-top: 14px; font-size: 12px; color: var(--muted); }
.column-list ol {
  list-style: decimal; columns: 3 240px; padding-inline-start: 26px; margin-top: 8px;
}
.lead { margin-bottom: 14px; font-size: 13px; }
.change-group {
  background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius);
  margin-bottom: 10px;
}
.change-group summary {
  display: flex; align-items: center; gap: 12px; padding: 11px 16px; cursor: pointer;
  list-style: none;
}
.change-group summary::before {
  content: "›"; color: var(--muted); transition: transform .15s; font-size: 16px;
}
.change-group[open] summary::before { transform: rotate(90deg); }
.change-group .count { color: var(--muted); font-size: 12px; margin-inline-start: auto; }
.change-group .count.some {
  color: var(--accent); background: var(--accent-soft); padding: 2px 10px; border-radius: 99px;
}
.pairs {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(236px, 1fr)); gap: 10px;
  padding: 0 14px 14px;
}
.pairs:empty { display: none; }
.pair {
  display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; gap: 8px; padding: 8px;
  border: 1px solid var(--line); border-radius: 12px; background: none; text-align: start;
  min-width: 0; content-visibility: auto; contain-intrinsic-size: 236px 138px;
}
.pair:hover { border-color: var(--accent); }
.pair-side {
  height: 82px; padding: 6px; border-radius: 8px; box-shadow: inset 0 0 0 1px var(--line);
}
.pair-side .quiet, .pair-side .hole { padding: 4px; font-size: 10px; }
.pair-side .color-value { font-size: 10px; left: 5px; bottom: 5px; }
.arrow { color: var(--muted); }
.pair-name {
  grid-column: 1 / -1; font-weight: 550; font-size: 13px; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap;
}
.pair-name small {
  display: block; font-weight: 400; color: var(--muted); overflow: hidden; text-overflow: ellipsis;
}
.bars { display: grid; gap: 3px; margin-bottom: 20px; }
.bytes {
  display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 460px); gap: 20px;
  align-items: start;
}
.bytes .part {
  position: sticky; top: 70px; background: var(--panel); border: 1px solid var(--line);
  border-radius: var(--radius); padding: 6px 16px 16px; max-height: calc(100vh - 90px);
  overflow: auto;
}
.bytes .part .bar-row { grid-template-columns: 84px minmax(0, 1fr) 128px; padding-inline: 0; }
@media (max-width: 1250px) {
  .bytes { grid-template-columns: minmax(0, 1fr); }
  .bytes .part { position: static; max-height: none; }
}
.bar-row {
  display: grid; grid-template-columns: minmax(130px, 240px) minmax(0, 1fr) 120px; gap: 14px;
  align-items: center; width: 100%; padding: 6px 12px; border: 1px solid transparent;
  border-radius: 10px; background: none; text-align: start; font-size: 13px;
}
button.bar-row:hover { background: var(--panel); border-color: var(--line); }
.bar-row[aria-pressed=true] { background: var(--panel); border-color: var(--accent); }
.bar-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 550; }
.bar-name small, .bar-value small {
  color: var(--muted); font-weight: 400; margin-inline-start: 7px;
}
.bar { display: flex; height: 14px; border-radius: 5px; overflow: hidden; background: var(--sunk); }
.bar i { background: var(--accent); }
.bar i.dropped { background: color-mix(in srgb, var(--accent) 26%, var(--sunk)); }
.bar-value { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }

@media (max-width: 900px) {
  .matrix { overflow-x: auto; }
  .matrix-row { min-width: 900px; grid-template-columns: 120px minmax(0, 1fr); }
  .matrix-head { position: static; }
  .row-name { position: sticky; left: 0; background: var(--panel); z-index: 1; }
  .bar-row { grid-template-columns: minmax(0, 1fr) 56px 112px; gap: 8px; }
}

@media print {
  .stage, .toolbar, .tabs, .search, .banner, dialog { display: none !important; }
  .top { position: static; background: none; }
  #printed { display: block; }
  body { background: none; }
  .layout { display: block; }
  .card, .matrix-row, .pair { content-visibility: visible; break-inside: avoid; box-shadow: none; }
  .cards { grid-template-columns: repeat(4, 1fr); }
  * { print-color-adjust: exact; }
}
@media (prefers-reduced-motion: reduce) {
  * { transition: none !important; }
}

/* The view of the changes since an older archive. */
.difference-head {
  display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-bottom: 14px;
}
.difference-head p { margin-inline-end: 6px; }
.tally {
  font-size: 12px; padding: 2px 10px; border-radius: 99px; background: var(--sunk);
  color: var(--muted); font-weight: 500;
}
.tally.added { background: var(--good-soft); color: var(--good); }
.tally.removed { background: var(--bad-soft); color: var(--bad); }
.tally.changed { background: var(--warn-soft); color: var(--warn); }
.good-text { color: var(--good); }
.changed-assets {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 330px), 1fr)); gap: 12px;
  align-items: start; margin-bottom: 18px;
}
.changed-asset {
  background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius);
  min-width: 0; content-visibility: auto; contain-intrinsic-size: auto 330px auto 232px;
}
.changed-asset header {
  display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; padding: 10px 14px 9px;
}
.changed-asset h3 {
  font-size: 14px; font-weight: 600; min-width: 0; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap;
}
.changed-asset header small { margin-inline-start: auto; font-size: 12px; color: var(--muted); }
.changed-asset .pairs {
  grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 8px; padding: 0 10px 10px;
}
.changed-asset.single .pair-side { height: 132px; }
#view > .part { padding-inline: 0; }
.compare-box { padding: 20px; }
.compare {
  position: relative; display: flex; gap: 24px; align-items: center; justify-content: center;
  min-height: 420px; padding: 26px; border-radius: var(--radius); border: 1px solid var(--line);
  overflow: auto;
}
.compare .ground.big { flex: 1; }
.compare figcaption, .swipe-names { padding-top: 8px; font-size: 12px; text-align: center; }
.swipe-names { display: flex; justify-content: space-between; }
.stack-box { position: relative; }
.stack-box canvas { position: absolute; inset: 0; }
.swipe-edge {
  position: absolute; top: -6px; bottom: -6px; width: 2px; margin-left: -1px;
  background: var(--accent);
}
.swipe-range { display: block; margin: 12px 0 0; }
.compare-box .hint { padding-top: 10px; }

/* The map of an app. */
.archives { flex: 0 1 280px; }
[data-view="map"] .stage, [data-view="map"] .search, [data-view="map"] .toolbar { display: none; }
[data-view="map"] .layout { grid-template-columns: minmax(0, 1fr); }
[data-view="map"] main { padding: 16px 20px 80px; }
.crumbs { display: flex; flex-wrap: wrap; gap: 2px; margin-bottom: 8px; }
.crumbs button {
  border: 0; background: none; padding: 4px 6px; border-radius: 7px; color: var(--accent);
  font-weight: 550; overflow-wrap: anywhere; text-align: start;
}
.crumbs button:hover { background: var(--accent-soft); }
.crumbs button[aria-current] { color: var(--ink); }
.crumbs button + button::before { content: "›"; color: var(--muted); margin-inline-end: 8px; }
.map {
  position: relative; height: min(56vh, 520px); min-height: 260px; margin-bottom: 18px;
  border-radius: var(--radius); overflow: hidden; background: var(--sunk);
}
.cell {
  position: absolute; display: flex; flex-direction: column; align-items: flex-start; gap: 1px;
  padding: 4px 7px; overflow: hidden; border: 1px solid var(--bg); border-radius: 5px;
  background: var(--sunk); color: var(--ink); text-align: start; font-size: 12px; line-height: 1.3;
}
.cell b {
  font-weight: 600; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.cell span { font-variant-numeric: tabular-nums; white-space: nowrap; }
.cell.tinted { background: hsl(var(--hue) 62% 88%); }
@media (prefers-color-scheme: dark) {
  .cell.tinted { background: hsl(var(--hue) 34% 25%); }
}
button.cell:hover { outline: 2px solid var(--accent); outline-offset: -2px; z-index: 1; }
button.cell:focus-visible { outline-offset: -2px; z-index: 2; }
@media (max-width: 900px) {
  .archives { flex: 1 1 220px; }
  [data-view="map"] main { padding: 8px 14px 60px; }
  .map { height: 300px; }
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

// The pictures: each one is in the file once, and is decoded and drawn when it comes into view.
const decoded = new Map();
const mostDecoded = 300;
const pageIsRead = new Promise(resolve => {
  if (document.readyState !== "loading") resolve();
  else document.addEventListener("DOMContentLoaded", resolve, { once: true });
});

async function payload(number) {
  // Pictures come after the script: those at the end may not be read yet.
  if (!byId(pictureId(number))) await pageIsRead;
  const text = byId(pictureId(number)).textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

/** Returns the picture as a bitmap; the promise is rejected if the browser cannot show it. */
function bitmapOf(number) {
  const known = decoded.get(number);
  if (known) {
    decoded.delete(number);
    decoded.set(number, known);
    return known;
  }
  const made = payload(number).then(bytes =>
    createImageBitmap(new Blob([bytes], { type: `image/${data.pictures[number].t}` })));
  decoded.set(number, made);
  made.catch(() => {});
  if (decoded.size > mostDecoded) {
    const [oldest, bitmap] = decoded.entries().next().value;
    decoded.delete(oldest);
    bitmap.then(old => old.close(), () => {});
  }
  return made;
}

/** The longest side of a canvas of a card; the view of one asset shows every pixel. */
const cardSide = 1024;

/** Draws a picture on a canvas of its size, or on a smaller one if a side is longer than `most`. */
async function drawPicture(canvas, number, { mirrored = false, most = cardSide } = {}) {
  const wanted = `${number}/${mirrored}/${most}`;
  if (canvas.dataset.drawn === wanted) return;
  canvas.dataset.wanted = wanted;
  const bitmap = await bitmapOf(number);
  // Another picture may have been requested in the meantime.
  if (canvas.dataset.wanted !== wanted) return;
  const factor = Math.min(1, most / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, Math.round(bitmap.width * factor));
  canvas.height = Math.max(1, Math.round(bitmap.height * factor));
  const context = canvas.getContext("2d", {
    colorSpace: data.pictures[number].wide ? "display-p3" : "srgb",
    willReadFrequently: true,
  });
  context.imageSmoothingQuality = "high";
  if (mirrored) {
    context.translate(canvas.width, 0);
    context.scale(-1, 1);
  }
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  markShade(canvas);
  canvas.dataset.drawn = wanted;
}

const shadeSide = 16;
const shades = make("canvas", { width: shadeSide, height: shadeSide })
  .getContext("2d", { willReadFrequently: true });

/** Marks white and black pictures, which would be invisible on a ground of the same colour. */
function markShade(canvas) {
  shades.clearRect(0, 0, shadeSide, shadeSide);
  shades.drawImage(canvas, 0, 0, shadeSide, shadeSide);
  const values = shades.getImageData(0, 0, shadeSide, shadeSide).data;
  let seen = 0,
    light = 0,
    dark = 0;
  for (let place = 0; place < values.length; place += 4) {
    const [red, green, blue, alpha] = values.subarray(place, place + 4);
    const brightness = 0.3 * red + 0.59 * green + 0.11 * blue;
    seen += alpha;
    if (brightness > 225) light += alpha;
    if (brightness < 45) dark += alpha;
  }
  canvas.classList.toggle("is-light", seen > 0 && light > 0.97 * seen);
  canvas.classList.toggle("is-dark", seen > 0 && dark > 0.97 * seen);
}

// Canvases that come into view are drawn; those that left it long ago free their memory.
const jobs = new WeakMap();
const drawnCanvases = new Set();
const mostDrawn = 500;
const sight = new IntersectionObserver(entries => {
  for (const entry of entries) {
    const job = jobs.get(entry.target);
    if (!entry.isIntersecting || !job) continue;
    runJob(entry.target, job);
  }
}, { rootMargin: "400px" });

async function runJob(canvas, job, most = mostDrawn) {
  drawnCanvases.delete(canvas);
  drawnCanvases.add(canvas);
  try {
    await drawPicture(canvas, job.number, job);
  } catch {
    if (job.failed) job.failed();
  }
  if (drawnCanvases.size > most) {
    const oldest = drawnCanvases.values().next().value;
    drawnCanvases.delete(oldest);
    oldest.width = oldest.height = 1;
    delete oldest.dataset.drawn;
    delete oldest.dataset.wanted;
  }
}

/** Draws a canvas as soon as it comes into view. */
function showWhenSeen(canvas, job) {
  jobs.set(canvas, job);
  sight.unobserve(canvas);
  sight.observe(canvas);
}

/** Draws everything at once, for printing. */
const drawAll = () => Promise.all([...document.querySelectorAll("#view canvas")]
  .filter(canvas => jobs.has(canvas))
  .map(canvas => runJob(canvas, jobs.get(canvas), Infinity)));

/** Makes a canvas for a picture, no larger than `room` in points. */
function pictureCanvas(shown, variant, answer, label, room) {
  const picture = data.pictures[shown.number];
  const canvas = make("canvas", { role: "img", "aria-label": label, width: 1, height: 1 });
  const width = picture.w / shown.scale,
    height = picture.h / shown.scale;
  const factor = room ? Math.min(1, room[0] / (width || 1), room[1] / (height || 1)) : 1;
  if (picture.w) {
    canvas.style.width = `${Math.max(1, width * factor)}px`;
    canvas.style.height = `${Math.max(1, height * factor)}px`;
  }
  if (variant.tpl) canvas.classList.add("as-template");
  showWhenSeen(canvas, {
    number: shown.number,
    mirrored: Boolean(answer && answer.m),
    failed: () => canvas.replaceWith(quiet("No picture",
      `this browser cannot show ${picture.t.toUpperCase()}`)),
  });
  return canvas;
}

const quiet = (title, ...lines) => make("div", { class: "quiet" }, make("b", null, title), ...
lines);

// The settings of the page. They are kept in the fragment, so that a link opens the same view.
const state = {
  device: 0,
  window: 0,
  style: 0,
  contrast: 0,
  language: 0,
  free: null,
  view: data.difference ? "difference" : app ? "map" : "assets",
  query: "",
  kind: "",
  problem: "",
  sort: "name",
  ground: "auto",
  asset: "",
  size: "",
  matrix: "device",
  group: "",
  baseline: "",
  rounding: "",
  becomes: "",
  open: "",
  node: "",
};
const listeners = [];
const whenChanged = listener => listeners.push(listener);

/** The device of a page without devices. */
const noDevice = { id: "", name: "no device", idiom: "", scales: [2], gamuts: [],
  windows: [{ o: "any", m: "full", c: 0 }] };
const device = () => data.devices[state.device] || noDevice;
const shownWindow = () => device().windows[state.window];
const lookNumber = (style = state.style, contrast = state.contrast, language = state.language) =>
  (language * looks.contrasts.length + contrast) * looks.styles.length + style;
/** Returns the display of a window: the second one of a phone that unfolds, or the device's. */
const displayOf = (one, window) => window.m === "unfolded" && one.unfolded || one;
const screenScale = (of = displayOf(device(), shownWindow())) =>
  of.scales[of.scales.length - 1] || 2;
const currentAnswer = asset => answerAt(asset, shownWindow().c, lookNumber());
const groundName = () => state.ground !== "auto" ? state.ground :
  looks.styles[state.style] === "dark" ? "dark" : "light";

/** Windows that the user sizes are listed with both width classes. */
const isFree = window => window.m === "stage-manager" || window.m === "free-window";
const windowId = window => `${window.o}.${window.m}${isFree(window) ? "." + window.w : ""}`;

function change(changes) {
  Object.assign(state, changes);
  writeFragmentSoon();
  for (const listener of listeners) listener(Object.keys(changes));
}

/** Chooses a device, and the one of its windows that is most similar to the previous window. */
function chooseDevice(number) {
  const before = shownWindow();
  const windows = data.devices[number].windows;
  const rank = window => (window.m === before.m ? 0 : window.m === "full" ? 2 : 4) + (window.o ===
    before.o ? 0 : 1);
  const best = windows.reduce((best, window, place) => rank(window) < rank(windows[best]) ? place :
    best, 0);
  change({ device: number, window: best, free: null });
}

const words = ["view", "query", "kind", "problem", "sort", "ground", "asset", "size", "matrix",
  "group", "rounding", "becomes", "open", "node"
];
const defaults = { ...state };

/** Browsers refuse too many changes of the address; the last of a quick series is enough. */
let fragmentTimer = 0;
let fragmentTime = -1000;

function writeFragmentSoon() {
  clearTimeout(fragmentTimer);
  const wait = fragmentTime + 250 - performance.now();
  if (wait <= 0) return writeFragment();
  fragmentTimer = setTimeout(writeFragment, wait);
}

function fragmentText() {
  const parts = new URLSearchParams();
  if (app) parts.set("archive", String(archiveNumber));
  parts.set("device", device().id);
  parts.set("window", windowId(shownWindow()));
  parts.set("style", looks.styles[state.style]);
  if (state.contrast) parts.set("contrast", looks.contrasts[state.contrast]);
  if (state.language) parts.set("language", looks.languages[state.language][0]);
  if (state.free) parts.set("free", state.free.join("x"));
  for (const word of words)
    if (state[word] !== defaults[word]) parts.set(word, state[word]);
  return parts.toString();
}

function writeFragment() {
  clearTimeout(fragmentTimer);
  fragmentTime = performance.now();
  const fragment = "#" + fragmentText();
  if (fragment !== location.hash) history.replaceState(null, "", fragment);
}

function readFragment() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const find = (list, test) => Math.max(0, list.findIndex(test));
  state.device = parts.has("device") ? find(data.devices, one => one.id === parts.get("device")) :
    firstDevice();
  state.window = find(device().windows, one => windowId(one) === parts.get("window"));
  state.style = find(looks.styles, one => one === parts.get("style"));
  state.contrast = find(looks.contrasts, one => one === parts.get("contrast"));
  state.language = find(looks.languages, one => one[0] === (parts.get("language") || ""));
  const free = (parts.get("free") || "").split("x").map(Number);
  state.free = free.length === 2 && free.every(edge => edge > 0) ? free : null;
  for (const word of words) state[word] = parts.has(word) ? parts.get(word) : defaults[word];
}

/** Returns a recent device of which everything is known. */
function firstDevice() {
  const wished = ["iPhone17,3", "iPhone16,1", "iPhone15,2", "Watch7,1", "AppleTV14,1", "Mac"];
  for (const id of wished) {
    const place = data.devices.findIndex(one => one.id === id);
    if (place >= 0) return place;
  }
  return 0;
}

addEventListener("hashchange", () => {
  clearTimeout(fragmentTimer);
  if (wantedArchive() !== archiveNumber) return location.reload();
  readFragment();
  for (const listener of listeners) listener(Object.keys(state));
});

// The device bar: device, orientation, window and look. The screen is drawn to scale.
const stageParts = {};

function segment(label, names, chosen, choose) {
  return make("div", { class: "segment wide", role: "group", "aria-label": label }, names.map((name,
      place) =>
    make("button", { type: "button", "aria-pressed": String(place === chosen), onclick: () =>
        choose(place) }, titled(name))));
}

function field(label, control) {
  return make("label", { class: "field" }, make("span", null, label), control);
}

function deviceSelect() {
  const groups = new Map();
  data.devices.forEach((one, place) => {
    const name = idiomNames[one.idiom] || one.idiom;
    if (!groups.has(name)) groups.set(name, make("optgroup", { label: name }));
    groups.get(name).append(make("option", { value: String(place) },
    `${one.name} (${one.id})`));
  });
  return make("select", { onchange: event => chooseDevice(Number(event.target.value)) }, [...groups
    .values()
  ]);
}

function stepDevice(step) {
  const count = data.devices.length;
  chooseDevice((state.device + step + count) % count);
}

/** On narrow screens all but the device is folded away. */
function stageToggle() {
  const toggle = make("button", { class: "step more", type: "button", "aria-expanded": "false",
    onclick: () => toggle.setAttribute("aria-expanded",
      String(byId("stage").classList.toggle("open"))) }, "Window, style");
  return toggle;
}

function buildStage() {
  const parts = stageParts;
  parts.select = deviceSelect();
  parts.box = make("div", { class: "screen-box" });
  parts.windows = make("div", { class: "windows", role: "group", "aria-label": "Window" });
  parts.turns = make("div");
  parts.looks = make("div", { class: "looks" });
  parts.facts = make("dl", { class: "facts" });
  byId("stage").append(
    make("div", { class: "stage-row" }, field("Device", parts.select),
      make("button", { class: "step", type: "button", "aria-label": "Previous device",
        title: "Previous device  [", onclick: () => stepDevice(-1) }, "‹"),
      make("button", { class: "step", type: "button", "aria-label": "Next device",
        title: "Next device  ]", onclick: () => stepDevice(1) }, "›"), stageToggle()),
    parts.box, parts.turns, parts.windows, parts.looks, parts.facts);
  drawStage();
  whenChanged(drawStage);
}

/** Returns the orientation of the device: windows of any orientation keep the previous one. */
let lastTurn = "portrait";

function heldAs() {
  const window = shownWindow();
  if (window.o !== "any") lastTurn = window.o;
  else if (!device().windows.some(other => other.o === lastTurn)) lastTurn = "any";
  return lastTurn;
}

/** Turns the device, and keeps the kind of window. */
function rotate() {
  const window = shownWindow(),
    windows = device().windows;
  const wanted = heldAs() === "portrait" ? "landscape" : "portrait";
  const rank = other => other.o !== wanted ? 9 : (other.m === window.m ? 0 : other.m === "full" ?
    2 : 4) + (other.w === window.w ? 0 : 1);
  if (window.o === "any") {
    lastTurn = wanted;
    return change({ window: state.window });
  }
  const best = windows.reduce((best, other, place) => rank(other) < rank(windows[best]) ? place :
    best, 0);
  if (windows[best].o === wanted) change({ window: best, free: null });
}

/** Returns the size of the screen in points, turned as the window requires. */
function screenSize(one, window) {
  const points = displayOf(one, window).pt || [400, 300];
  const isTurned = window.o === "landscape" || window.o === "any" && one === device() &&
  heldAs() === "landscape";
  const [short, long] = points[0] <= points[1] || window.o === "any" && !isTurned ? points : [
    points[1], points[0]
  ];
  return isTurned ? [long, short] : [short, long];
}

/** Returns the place of a window on its screen. */
function paneOf(one, window, free) {
  const [width, height] = screenSize(one, window);
  const size = free || window.p;
  if (window.m === "full" || window.m === "unfolded" || !size && !isFree(window)) {
    return { x: 0, y: 0, width, height, kind: "" };
  }
  const [w, h] = size || [Math.min(width, window.w === "compact" ? 500 : width * .8), height * .7];
  if (window.m === "slide-over") return { x: width - w - 12, y: (height - Math.min(h, height -
      24)) / 2, width: w, height: Math.min(h, height - 24), kind: "floating" };
  if (isFree(window)) {
    return { x: (width - w) / 2, y: (height - h) / 2, width: Math.min(w, width), height: Math.min(h,
        height), kind: "floating" };
  }
  return { x: 0, y: 0, width: w, height: Math.min(h, height), kind: "part" };
}

function drawStage() {
  const parts = stageParts,
    one = device(),
    window = shownWindow();
  parts.select.value = String(state.device);
  byId("printed").textContent = `${one.name}, ${windowName(window).toLowerCase()}, `
    + `${looks.styles[state.style]}`;
  drawScreen(parts.box, one, window);
  const held = heldAs();
  parts.windows.replaceChildren(...one.windows.flatMap((other, place) => other.o === held || other
    .o === "any" ? [windowButton(one, other, place)] : []));
  parts.windows.hidden = parts.windows.children.length < 2;
  const choices = [];
  const turns = ["portrait", "landscape"].filter(turn => one.windows.some(other => other.o ===
    turn));
  parts.turns.hidden = turns.length < 2;
  parts.turns.replaceChildren(segment("Orientation", turns, turns.indexOf(held), place => { if (
      turns[place] !== heldAs()) rotate(); }));
  if (looks.styles.length > 1) choices.push(segment("Style", looks.styles, state.style, style =>
    change({ style })));
  if (looks.contrasts.length > 1) {
    choices.push(segment("Contrast", looks.contrasts.map(name => `${name} contrast`), state
      .contrast, contrast => change({ contrast })));
  }
  if (looks.languages.length > 1) {
    const select = make("select", { onchange: event => change({ language: Number(event.target
            .value) }) },
      looks.languages.map(([tag, rtl], place) => make("option", { value: String(place) }, tag ===
        "" ? "no language" : tag + (rtl ? " (right to left)" : ""))));
    select.value = String(state.language);
    choices.push(field("Language of the user", select));
  }
  choices.push(field("Ground", groundSegment()));
  parts.looks.replaceChildren(...choices);
  const display = displayOf(one, window);
  const facts = [
    ["Model", one.id],
    ["Scale", display.scales.length ? display.scales.map(scale => `${scale}x`).join(", ") :
      "not known"
    ]
  ];
  if (display.pt) facts.push(["Points", sizeText(...display.pt)]);
  if (display.px) facts.push(["Pixels", sizeText(...display.px)]);
  facts.push(["Gamut", display.gamuts.join(", ") || "not known"]);
  if (one.supposed) facts.push(["Not confirmed", one.supposed.join(", ")]);
  parts.facts.replaceChildren(...facts.flatMap(([name, value]) => [make("dt", null, name), make(
    "dd", null, value)]));
}

function drawScreen(box, one, window) {
  const [width, height] = screenSize(one, window);
  const factor = Math.min(206 / width, 156 / height);
  const pane = paneOf(one, window, state.free);
  const px = value => `${Math.max(0, value * factor)}px`;
  const label = make("span", null, modeNames[window.m] || window.m,
    make("small", null, window.p || state.free ? sizeText(pane.width, pane.height) : window.m ===
      "full" && one.pt ? sizeText(width, height) : ""));
  const paneElement = make("div", { class: `pane ${pane.kind}`, style: { left: px(pane.x), top: px(
        pane.y), width: px(pane.width), height: px(pane.height) } }, label);
  if (isFree(window)) {
    paneElement.append(grip(one, window, pane, factor, paneElement));
  }
  const frame = make("div", { class: `device ${one.idiom}`, style: { width: px(width), height: px(
        height) } }, paneElement);
  if (one.idiom === "tv" || one.idiom === "mac") frame.style.borderRadius = "6px";
  box.replaceChildren(frame, make("div", { class: "classes" },
    classTag("w", window.w), classTag("h", window.h)));
}

const classTag = (letter, name) => make("span", { class: "class-tag", title: letter === "w" ?
      "width class" : "height class" },
  letter === "w" ? "width " : "height ", make("b", null, name || "not known"));

/** Makes the corner with which a free window is resized; its width class follows. */
function grip(one, window, pane, factor, element) {
  const handle = make("button", { class: "grip",
  type: "button", "aria-label": "Size of the free window; arrow keys change it" });
  const [screenWidth, screenHeight] = screenSize(one, window);
  const resize = (width, height) => {
    const size = [Math.round(Math.min(screenWidth, Math.max(280, width))), Math.round(Math.min(
      screenHeight, Math.max(280, height)))];
    const wanted = size[0] < data.undecided[2] ? "compact" : "regular";
    const place = one.windows.findIndex(other => other.m === window.m && other.o === window.o && (
      other.w || wanted) === wanted);
    change({ free: size, window: place < 0 ? state.window : place });
  };
  handle.addEventListener("pointerdown", event => {
    event.preventDefault();
    const start = [event.clientX, event.clientY];
    const box = stageParts.box;
    box.setPointerCapture(event.pointerId);
    const move = moved => resize(pane.width + 2 * (moved.clientX - start[0]) / factor, pane
      .height + 2 * (moved.clientY - start[1]) / factor);
    box.addEventListener("pointermove", move);
    box.addEventListener("pointerup", () => box.removeEventListener("pointermove",
    move), { once: true });
  });
  handle.addEventListener("keydown", event => {
    const step = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0,
        20
      ] } [event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    resize(pane.width + step[0], pane.height + step[1]);
    stageParts.box.querySelector(".grip")?.focus();
  });
  return handle;
}

/** Makes a small drawing of a screen with a window on it. */
function miniScreen(one, window, room) {
  const [width, height] = screenSize(one, window);
  const factor = Math.min(room / width, room / height);
  const pane = paneOf(one, window, null);
  const px = value => `${Math.max(1, value * factor)}px`;
  return make("span", { class: "mini", style: { width: px(width), height: px(height) } },
    make("i", { style: { left: `${pane.x * factor}px`, top: `${pane.y * factor}px`, width: px(pane
          .width), height: px(pane.height) } }));
}

const windowName = window =>
  `${modeNames[window.m] || window.m}${window.o === "any" ? "" : ", " + window.o}` +
  (isFree(window) ? `, ${window.w || "any"} width` :
  "");

function windowButton(one, window, place) {
  return make("button", {
      type: "button",
      "aria-pressed": String(place === state.window),
      "aria-label": windowName(window),
      title: windowName(window),
      onclick: () => change({ window: place, free: null }),
    }, miniScreen(one, window, 34), (modeNames[window.m] || window.m),
    isFree(window) ? make("span", null, window.w ||
      "") : null);
}

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

// One asset: its picture large, with overlays; its variants; the variant in each window of the
// device.
const detailView = { insets: true, slices: true, zoom: 0, stretch: null, asset: null };

function showDetail(changed) {
  const dialog = byId("detail"),
    asset = assetsById.get(state.asset);
  if (!asset) {
    if (dialog.open && !state.open) dialog.close();
    return;
  }
  if (changed.includes("asset")) Object.assign(detailView, { zoom: 0, stretch: null, asset });
  const focused = dialog.contains(document.activeElement) ? document.activeElement.dataset.keep :
    null;
  const scrolled = changed.includes("asset") ? 0 : dialog.scrollTop;
  dialog.classList.remove("fits");
  dialog.replaceChildren(detailHead(asset), ...detailBody(asset));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = scrolled;
  const keep = focused && dialog.querySelector(`[data-keep="${focused}"]`);
  if (keep) keep.focus();
}

byId("detail").addEventListener("close", () => {
  const id = state.asset;
  if (id) change({ asset: "" });
  const card = cardsById.get(id);
  const isFree = document.activeElement === document.body;
  if (card && card.isConnected && isFree) card.focus({ preventScroll: true });
});
byId("detail").addEventListener("click", event => {
  if (event.target === byId("detail")) byId("detail").close();
});

function stepAsset(step) {
  const here = shownAssets.findIndex(asset => asset.id === state.asset);
  const next = shownAssets[(here + step + shownAssets.length) % shownAssets.length];
  if (next) change({ asset: next.id });
}

function detailHead(asset) {
  return make("header", { class: "detail-head" },
    make("div", null, make("h2", { id: "detail-name", tabindex: "-1", autofocus: true }, nameText(
        asset.n)),
      make("p", { class: "muted" },
        `${titled(asset.k)}, ${plural(asset.v.length, "variant")}, ${bytesText(asset.bytes)}`)),
    make("div", { class: "head-tools" }, make("div", { class: "head-ground" }, groundSegment()),
      make("button", { class: "step", type: "button", "aria-label": "Previous asset",
        data: { keep: "before" }, onclick: () => stepAsset(-1) }, "‹"),
      make("button", { class: "step", type: "button", "aria-label": "Next asset",
        data: { keep: "next" }, onclick: () => stepAsset(1) }, "›"),
      make("button", { class: "step", type: "button", "aria-label": "Close",
      data: { keep: "close" }, onclick: () => byId("detail").close() }, "✕")));
}

function detailBody(asset) {
  const answer = currentAnswer(asset),
    variant = variantOf(asset, answer);
  const parts = [make("div", { class: "detail-top" }, bigPicture(asset, answer, variant),
    situationFacts(asset, answer, variant))];
  if (variant?.s) parts.push(stretchSection(asset, answer, variant));
  if (asset.v.some(one => one.c)) parts.push(colorSection(asset));
  if (asset.g?.length) parts.push(glyphSection(asset));
  if (asset.i) parts.push(iconLooks(asset));
  if (asset.l) parts.push(layerSection(asset));
  parts.push(variantSection(asset, answer), windowSection(asset));
  return parts;
}

const section = (title, ...children) => make("section", { class: "part" }, make("h3", null, title),
  ...children);

// MARK: - The picture

function bigPicture(asset, answer, variant) {
  const ground = make("div", { class: `big ground on-${groundName()}` });
  const shown = pictureOf(variant, screenScale());
  if (!shown) {
    ground.append(...lookOf(asset, answer));
    return make("div", { class: "big-box" }, ground);
  }
  const size = pointSize(variant, screenScale());
  const fitting = Math.min(520 / size[0], 330 / size[1]);
  const zoom = detailView.zoom || Math.max(.05, Math.min(8, fitting >= 1 ? Math.floor(fitting) :
    fitting));
  const isCrisp = zoom >= 2 && variant.p !== undefined;
  const label = `${asset.n}, ${keyText(asset, answer.w)}`;
  const canvas = make("canvas",
    { role: "img", "aria-label": label, id: "big-canvas", class: isCrisp ? "crisp" : "" });
  if (variant.tpl) canvas.classList.add("as-template");
  const frame = make("div", { class: "frame", style: { width: `${size[0] * zoom}px`,
      height: `${size[1] * zoom}px` } }, canvas);
  if (detailView.insets && variant.i) frame.append(insetOverlay(variant.i, zoom, answer.m));
  if (detailView.slices && variant.s) frame.append(...sliceGuides(variant.s, size, zoom, answer.m));
  ground.append(frame);
  drawPicture(canvas, shown.number, { mirrored: Boolean(answer.m), most: 4096 })
    .catch(() => ground.replaceChildren(quiet("No picture",
      `this browser cannot show ${data.pictures[shown.number].t.toUpperCase()}`)));
  const zoomInput = make("input", {
    type: "range",
    min: "-3",
    max: "4",
    step: "0.25",
    value: String(Math.log2(zoom)),
    "aria-label": "Zoom",
    data: { keep: "zoom" },
    oninput: event => { detailView.zoom = 2 ** Number(event.target.value);
      showDetail([]); }
  });
  const tools = [make("label", { class: "zoom" }, zoomInput, make("span", null,
    `${Math.round(zoom * 100)} %`))];
  if (variant.i) tools.push(toggle("Alignment insets", "insets"));
  if (variant.s) tools.push(toggle("Slices", "slices"));
  return make("div", { class: "big-box" }, ground, make("div", { class: "big-tools" }, tools));
}

function toggle(label, name) {
  return make("label", { class: "check" }, make("input", {
    type: "checkbox",
    checked: detailView[name],
    data: { keep: name },
    onchange: event => { detailView[name] = event.target.checked;
      showDetail([]); }
  }), label);
}

/** Frames the part that layout aligns; the rest is dimmed. */
function insetOverlay(insets, zoom, mirrored) {
  const [top, left, bottom, right] = insets.map(edge => `${edge * zoom}px`);
  return make("div", { class: "inset-overlay", title: `alignment insets: ${insets.join(", ")}`,
    style: { inset: mirrored ? `${top} ${left} ${bottom} ${right}` :
        `${top} ${right} ${bottom} ${left}` } });
}

function sliceGuides(slicing, size, zoom, mirrored) {
  const [top, left, bottom, right] = slicing.caps, guides = [];
  const line = style => guides.push(make("div", { class: "guide", style }));
  const px = value => `${value * zoom}px`;
  const [near, far] = mirrored ? ["right", "left"] : ["left", "right"];
  if (slicing.mode !== "threePartVertical") {
    line({
      [near]: px(left), top: "0", bottom: "0", borderLeftWidth: "1px" });
    line({
      [far]: px(right), top: "0", bottom: "0", borderLeftWidth: "1px" });
    line({
      [near]: px(left + slicing.center[0]), top: "0", bottom: "0", borderLeftWidth: "1px",
      opacity: ".5" });
  }
  if (slicing.mode !== "threePartHorizontal") {
    line({ top: px(top), left: "0", right: "0", borderTopWidth: "1px" });
    line({ bottom: px(bottom), left: "0", right: "0", borderTopWidth: "1px" });
    line({ top: px(top + slicing.center[1]), left: "0", right: "0", borderTopWidth: "1px",
      opacity: ".5" });
  }
  return guides;
}

// MARK: - Facts

function situationFacts(asset, answer, variant) {
  const window = shownWindow(),
    rows = [];
  const add = (name, ...value) => rows.push(make("dt", null, name), make("dd", null, ...value));
  add("On", `${device().name}, ${windowName(window).toLowerCase()}`);
  add("Size class", `${window.w || "not known"} width, ${window.h || "not known"} height`);
  add("Style", [looks.styles[state.style], looks.contrasts[state.contrast] === "high" ?
    "high contrast" : "", looks.languages[state.language][0]
  ].filter(Boolean).join(", "));
  if (variant) {
    add("Shows", keyText(asset, answer.w) + (answer.m ? ", mirrored" : ""));
    if (variant.f && !variant.c) add("File", nameText(variant.f));
    if (variant.src) add("From", pathText(variant.src));
    const size = pointSize(variant, screenScale());
    if (size) add("Points", sizeText(...size));
    const shown = pictureOf(variant, screenScale());
    if (variant.w || shown) add("Pixels", variant.w ? sizeText(variant.w, variant.h) : sizeText(data
      .pictures[shown.number].w, data.pictures[shown.number].h));
    add("Bytes", variant.b.toLocaleString("en"));
    if (variant.i) add("Insets", variant.i.map(numberText).join(", "));
    if (variant.tpl) add("Rendering", "template: only its shape is used");
    if (variant.uti) add("Type", variant.uti);
    if (variant.r) add("Vector", variant.r);
  } else {
    add("Shows", make("strong", { class: "bad-text" },
      `nothing: ${answer.x || "name"} removes the last variant`));
  }
  if (answer.ua) {
    add("Not known",
      `${answer.ua.join(", ")}: ${answer.uw.map(ordinal => shownText(asset, ordinal)).join(" or ")}`
      );
  }
  const remarks = remarksOn(asset, answer).map(([level, text]) => make("li", { class: level ?
      "warn-text" : "muted" }, text));
  return make("div", { class: "situation" }, make("dl", { class: "facts" }, rows), remarks.length ?
    make("ul", { class: "remarks" }, remarks) : null);
}

// MARK: - Variants and windows

function variantSection(asset, answer) {
  const rows = asset.v.map((variant, ordinal) => {
    const shown = pictureOf(variant, screenScale());
    const look = variant.c ? make("span", { class: "swatch", style: { background: variant.c
          .css } }) :
      shown ? pictureCanvas(shown, variant, null, `${asset.n}, ${keyText(asset, ordinal)}`, [44,
        34
      ]) : "";
    const shape = variant.w ? sizeText(variant.w, variant.h) : variant.c ? hexOf(variant.c) :
      variant.size !== undefined ? bytesText(variant.size) : variant.t;
    return make("tr", { class: ordinal === answer.w ? "wins" : "" },
      make("td", { class: `thumb on-${groundName()}` }, look),
      make("td", null, make("span", { class: "dot", style: { background: winnerColor(asset,
            ordinal) } }), keyText(asset, ordinal)),
      make("td", { class: "file" }, variant.f && !variant.c ? nameText(variant.f) : "",
        variant.src ? make("small", null, pathText(variant.src)) : null,
        variant.e ? make("small", { class: "bad-text" }, variant.e) : null),
      make("td", { class: "number" }, shape), make("td", { class: "number" }, bytesText(
        variant.b)),
      make("td", null, ordinal === answer.w ? make("strong", null, "shown") : make(
      "span", { class: "muted" }, verdictOf(answer, ordinal))));
  });
  return section("Variants", make("div", { class: "table-box" }, make(
  "table", { class: "variants" },
    make("thead", null, make("tr", null, ["Look", "For", "File", "Pixels", "Bytes", "Here"]
      .map(name => make("th", { scope: "col" }, name)))),
    make("tbody", null, rows))));
}

function windowSection(asset) {
  const one = device();
  const screens = one.windows.map((window, place) => {
    const answer = answerAt(asset, window.c, lookNumber()),
      variant = variantOf(asset, answer);
    const [width, height] = screenSize(one, window), factor = Math.min(150 / width, 130 /
      height);
    const pane = paneOf(one, window, null),
      px = value => `${value * factor}px`;
    const inside = make("div", { class: `pane-shot on-${groundName()}`, style: { left: px(pane
          .x), top: px(pane.y), width: px(pane.width), height: px(pane.height),
        borderColor: winnerColor(asset, answer.w) } });
    const scale = screenScale(displayOf(one, window));
    const shown = pictureOf(variant, scale),
      size = pointSize(variant, scale);
    if (variant?.c) inside.style.background = variant.c.css;
    else if (shown && size) {
      const canvas = pictureCanvas(shown, variant, answer,
        `${asset.n} in ${windowName(window)}`, [pane.width, pane.height]);
      const fit = Math.max(factor, Math.min(18 / Math.max(...size), .9 * pane.width * factor /
        size[0], .9 * pane.height * factor / size[1]));
      canvas.style.width = `${Math.max(1, size[0] * fit)}px`;
      canvas.style.height = `${Math.max(1, size[1] * fit)}px`;
      inside.append(canvas);
    } else if (!variant) inside.append(make("b", { class: "bad-text" }, "∅"));
    return make("button", { class: "shot", type: "button", "aria-pressed": String(place ===
          state.window), data: { keep: `shot${place}` }, onclick: () =>
      change({ window: place, free: null }) },
      make("span", { class: "shot-box" }, make("span", { class: "shot-screen",
        style: { width: px(width), height: px(height) } }, inside)),
      make("span", { class: "shot-name" }, windowName(window)),
      make("span", { class: "shot-answer" }, make("span", { class: "dot",
          style: { background: winnerColor(asset, answer.w) } }), answer.w < 0 ?
        `nothing: ${answer.x || "name"}` : keyText(asset, answer.w)));
  });
  return section(`In the windows of ${one.name}`, make("div", { class: "shots" }, screens));
}

// Shows slicing: the user drags the corner of the picture; caps stay as they are, the middle
// stretches or tiles. All sizes are in the picture's own pixels, so that caps are copied one to
// one.

/** Returns the parts along one side in pixels: first cap, middle, last cap of the picture. */
function sliceParts(length, first, middle, last) {
  const start = Math.min(first, length),
    end = Math.min(last, length - start);
  return { start, middle: Math.max(0, Math.min(middle, length - start - end)), end, length };
}

/** Returns the places of the parts along one side of a target: [source, size, target, size] for
    each. */
function placements(parts, target, isSliced, isTiled) {
  if (!isSliced) return [
    [0, parts.length, 0, target]
  ];
  const room = Math.max(0, target - parts.start - parts.end);
  const all = [
    [0, parts.start, 0, parts.start]
  ];
  if (isTiled && parts.middle > 0) {
    for (let done = 0; done < room; done += parts.middle) {
      const part = Math.min(parts.middle, room - done);
      all.push([parts.start, part, parts.start + done, part]);
    }
  } else {
    all.push([parts.start, parts.middle, parts.start, room]);
  }
  all.push([parts.length - parts.end, parts.end, parts.start + room, parts.end]);
  return all.filter(([, from, , to]) => from > 0 && to > 0);
}

/** Draws a sliced picture at a size in pixels. */
function drawSliced(context, bitmap, slicing, scale, width, height) {
  const [top, left, bottom, right] = slicing.caps.map(edge => Math.round(edge * scale));
  const [middleWidth, middleHeight] = slicing.center.map(edge => Math.round(edge * scale));
  const isAcross = slicing.mode !== "threePartVertical",
    isDown = slicing.mode !== "threePartHorizontal";
  const across = placements(sliceParts(bitmap.width, left, middleWidth, right), width, isAcross,
    slicing.across === "tile");
  const down = placements(sliceParts(bitmap.height, top, middleHeight, bottom), height, isDown,
    slicing.down === "tile");
  context.clearRect(0, 0, width, height);
  for (const [y, rows, toY, toRows] of down) {
    for (const [x, columns, toX, toColumns] of across) {
      const isMiddle = x === left && y === top && isAcross && isDown;
      if (slicing.mode === "edgesOnly" && isMiddle) continue;
      context.imageSmoothingEnabled = columns !== toColumns || rows !== toRows;
      context.drawImage(bitmap, x, y, columns, rows, toX, toY, toColumns, toRows);
    }
  }
}

function stretchSection(asset, answer, variant) {
  const shown = pictureOf(variant, screenScale()),
    size = pointSize(variant, screenScale());
  if (!shown || !size) return null;
  const slicing = variant.s,
    scale = shown.scale;
  const least = [slicing.caps[1] + slicing.caps[3] + 1, slicing.caps[0] + slicing.caps[2] + 1];
  const start = detailView.stretch || [
    slicing.mode === "threePartVertical" ? size[0] : Math.max(size[0] * 2, 160),
    slicing.mode === "threePartHorizontal" ? size[1] : Math.max(size[1] * 1.4, 72)];
  const canvas = make("canvas", { id: "stretch-canvas",
  role: "img", "aria-label": `${asset.n} stretched` });
  const label = make("output", { class: "stretch-size" });
  const handle = make("button", { class: "stretch-grip",
  type: "button", "aria-label": "Size of the stretched picture; arrow keys change it",
    data: { keep: "stretch" } });
  const box = make("div", { class: "stretch-frame" }, canvas, handle);
  const draw = async wanted => {
    const width = Math.round(Math.min(900, Math.max(least[0], wanted[0]))),
      height = Math.round(Math.min(420, Math.max(least[1], wanted[1])));
    detailView.stretch = [width, height];
    label.textContent = `${sizeText(width, height)} pt`;
    const bitmap = await bitmapOf(shown.number);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    drawSliced(canvas.getContext("2d", { willReadFrequently: true }), bitmap, slicing, scale,
      canvas.width, canvas.height);
    canvas.dataset.drawn = `${shown.number}/${width}x${height}`;
  };
  handle.addEventListener("pointerdown", event => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const from = [event.clientX, event.clientY],
      old = detailView.stretch;
    const move = moved => draw([old[0] + moved.clientX - from[0], old[1] + moved.clientY - from[
      1]]);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove",
    move), { once: true });
  });
  handle.addEventListener("keydown", event => {
    const step = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] }
      [event.key];
    if (!step) return;
    event.preventDefault();
    draw([detailView.stretch[0] + step[0], detailView.stretch[1] + step[1]]);
  });
  draw(start);
  const fills = [slicing.mode !== "threePartVertical" ? `${slicing.across} across` : "", slicing
    .mode !== "threePartHorizontal" ? `${slicing.down} down` : ""
  ].filter(Boolean);
  return section("Stretched", make("p", { class: "hint" },
      `Drag the corner. Caps ${slicing.caps.map(numberText).join(", ")} pt (top, left, bottom, `,
      `right); the middle: ${fills.join(", ")}. `,
      label),
    make("div", { class: `stretch-ground on-${groundName()}` }, box));
}

// The parts of the detail view that only colours, symbols and layered icons have.

// MARK: - Colours

/** Returns the relative luminance of sRGB from 0 to 255, as WCAG defines it. */
function luminance(rgb) {
  const [red, green, blue] = rgb.map(part => {
    const share = part / 255;
    return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4;
  });
  return .2126 * red + .7152 * green + .0722 * blue;
}

/** Returns the contrast of a colour with an opaque one behind it, from 1 to 21. */
function contrast(color, behind) {
  const mixed = color.slice(0, 3).map((part, place) => part * color[3] + behind[place] * (1 - color[
    3]));
  const [a, b] = [luminance(mixed), luminance(behind)];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}

function contrastTag(name, color, behind) {
  const ratio = contrast(color, behind);
  const grade = ratio >= 7 ? "AAA" : ratio >= 4.5 ? "AA" : ratio >= 3 ? "large text" : "too faint";
  return make("span", { class: `ratio ${ratio >= 4.5 ? "good" : ratio >= 3 ? "fair" : "poor"}`,
      title: `contrast on ${name}: ${grade}` },
    `${name} ${ratio.toFixed(2)} : 1, ${grade}`);
}

function colorSection(asset) {
  const swatches = asset.v.map((variant, ordinal) => {
    if (!variant.c) return null;
    const color = variant.c,
      parts = color.parts.map(part => Math.round(part * 1000) / 1000);
    const others = asset.v.flatMap((other, place) => place !== ordinal && other.c && other.c
      .rgb[3] === 1 ? [contrastTag(keyText(asset, place).replace(/^\d+x, /, ""), color.rgb,
        other.c.rgb)] : []);
    return make("li", { class: "swatch-card" }, make("div", { class: "swatch-fill checker" },
        make("div", { style: { background: color.css } })),
      make("div", { class: "swatch-text" }, make("b", null, keyText(asset, ordinal).replace(
          /^\d+x, /, "")), make("span", { class: "mono" }, hexOf(color)),
        make("span", { class: "muted" },
          `${color.space}: ${parts.slice(0, parts[3] < 1 ? 4 : 3).join(", ")}`
          ),
        color.system ? make("span", { class: "muted" }, color.system) : null,
        make("div", { class: "ratios" }, contrastTag("white", color.rgb, [255, 255, 255]),
          contrastTag("black", color.rgb, [0, 0, 0]), others.slice(0, 4))));
  });
  return section("Colours", make("ul", { class: "swatches" }, swatches));
}

// MARK: - Symbols

function glyphSection(asset) {
  const glyph = one => {
    const picture = data.pictures[one.p];
    const canvas = make("canvas", { role: "img", "aria-label": `${asset.n}, ${one.w}, ${one.z}`,
      class: "as-template", style: { width: `${picture.w / 2}px`,
      height: `${picture.h / 2}px` } });
    showWhenSeen(canvas, { number: one.p, mirrored: false });
    return make("figure", { class: `glyph on-${groundName()}` }, canvas, make("figcaption", null,
      one.z === "medium" ? one.w : `${one.w}, ${one.z}`));
  };
  return section("At every weight", make("div", { class: "glyphs" }, asset.g.map(glyph)));
}

// MARK: - Layers

// The bitmaps of a layered icon that systems without layered icons show.
function iconLooks(asset) {
  const figure = (look, number, words) => {
    const canvas = make("canvas", { role: "img", "aria-label": `${asset.n}, ${look}, ${words}`,
      style: { width: "96px", height: "96px" } });
    showWhenSeen(canvas, { number, mirrored: false });
    return make("figure", { class: "glyph checker" }, canvas, make("figcaption", null,
      `${look}, ${words}`));
  };
  return section("In every look", make("div", { class: "glyphs icon-looks" }, asset.i.flatMap(
    one => [figure(one.look, one.glass, "glass"), figure(one.look, one.plain, "plain")])));
}

function layerSection(asset) {
  const wanted = { dark: "Dark", light: "Light", tinted: "Tint" } [looks.styles[state.style]];
  const stack = asset.l.find(one => one.title.includes(wanted)) || asset.l[0];
  return section(`Layers${stack.title ? `, ${stack.title}` : ""}, from back to front`,
    make("ol", { class: "layers" }, stack.layers.map(layerRow)));
}

function layerRow(layer, place) {
  const look = make("div", { class: "layer-look checker" });
  const target = assetsById.get(layer.id),
    answer = target && currentAnswer(target),
    variant = target && variantOf(target, answer);
  const shown = pictureOf(variant, screenScale());
  if (variant?.c) look.append(make("div", { class: "color-fill", style: { background: variant.c
      .css } }));
  else if (shown) look.append(pictureCanvas(shown, variant, answer, layer.n, [96, 96]));
  else if (layer.g) look.append(make("div", { class: "color-fill", style: { background: gradientCSS(
        layer.g) } }));
  else look.append(make("span", { class: "muted" }, layer.kind));
  const facts = [layer.kind, layer.opacity !== 1 ? `opacity ${Math.round(layer.opacity * 100)} %` :
    "", layer.blend ? `blend ${layer.blend}` : "", layer.glass ? "glass" : "",
    layer.shadow ? `shadow ${layer.shadow}` : "", layer.fill ? `filled with ${layer.fill}` : "",
    layer.light ? `light ${layer.light}` : "",
    layer.refraction ? `refracts ${layer.refraction}` : "",
    layer.w ? sizeText(layer.w, layer.h) : ""
  ].filter(Boolean);
  return make("li", { class: "layer", style: { marginInlineStart: `${layer.depth * 26}px` } }, make(
      "span", { class: "layer-number" }, String(place + 1)), look,
    make("div", null, make("b", null, nameText(layer.n)), make("div", { class: "muted" }, facts
      .join(", "))));
}

function gradientCSS(gradient) {
  const stops = gradient.stops.map(stop => `${stop.css} ${Math.round(stop.at * 100)}%`);
  const angle = Math.round(Math.atan2(gradient.end[1] - gradient.start[1], gradient.end[0] -
    gradient.start[0]) * 180 / Math.PI + 90);
  return stops.length > 1 ? `linear-gradient(${angle}deg, ${stops.join(", ")})` : gradient.stops[0]
    ?.css || "transparent";
}

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

// The bytes of each device: what thinning keeps and drops, and why.
let chosenGroup = 0;

/** Returns the device that represents its group: the chosen one, or the first. */
const groupDevice = group => group.devices.includes(device().id) ? device().id : group.devices[0];

function showBytes(view) {
  if (!data.bytes) {
    view.replaceChildren(make("div", { class: "empty" }, make("h2", null,
        "The bytes are not known"),
      "Some renditions are damaged, so the result of thinning is not known."));
    return;
  }
  const groups = data.bytes.groups;
  const most = Math.max(1, ...groups.map(group => group.kept + group.dropped));
  const here = groups.findIndex(group => group.devices.includes(device().id));
  if (here >= 0) chosenGroup = here;
  const names = new Map(data.devices.map(one => [one.id, one.name]));
  const order = groups.map((group, place) => ({ group, place })).sort((a, b) => b.group.kept - a
    .group.kept);
  const bars = order.map(({ group, place }) => {
    const label = names.get(groupDevice(group));
    return make("li", null, make("button", {
        class: "bar-row",
        type: "button",
        "aria-pressed": String(place === chosenGroup),
        title: group.devices.map(id => names.get(id) || id).join(", "),
        onclick: () => chooseDevice(Math.max(0, data.devices.findIndex(one => one.id ===
          group.devices[0])))
      },
      make("span", { class: "bar-name" }, label, group.devices.length > 1 ? make("small",
        null, `and ${plural(group.devices.length - 1, "other")}`) : null),
      make("span", { class: "bar" }, make(
      "i", { style: { width: `${group.kept / most * 100}%` } }), make(
      "i", { class: "dropped", style: { width: `${group.dropped / most * 100}%` } })),
      make("span", { class: "bar-value" }, bytesText(group.kept), make("small", null,
          `−${Math.round(group.dropped / Math.max(1, group.kept + group.dropped) * 100)} %`
          ))));
  });
  view.replaceChildren(make("p", { class: "hint lead" },
      `The archive has ${data.bytes.total.toLocaleString("en")} bytes. Thinned for one device it `
      + "keeps the dark part of each bar, if atlases are not packed again."
      ),
    make("div", { class: "bytes" }, make("ol", { class: "bars" }, bars), groups[chosenGroup] ?
      dropDetails(groups[chosenGroup], names) : ""));
}

function dropDetails(group, names) {
  const most = Math.max(1, ...group.axes.map(([, bytes]) => bytes));
  const axes = group.axes.map(([axis, bytes, count]) => make("li", { class: "bar-row" }, make(
      "span", { class: "bar-name" }, axis),
    make("span", { class: "bar" }, make("i", { class: "dropped",
      style: { width: `${bytes / most * 100}%` } })), make("span", { class: "bar-value" },
      bytesText(bytes), make("small", null, plural(count, "rendition")))));
  const first = names.get(group.devices[0]), name = names.get(groupDevice(group));
  const rows = group.drops.map(([asset, bytes, reason]) => make("tr", null,
    make("td", null, nameText(asset)), make("td", { class: "number" }, bytesText(bytes)),
    make("td", { class: "muted" }, reason.replaceAll(first, name))));
  return make("section", { class: "part" }, make("h3", null, `What ${name} never shows`),
    axes.length ? make("ul", { class: "bars" }, axes) : make("p", { class: "muted" },
      "Nothing: it can show every rendition."),
    rows.length ? make("div", { class: "table-box" }, make("table", { class: "variants" }, make(
      "thead", null, make("tr", null, ["Asset", "Bytes dropped", "Why"].map(name => make(
      "th", { scope: "col" }, name)))), make("tbody", null, rows))) : null);
}

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

// Reloads a served page when a new one is ready; the settings stay, because the fragment has them.
function showBanner(text) {
  byId("banner").hidden = text === "";
  byId("banner").textContent = text;
}

function listenForNews() {
  if (!location.protocol.startsWith("http")) return;
  const news = new EventSource("/news");
  news.addEventListener("page", () => location.reload());
  news.addEventListener("trouble", event => showBanner(event.data));
}

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

"""#)
}
