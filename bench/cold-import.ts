/** Time of a first import in a new process: our built core against MiniSearch. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interleave, machine, type Task } from './measure.ts';

const core = new URL('../dist/index.js', import.meta.url);

function importTime(url: string): number {
  const script = `const before = process.cpuUsage(); await import(${JSON.stringify(url)}); const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`importing ${url} failed: ${done.stderr}`);
  return Number(done.stdout);
}

export const coldImport: Task = async ({ runs, say }) => {
  if (!existsSync(fileURLToPath(core))) {
    say('import: dist/ is missing; build it first with: npm run build');
    return [];
  }
  const theirs = import.meta.resolve('minisearch');
  const contenders = [
    { name: 'multihop', url: core.href },
    { name: 'minisearch', url: theirs },
    { name: 'node:zlib', url: 'node:zlib' },
  ];
  for (const { url } of contenders) importTime(url);
  const values = await interleave(
    contenders.map(({ name, url }) => ({ name, run: async () => importTime(url) })),
    Math.max(runs, 15),
  );
  const ours = values.get('multihop')!;
  const peers = ['minisearch', 'node:zlib'].map(name => ({
    name,
    version: name === 'minisearch' ? '7.2.0' : process.versions.node,
    value: values.get(name)!,
    ratio: values.get(name)! / ours,
  }));
  return [
    {
      task: 'import',
      n: 1,
      unit: 'CPU ms',
      ours,
      peers,
      note: 'node:zlib shows what any import costs',
      machine: machine(),
    },
  ];
};
