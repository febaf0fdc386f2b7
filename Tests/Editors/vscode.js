// vscode.js TOOL: runs the extension of VS Code with the language server of the tool, in a stand-in
// for the editor, and checks what the editor would show.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL, fileURLToPath } = require("node:url");

const tool = path.resolve(process.argv[2]);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "carve-"));
const set = path.join(folder, "Assets.xcassets", "Star.imageset");
const text = '{ "images": [ { "Filename": "star.svg", "idiom": "universal" } ] }\n';
fs.mkdirSync(set, { recursive: true });
fs.writeFileSync(path.join(set, "Contents.json"), text);
fs.writeFileSync(path.join(set, "star.svg"),
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0H8V8z"/></svg>');

// The stand-in: only what the extension uses. `known` keeps what it registers and publishes.
const known = { providers: {}, findings: new Map(), errors: [], log: "" };
const events = {};
const on = (name) => (listener) => { events[name] = listener; return { dispose() {} }; };
const record = (...names) => class {
  constructor(...values) { names.forEach((name, index) => { this[name] = values[index]; }); }
};
const Position = record("line", "character");
class Range {
  constructor(start, end) { this.start = start; this.end = end; }
  isEqual(other) { return JSON.stringify(this) === JSON.stringify(other); }
}
const uri = (address) => ({
  fsPath: fileURLToPath(address.split("#")[0]), scheme: "file", toString: () => address,
});
const document = {
  uri: uri(pathToFileURL(path.join(set, "Contents.json")).href), languageId: "json", version: 1, text,
  getText() { return this.text; },
};
const register = (name) => (...values) => {
  known.providers[name] = name === "symbol" ? values[0] : values[1];
  return { dispose() {} };
};
const vscode = {
  Position, Range,
  Uri: { parse: (address) => (address.startsWith("file:") ? uri(address) : { toString: () => address }) },
  Location: record("uri", "range"), Hover: record("contents", "range"),
  MarkdownString: record("value"), TextEdit: record("range", "newText"),
  Diagnostic: record("range", "message", "severity"),
  DiagnosticRelatedInformation: record("location", "message"),
  CompletionItem: record("label", "kind"), CodeAction: record("title", "kind"),
  CodeActionKind: { QuickFix: "quickfix" }, DocumentLink: record("range", "target"),
  SymbolInformation: record("name", "kind", "containerName", "location"),
  WorkspaceEdit: class {
    constructor() { this.edits = []; this.renames = []; }
    set(file, edits) { edits.forEach((edit) => this.replace(file, edit.range, edit.newText)); }
    replace(file, range, newText) { this.edits.push({ file: file.toString(), range, newText }); }
    renameFile(from, to) { this.renames.push([from.fsPath, to.fsPath]); }
    createFile() {}
    deleteFile() {}
  },
  languages: {
    createDiagnosticCollection: () => ({
      set: (file, list) => known.findings.set(file.toString(), list), dispose() {},
    }),
    match: (selector, { uri: { fsPath } }) => (fsPath.endsWith("Contents.json") ? 10 : 0),
    registerCompletionItemProvider: register("completion"), registerHoverProvider: register("hover"),
    registerDefinitionProvider: register("definition"), registerCodeActionsProvider: register("action"),
    registerDocumentLinkProvider: register("link"), registerRenameProvider: register("rename"),
    registerDocumentFormattingEditProvider: register("formatting"),
    registerWorkspaceSymbolProvider: register("symbol"),
  },
  workspace: {
    workspaceFolders: [{ uri: uri(pathToFileURL(folder).href), name: "app" }],
    textDocuments: [document],
    getConfiguration: () => ({ get: () => tool }),
    registerTextDocumentContentProvider: (scheme, provider) => {
      known.providers[scheme] = provider;
      return { dispose() {} };
    },
    createFileSystemWatcher: () => ({
      onDidCreate: on("create"), onDidChange: on("write"), onDidDelete: on("delete"), dispose() {},
    }),
    onDidOpenTextDocument: on("open"), onDidChangeTextDocument: on("change"),
    onDidSaveTextDocument: on("save"), onDidCloseTextDocument: on("close"),
  },
  window: {
    createOutputChannel: () => ({
      append: (part) => { known.log += part; }, appendLine: (part) => { known.log += part; }, dispose() {},
    }),
    showErrorMessage: (message) => known.errors.push(message),
    showWarningMessage: (message) => known.errors.push(message),
  },
  commands: { registerCommand: () => ({ dispose() {} }) },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

// Waits for an event of the server, not for a time.
async function until(holds, what) {
  for (const end = Date.now() + 60000; !holds();) {
    assert(Date.now() < end, `${what}\n${known.errors.join("\n")}\n${known.log}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const codes = () => (known.findings.get(document.uri.toString()) ?? []).map(({ code }) =>
  code.value ?? code);
const at = (word) => new Position(0, document.text.indexOf(word) + 1);
const token = { onCancellationRequested() {} };

async function main() {
  const extension = require("../../Sources/Editors/vscode/extension.js");
  await extension.activate({ subscriptions: [] });
  await until(() => codes().includes("misspelled-key"), "no finding is shown");

  const link = known.findings.get(document.uri.toString())[0].code.target.toString();
  const page = await known.providers["carve-code"].provideTextDocumentContent(
    { path: link.replace("carve-code:", "") });
  assert(page.startsWith("## ") && page.includes("**On a device:**"), page);

  const hover = await known.providers.hover.provideHover(document, at("idiom"), token);
  assert(hover.contents[0].value.length > 10, "no meaning of a key");
  const context = { diagnostics: known.findings.get(document.uri.toString()) };
  const line = new Range(new Position(0, 0), new Position(0, text.length - 1));
  const actions = await known.providers.action.provideCodeActions(document, line, context, token);
  const fix = actions.find(({ title }) => title.includes("filename"));
  // The server replaces the letter that is wrong, or the whole key.
  assert(fix?.edit.edits.some(({ newText }) => /^"?f/.test(newText)), "no fix is offered");
  const edits = await known.providers.formatting.provideDocumentFormattingEdits(
    document, { tabSize: 2, insertSpaces: true }, token);
  assert(edits.map(({ newText }) => newText).join("").includes('"idiom" : "universal"'), "no format");
  const symbols = await known.providers.symbol.provideWorkspaceSymbols("Star", token);
  assert(symbols.some(({ name }) => name.includes("Star")), "no asset is found by its name");

  document.text = text.replace("Filename", "filename").replace("universal", "");
  document.version = 2;
  events.change({ document });
  const links = await known.providers.link.provideDocumentLinks(document, token);
  assert.strictEqual(links[0].target.fsPath, path.join(set, "star.svg"));
  const items = await known.providers.completion.provideCompletionItems(
    document, new Position(0, document.text.indexOf('""') + 1), token);
  assert(items.some(({ insertText, label }) => (insertText ?? label).includes("ipad")), "no idioms");
  await until(() => !codes().includes("misspelled-key"), "the finding stays");

  await extension.deactivate();
  assert.deepStrictEqual(known.errors, []);
  console.log("the extension of VS Code shows findings, meanings, fixes, links, symbols and words");
}

main().then(
  () => fs.rmSync(folder, { recursive: true }),
  (error) => { console.error(error); process.exit(1); });
