// Starts `aiec lsp` for designs.
const { languages, window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function activate(context) {
  const settings = workspace.getConfiguration("aiec");
  const command = settings.get("path");
  const args = ["lsp", ...settings.get("arguments")];
  const files = workspace.createFileSystemWatcher("**/*.{dsl,cc,cpp,h,hpp,txt}");
  context.subscriptions.push(files);
  const server = { command, args, transport: TransportKind.stdio };
  const documents = [{ scheme: "file", language: "aiec" }, { scheme: "untitled", language: "aiec" }];
  client = new LanguageClient("aiec", "aiec", server, {
    documentSelector: documents,
    synchronize: { fileEvents: files },
  });
  // Kernels belong to the C++ extension of the user. Their faults are shown there, so their
  // remedies are asked for there, and nothing else is.
  const kernels = ["c", "cpp"].map((language) => ({ scheme: "file", language }));
  context.subscriptions.push(languages.registerCodeActionsProvider(kernels, { provideCodeActions: actions }));
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`aiec: cannot start \`${command} lsp\` (${error.message}); set \`aiec.path\``);
  }
}

/// The remedies of the server for a range of a kernel's C++.
async function actions(document, range, asked, token) {
  if (!client?.isRunning() || !asked.diagnostics.some((one) => one.source === "aiec")) return [];
  const { code2ProtocolConverter: ours, protocol2CodeConverter: theirs } = client;
  const params = {
    textDocument: ours.asTextDocumentIdentifier(document),
    range: ours.asRange(range),
    context: await ours.asCodeActionContext(asked, token),
  };
  const found = await client.sendRequest("textDocument/codeAction", params, token);
  return found ? theirs.asCodeActionResult(found, token) : [];
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
