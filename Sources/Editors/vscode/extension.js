// The extension of VS Code: starts `carve lsp`, tells it the open documents, and passes its answers
// to the editor. It needs no other package; protocol.js has the messages.
"use strict";

const { execFile, spawn } = require("node:child_process");
const vscode = require("vscode");
const { Connection } = require("./protocol.js");

const catalogs = [
  { scheme: "file", pattern: "**/*.{xcassets,xcstickers}/**/Contents.json" },
  { scheme: "file", pattern: "**/*.icon/icon.json" },
];
const sources = ["swift", "objective-c", "objective-cpp"].map((language) => ({
  scheme: "file", language,
}));
const watched =
  "**/{*.xcassets,*.xcassets/**,*.xcstickers,*.xcstickers/**,*.icon,*.icon/**,.carve.json}";

const command = () => vscode.workspace.getConfiguration("carve").get("path") || "carve";

let client;

class Client {
  constructor(log) {
    this.process = spawn(command(), ["lsp"], { stdio: ["pipe", "pipe", "pipe"] });
    this.process.stderr.on("data", (text) => log.append(text.toString()));
    this.process.on("error", (error) => {
      vscode.window.showErrorMessage(
        `Carve: '${command()}' cannot be started (${error.message}). Install carve, or name it in the setting carve.path.`);
    });
    this.findings = vscode.languages.createDiagnosticCollection("carve");
    this.parts = [this.findings];
    this.connection = new Connection(
      this.process,
      {
        "textDocument/publishDiagnostics": ({ uri, diagnostics }) =>
          this.findings.set(vscode.Uri.parse(uri), diagnostics.map(finding)),
        "window/logMessage": ({ message }) => log.appendLine(message),
        "window/showMessage": ({ message }) => vscode.window.showWarningMessage(message),
      },
      (method, params) => (method === "workspace/applyEdit" ? applyEdit(params) : null));
  }

