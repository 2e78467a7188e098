// Adds to the lock files what `npm install` leaves out where a registry does not hold a package's
// binaries for every platform: without an entry for each, `npm ci` refuses the lock everywhere. Run
// it after each change of a dependency: `node tools/complete-lock.mjs`. What it enters has the hash
// that the registry states, so that `npm ci` checks what it installs on every platform.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const LOCKS = [
  '../package-lock.json',
  '../bench/package-lock.json',
  '../bench/agents/package-lock.json',
  '../bench/server-load/package-lock.json',
  '../examples/frameworks/package-lock.json',
  '../examples/frameworks/ai-sdk-6/package-lock.json',
  '../models-test/package-lock.json',
  '../runtimes-test/package-lock.json',
  '../tools/docs-site/package-lock.json',
].map(path => new URL(path, import.meta.url));
/** Returns the hash that the registry states; undefined for a package that it does not hold. */
function integrityOf(name, version) {
  try {
    const words = ['view', `${name}@${version}`, 'dist.integrity'];
    const stated = execFileSync('npm', words, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return stated.trim() || undefined;
  } catch {
    return undefined;
  }
}

const PLATFORM =
  /[-/](aix|android|darwin|freebsd|linux|netbsd|openbsd|sunos|win32)-([a-z0-9]+)(?:-(gnu|glibc|musl|msvc|gnueabihf))?$/;

for (const file of LOCKS.filter(url => existsSync(url))) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  for (const owner of Object.values({ ...lock.packages })) {
    for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
      const [, os, cpu, libc] = PLATFORM.exec(name) ?? [];
      // Only binaries for one platform, pinned by their owner, can be entered without asking the
      // registry.
      if (os === undefined || !/^\d/.test(version)) continue;
      lock.packages[`node_modules/${name}`] ??= {
        version,
        dev: owner.dev ? true : undefined,
        optional: true,
        license: owner.license || undefined,
        engines: owner.engines,
        cpu: [cpu],
        os: [os],
        libc: os === 'linux' ? [libc === 'musl' ? 'musl' : 'glibc'] : undefined,
      };
    }
  }
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.startsWith('node_modules/') || entry.link || entry.integrity) continue;
    const integrity = integrityOf(path.slice('node_modules/'.length), entry.version);
    if (integrity === undefined) console.error(`${path}: the registry states no hash`);
    else entry.integrity = integrity;
  }
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
