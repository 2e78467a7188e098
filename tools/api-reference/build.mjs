// Builds the API reference into docs-api/; further words are options of TypeDoc. TypeDoc needs a compiler older than the project's, so it
// is a package of its own, installed when it is missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const TYPEDOC = `${FOLDER}node_modules/typedoc/bin/typedoc`;

if (!existsSync(TYPEDOC)) runNpm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
run(
  process.execPath,
  TYPEDOC,
  '--options',
  `${FOLDER}typedoc.config.mjs`,
  ...process.argv.slice(2),
);

function runNpm(...args) {
  const script = process.env.npm_execpath;
  if (script) run(process.execPath, script, ...args);
  else run('npm', ...args);
}

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: FOLDER, stdio: 'inherit' });
  if (error) console.error(`api: ${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
