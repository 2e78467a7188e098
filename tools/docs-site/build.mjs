// Builds the documentation as a site into docs-site/: the Markdown files of the project, and the API
// reference as pages of TypeDoc, with one search that needs no network.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const VITEPRESS = `${FOLDER}node_modules/vitepress/bin/vitepress.js`;
const REFERENCE = fileURLToPath(new URL('../api-reference/build.mjs', import.meta.url));
// Options of the command line replace the plugins of the settings.
const PLUGINS = ['typedoc-plugin-missing-exports', 'typedoc-plugin-markdown'];
const PAGES = [...PLUGINS.flatMap(name => ['--plugin', name]), '--readme', 'none', '--out'];

const npm = process.env.npm_execpath;
const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
if (!existsSync(VITEPRESS)) run(...(npm ? [process.execPath, npm] : ['npm']), ...install);
run(
  process.execPath,
  REFERENCE,
  ...PAGES,
  fileURLToPath(new URL('../../docs-api/pages', import.meta.url)),
);
run(process.execPath, VITEPRESS, 'build', '.');

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: FOLDER, stdio: 'inherit' });
  if (error) console.error(`docs:site: ${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
