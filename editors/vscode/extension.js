// Starts `aiec lsp` for designs.
const { window, workspace } = require("vscode");
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
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`aiec: cannot start \`${command} lsp\` (${error.message}); set \`aiec.path\``);
  }
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