  async start() {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
      uri: uri.toString(), name,
    }));
    const { capabilities } = await this.connection.request("initialize", {
      processId: process.pid, clientInfo: { name: "vscode-carve" }, rootUri: folders[0]?.uri ?? null,
      workspaceFolders: folders, capabilities: abilities,
    });
    this.connection.notify("initialized", {});
    this.followDocuments();
    this.offer(capabilities);
  }

  followDocuments() {
    const isOurs = (document) => vscode.languages.match([...catalogs, ...sources], document) > 0;
    const open = (document) => {
      if (!isOurs(document)) return;
      this.connection.notify("textDocument/didOpen", {
        textDocument: {
          uri: document.uri.toString(), languageId: document.languageId, version: document.version,
          text: document.getText(),
        },
      });
    };
    const watcher = vscode.workspace.createFileSystemWatcher(watched);
    const changed = (type) => (uri) =>
      this.connection.notify("workspace/didChangeWatchedFiles", {
        changes: [{ uri: uri.toString(), type }],
      });
    this.parts.push(
      watcher, watcher.onDidCreate(changed(1)), watcher.onDidChange(changed(2)),
      watcher.onDidDelete(changed(3)),
      vscode.workspace.onDidOpenTextDocument(open),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!isOurs(document)) return;
        // A change without a range is the whole text.
        this.connection.notify("textDocument/didChange", {
          textDocument: { uri: document.uri.toString(), version: document.version },
          contentChanges: [{ text: document.getText() }],
        });
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (isOurs(document)) this.connection.notify("textDocument/didSave", identify(document));
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (isOurs(document)) this.connection.notify("textDocument/didClose", identify(document));
      }));
    vscode.workspace.textDocuments.forEach(open);
  }

  // Registers a provider for each ability of the server.
  offer(abilities) {
    const ask = async (method, document, token, more) => {
      try {
        return await this.connection.request(method, { ...identify(document), ...more }, token);
      } catch (error) {
        if (method === "textDocument/rename") throw error;
        return null;
      }
    };
    const at = (position) => ({ position: { line: position.line, character: position.character } });
    const { languages } = vscode;
    const add = (ability, make) => {
      if (ability) this.parts.push(make());
    };
    add(abilities.completionProvider, () =>
      languages.registerCompletionItemProvider(catalogs, {
        async provideCompletionItems(document, position, token) {
          const result = await ask("textDocument/completion", document, token, at(position));
          return (Array.isArray(result) ? result : result?.items ?? []).map(completion);
        },
      }, ...(abilities.completionProvider.triggerCharacters ?? [])));
    add(abilities.hoverProvider, () =>
      languages.registerHoverProvider([...catalogs, ...sources], {
        async provideHover(document, position, token) {
          const result = await ask("textDocument/hover", document, token, at(position));
          if (!result) return null;
          return new vscode.Hover(markdown(result.contents), result.range && range(result.range));
        },
      }));
    add(abilities.definitionProvider, () =>
      languages.registerDefinitionProvider([...catalogs, ...sources], {
        async provideDefinition(document, position, token) {
          const result = await ask("textDocument/definition", document, token, at(position));
          return [result ?? []].flat().map(location);
        },
      }));
    add(abilities.codeActionProvider, () =>
      languages.registerCodeActionsProvider(catalogs, {
        async provideCodeActions(document, where, context, token) {
          const result = await ask("textDocument/codeAction", document, token, {
            range: plainRange(where), context: { diagnostics: [] },
          });
          return (result ?? []).map((action) => codeAction(action, context));
        },
      }, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }));
    add(abilities.documentLinkProvider, () =>
      languages.registerDocumentLinkProvider(catalogs, {
        async provideDocumentLinks(document, token) {
          const result = await ask("textDocument/documentLink", document, token);
          return (result ?? []).map(({ range: where, target }) =>
            new vscode.DocumentLink(range(where), vscode.Uri.parse(target)));
        },
      }));
    add(abilities.documentFormattingProvider, () =>
      languages.registerDocumentFormattingEditProvider(catalogs, {
        async provideDocumentFormattingEdits(document, options, token) {
          const result = await ask("textDocument/formatting", document, token, {
            options: { tabSize: options.tabSize, insertSpaces: options.insertSpaces },
          });
          return (result ?? []).map(textEdit);
        },
      }));
    add(abilities.renameProvider, () =>
      languages.registerRenameProvider([...catalogs, ...sources], {
        async provideRenameEdits(document, position, newName, token) {
          const more = { ...at(position), newName };
          return workspaceEdit(await ask("textDocument/rename", document, token, more));
        },
        async prepareRename(document, position, token) {
          const result = await ask("textDocument/prepareRename", document, token, at(position));
          if (!result) throw new Error("no asset is named here");
          return { range: range(result.range ?? result), placeholder: result.placeholder };
        },
      }));
    add(abilities.workspaceSymbolProvider, () =>
      languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: async (query, token) => {
          const result = await this.connection.request("workspace/symbol", { query }, token);
          return (result ?? []).map((symbol) =>
            new vscode.SymbolInformation(
              symbol.name, symbol.kind - 1, symbol.containerName ?? "", location(symbol.location)));
        },
      }));
  }

  async stop() {
    this.parts.forEach((part) => part.dispose());
    await this.connection.request("shutdown").catch(() => {});
    this.connection.notify("exit");
    setTimeout(() => this.process.kill(), 2000).unref();
  }
}

// The abilities of this client, as the protocol names them.
const abilities = {
  general: { positionEncodings: ["utf-16"] },
  workspace: {
    applyEdit: true, workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
    didChangeWatchedFiles: { dynamicRegistration: false },
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true },
    completion: { completionItem: { documentationFormat: ["markdown"], snippetSupport: false } },
    hover: { contentFormat: ["markdown"] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
    rename: { prepareSupport: true },
  },
};

// Values of the protocol as those of the editor.

