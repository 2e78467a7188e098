/** package-lock.json holds an entry for every package that another may want on some platform: `npm ci` refuses it otherwise, on every platform. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

/** Where a package is looked for: beside what its user brings, then further up. */
function isLocked(from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true;
    if (!folder.includes('/node_modules/')) return packages[`node_modules/${name}`] !== undefined;
  }
}

test('every dependency, for every platform, has its entry (else: node tools/complete-lock.mjs)', () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, devDependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(name => !isLocked(path, name))
      .map(name => `${path}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('package.json asks for what the lock was made for', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Locked;
  assert.deepEqual(packages['']?.devDependencies, devDependencies);
});
