// Adds to package-lock.json what `npm install` leaves out where a registry does not hold the linter's binaries for every platform:
// without an entry for each, `npm ci` refuses the lock everywhere. Run it after each change of a dependency: `node tools/complete-lock.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const linter = lock.packages['node_modules/@biomejs/biome'];
for (const [name, version] of Object.entries(linter.optionalDependencies)) {
  const [, os, cpu, musl] = /\/cli-(\w+?)-(\w+?)(?:-(musl))?$/.exec(name);
  const platform = { cpu: [cpu], os: [os], ...(os === 'linux' ? { libc: [musl ?? 'glibc'] } : {}) };
  lock.packages[`node_modules/${name}`] ??= {
    version,
    dev: true,
    optional: true,
    license: linter.license,
    engines: linter.engines,
    ...platform,
  };
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