const identify = (document) => ({ textDocument: { uri: document.uri.toString() } });
const position = ({ line, character }) => new vscode.Position(line, character);
const range = ({ start, end }) => new vscode.Range(position(start), position(end));
const plainRange = ({ start, end }) => ({
  start: { line: start.line, character: start.character },
  end: { line: end.line, character: end.character },
});
const textEdit = (edit) => new vscode.TextEdit(range(edit.range), edit.newText);
const location = ({ uri, range: where, targetUri, targetSelectionRange }) =>
  new vscode.Location(vscode.Uri.parse(uri ?? targetUri), range(where ?? targetSelectionRange));

function markdown(contents) {
  const text = (part) => (typeof part === "string" ? part : part.value);
  return [contents].flat().map((part) => new vscode.MarkdownString(text(part)));
}

function finding(item) {
  // The severities of the protocol begin at 1.
  const result = new vscode.Diagnostic(range(item.range), item.message, (item.severity ?? 1) - 1);
  result.source = item.source ?? "carve";
  result.code = item.codeDescription
    ? { value: item.code, target: vscode.Uri.parse(item.codeDescription.href) }
    : { value: item.code, target: vscode.Uri.parse(`carve-code:${item.code}.md`) };
  result.relatedInformation = (item.relatedInformation ?? []).map((other) =>
    new vscode.DiagnosticRelatedInformation(location(other.location), other.message));
  return result;
}

function completion(item) {
  const result = new vscode.CompletionItem(item.label, item.kind && item.kind - 1);
  result.detail = item.detail;
  result.documentation = item.documentation && markdown(item.documentation)[0];
  result.filterText = item.filterText;
  result.sortText = item.sortText;
  result.insertText = item.textEdit?.newText ?? item.insertText ?? item.label;
  if (item.textEdit) result.range = range(item.textEdit.range ?? item.textEdit.replace);
  result.additionalTextEdits = (item.additionalTextEdits ?? []).map(textEdit);
  return result;
}

function codeAction(item, context) {
  const result = new vscode.CodeAction(item.title, vscode.CodeActionKind.QuickFix);
  result.edit = item.edit && workspaceEdit(item.edit);
  result.isPreferred = item.isPreferred;
  result.diagnostics = context.diagnostics.filter((known) =>
    (item.diagnostics ?? []).some((other) => range(other.range).isEqual(known.range)));
  return result;
}

function workspaceEdit(edit) {
  if (!edit) return null;
  const result = new vscode.WorkspaceEdit();
  const uri = vscode.Uri.parse;
  for (const [file, edits] of Object.entries(edit.changes ?? {})) {
    result.set(uri(file), edits.map(textEdit));
  }
  for (const change of edit.documentChanges ?? []) {
    if (change.kind === "create") result.createFile(uri(change.uri), change.options);
    else if (change.kind === "delete") result.deleteFile(uri(change.uri), change.options);
    else if (change.kind === "rename") {
      result.renameFile(uri(change.oldUri), uri(change.newUri), change.options);
    } else {
      for (const one of change.edits) {
        result.replace(uri(change.textDocument.uri), range(one.range), one.newText);
      }
    }
  }
  return result;
}

async function applyEdit({ edit }) {
  return { applied: await vscode.workspace.applyEdit(workspaceEdit(edit)) };
}

// The page of a code, which opens if one follows the link of a finding.
const pages = {
  provideTextDocumentContent: ({ path }) =>
    new Promise((resolve) => {
      execFile(command(), ["explain-code", path.replace(/\.md$/, "")], (error, text) =>
        resolve(error ? error.message : text));
    }),
};

async function restart(log) {
  await client?.stop();
  client = new Client(log);
  await client.start().catch((error) => log.appendLine(error.message));
}

exports.activate = async (context) => {
  const log = vscode.window.createOutputChannel("Carve");
  context.subscriptions.push(
    log, vscode.commands.registerCommand("carve.restart", () => restart(log)),
    vscode.workspace.registerTextDocumentContentProvider("carve-code", pages));
  await restart(log);
};

exports.deactivate = () => client?.stop();
