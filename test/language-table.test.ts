import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LanguageTable, tableModule } from '../tools/language-table.ts';

const PACKAGE = new URL(
  'ngrams/extrasmall.js',
  new URL('../', import.meta.resolve('eld/extrasmall')),
);

const importedTable = async (address: string): Promise<LanguageTable> =>
  ((await import(address)) as { ngramsData: LanguageTable }).ngramsData;

const built = (table: LanguageTable): Promise<LanguageTable> =>
  importedTable(`data:text/javascript,${encodeURIComponent(tableModule(table))}`);

test('the built table of languages gives each group of letters what that of the package gives', async () => {
  const { ngrams, ...rest } = await importedTable(PACKAGE.href);
  const { ngrams: ours, ...others } = await built({ ...rest, ngrams });
  assert.deepEqual(others, rest);
  for (const group of Object.keys(ngrams)) assert.deepEqual(ours[group], ngrams[group], group);
  for (const absent of ['', 'a', 'zzzz', ' zzzzz', '\u00ff\u00ff', 'th\n', '\t', 'constructor'])
    assert.deepEqual(ours[absent], {}, absent);
});

test('a table with a group that no line holds is refused', () => {
  assert.throws(() => tableModule({ ngrams: { 'a\tb': { 1: 2 } } }), /no line holds/);
});
