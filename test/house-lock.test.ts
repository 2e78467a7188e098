/**
 * Each lock file holds an entry for every package that another may want on some platform: `npm ci`
 * refuses it otherwise, on every platform.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Packages = Readonly<Record<string, Locked>>;

const lockAt = (path: string): Packages =>
  (
    JSON.parse(readFileSync(new URL(`../${path}package-lock.json`, import.meta.url), 'utf8')) as {
      packages: Packages;
    }
  ).packages;

/** Looks a package up as Node does: beside its user's own packages, then further up. */
function isLocked(packages: Packages, from: string, name: string): boolean {
  const beside = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (packages[beside]) return true;
  if (from === '') return false;
  return isLocked(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

const SHARED = [
  '',
  'bench/',
  'bench/agents/',
  'bench/server-load/',
  'examples/frameworks/',
  'examples/frameworks/ai-sdk-6/',
  'runtimes-test/',
  'lab/mutate/',
  'tools/docs-site/',
];

for (const path of [...SHARED, 'tools/api-reference/'])
  test(`every dependency of ${path}package-lock.json, for every platform, has its entry (else: node tools/complete-lock.mjs)`, () => {
    const packages = lockAt(path);
    const missing = Object.entries(packages).flatMap(
      ([from, { dependencies, devDependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
          .filter(name => !isLocked(packages, from, name))
          .map(name => `${from}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });

test('package.json asks for what the lock was made for', () => {
  const { devDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as Locked;
  assert.deepEqual(lockAt('')['']?.devDependencies, devDependencies);
});

/** Binaries of a benchmark's peer, for platforms whose packages the registry in use lacks. */
const WITHOUT_HASH = /^node_modules\/@lancedb\/lancedb-/;

for (const path of [...SHARED, 'models-test/', 'gguf-test/'])
  test(`every package of ${path}package-lock.json has a hash (else: node tools/complete-lock.mjs)`, () => {
    const missing = Object.entries(lockAt(path)).filter(
      ([name, { integrity, link }]) =>
        name.includes('node_modules/') &&
        !link &&
        !/^sha512-/.test(integrity ?? '') &&
        !WITHOUT_HASH.test(name),
    );
    assert.deepEqual(
      missing.map(([name]) => name),
      [],
    );
  });
