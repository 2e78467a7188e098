/** Tests the judge of HTML by pages with a stated text. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshFolder } from '../../test/running-command.ts';
import { runLab } from '../test/running-lab.ts';

const KEPT = 'The quarry above Harrow closed in 1911 after the flood.';
const LOST = 'Its last foreman moved to the mill at Senn.';

function pageIn(folder: string, source: string): void {
  mkdirSync(join(folder, 'quarry'));
  writeFileSync(join(folder, 'quarry', 'source.html'), source);
  const expected = `<div><h1>Quarry</h1><p>${KEPT}</p><p>${LOST}</p></div>`;
  writeFileSync(join(folder, 'quarry', 'expected.html'), expected);
}

test('prints what is lost of a page and what is kept beyond its stated text', async () => {
  const folder = freshFolder();
  pageIn(folder, `<body><p>${KEPT}</p><p>Seven words that nobody expected to see</p></body>`);
  const file = join(freshFolder(), 'beyond.json');
  const { code, out } = await runLab(['expected-pages', folder, '--write', file]);
  assert.equal(code, 0);
  assert.match(out, new RegExp(`quarry: 1 of 2 paragraphs lost\n {2}${LOST}\n`));
  assert.match(out, /1 pages: 1 of 2 paragraphs kept, 0 pages lost whole/);
  const beyond = Number(/(\d+) words beyond/.exec(out)?.[1]);
  assert.ok(beyond >= 7);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { quarry: beyond });
});

test('compares the words beyond with those of a file', async () => {
  const folder = freshFolder();
  pageIn(folder, `<body><p>${KEPT}</p><p>${LOST}</p><p>Ten more</p></body>`);
  const file = join(freshFolder(), 'beyond.json');
  writeFileSync(file, '{ "quarry": 1 }');
  const { out } = await runLab(['expected-pages', folder, '--against', file]);
  assert.match(out, /quarry: 2 more, 3 in all\n3 against 1 before: 200\.0 %/);
});

test('refuses a folder without such pages', async () => {
  const { code, err } = await runLab(['expected-pages', freshFolder()]);
  assert.equal(code, 2);
  assert.match(err, /holds no expected pages/);
});
