/** Tests the measure of languages on small pages: parts, recognition, the plain BM25, the table. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { alignedPages } from '../languages/aligned-pages.ts';
import { articlesOf } from '../languages/fetch-sets.ts';
import { measureLanguage, type Outcome } from '../languages/measure.ts';
import { holds, partsOf } from '../languages/parts.ts';
import { plainBm25, plainTerms } from '../languages/plain-bm25.ts';
import { type AlignedQuestion, questionsOf } from '../languages/questions.ts';
import { languagesOf, SET_NAMES } from '../languages/sets.ts';
import { languagesTable } from '../languages/table.ts';
import { runLab } from './running-lab.ts';

function inFolder<T>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-languages-test-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return Promise.resolve(use(folder)).finally(() => rmSync(folder, { recursive: true }));
}

const page = (...paragraphs: readonly string[]): string =>
  `<html><body><main>${paragraphs.map((text, at) => `<p id="p${at}">${text}</p>`).join('\n')}</main></body></html>`;

test('finds paragraphs by id and splits off images and variants', () => {
  const html =
    '<p id="a" dir="auto">Press <b>Enter</b> twice.</p><p id="b"> </p><h2 id="c">Keys &amp; menus</h2>' +
    '<p id="d">Press <span hidden="true">Command</span><span hidden="true">Ctrl</span>+K.</p>';
  const parts = partsOf(html);
  assert.deepEqual([...parts.keys()], ['a', 'c', 'd']);
  assert.equal(parts.get('a'), 'Press Enter twice.');
  assert.equal(parts.get('c'), 'Keys & menus');
  assert.ok(holds('Press +K.', parts.get('d')!));
  assert.equal(parts.get('d'), 'Press . . +K.');
  assert.equal(partsOf('<p id="e">Click <img alt="Run icon"> now</p>').get('e'), 'Click . now');
});

test('recognises a paragraph by half of its letters, whatever the layout', () => {
  const part = '値を入力してください。次に押します。';
  assert.ok(holds('…値を\n入力 してください…', part));
  assert.ok(!holds('値を入力', part));
  assert.ok(holds('The LONG sentence of it comes', 'The long sentence of it comes. End.'));
  assert.ok(!holds('End', 'The long sentence of it comes. End.'));
});

test('plain terms are words, and pairs where a script writes no spaces', () => {
  assert.deepEqual(plainTerms('Größe: 備份檔 x'), ['größe', '備份', '份檔', 'x']);
  const rank = plainBm25(['tea and coffee', 'tea', 'milk']);
  assert.deepEqual(rank('coffee or tea'), [0, 1]);
  assert.deepEqual(rank('wine'), []);
});

test('keeps pages that every language translates', async () => {
  const long = 'All of the words here are made for a long test of pages and of parts. '.repeat(6);
  const other = 'Alle Wörter hier sind für eine lange Probe von Seiten gemacht. '.repeat(6);
  const files = {
    'en/done.html': page(long),
    'de/done.html': page(other),
    'en/undone.html': page(long),
    'de/undone.html': page(long),
    'en/short.html': page('Few words.'),
    'de/short.html': page('Wenige Wörter.'),
  };
  await inFolder(files, folder =>
    assert.deepEqual(alignedPages([join(folder, 'en'), join(folder, 'de')]), ['done.html']),
  );
});

test('makes a page with numbered paragraphs of each article', () => {
  const html =
    '<html lang="th"><head><title>Thai</title></head><body><h1>All</h1>' +
    '<article><h2>One</h2><p>a</p><p>b</p></article><article><h2>Two</h2><p>c</p></article>';
  const [one, two] = articlesOf(html);
  assert.match(one!, /<html lang="th">.*<h1>One<\/h1><p id="p1">a<\/p><p id="p2">b<\/p>/s);
  assert.match(two!, /<p id="p1">c<\/p>/);
  assert.ok(!one!.includes('Thai</title>'));
});

test('every question is asked in every language of its set', () => {
  const counts: Record<string, number> = {};
  for (const set of SET_NAMES) {
    const questions = questionsOf(set);
    counts[set] = questions.length;
    assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length);
    for (const { id, asked, evidence } of questions) {
      assert.deepEqual(Object.keys(asked), [...languagesOf(set)], id);
      assert.equal(new Set(Object.values(asked)).size, languagesOf(set).length, id);
      assert.ok(evidence.length > 0, id);
    }
  }
  assert.deepEqual(counts, { manual: 100, reworded: 96, rights: 30 });
});

test('measures what is found and shown, beside what answers another question', async () => {
  const files = {
    'tea.html': page('Tea is poured at five o clock in the garden.'),
    'oak.html': page('An oak grows for a hundred years on the hill.'),
  };
  const questions: AlignedQuestion[] = [
    {
      id: 'tea',
      evidence: [{ page: 'tea.html', part: 'p0' }],
      asked: { en: 'When is tea poured?' },
    },
    {
      id: 'oak',
      evidence: [{ page: 'oak.html', part: 'p0' }],
      asked: { en: 'Where grows an oak?' },
    },
  ];
  await inFolder(files, async folder => {
    const measured = await measureLanguage('en', folder, questions);
    assert.deepEqual(measured.lost, []);
    assert.equal(measured.pages, 2);
    for (const { label, outcomes } of measured.systems)
      for (const { recall, suffices, tokens } of outcomes) {
        assert.deepEqual({ recall, suffices }, { recall: 1, suffices: true }, label);
        assert.ok(tokens > 0 && tokens <= 510);
      }
    assert.match(
      languagesTable([measured]),
      /^\| default \| en \| 100\.0 \[100\.0, 100\.0\] \| –/m,
    );
  });
});

test('measures the pages of a language among those of others', async () => {
  const files = {
    'en/tea.html': page('Tea is poured at five o clock in the garden.'),
    'de/tea.html': page('Der Tee wird um fünf Uhr im Garten ausgeschenkt.'),
  };
  const asked = { en: 'When is tea poured?', de: 'Wann wird Tee ausgeschenkt?' };
  const question = { id: 'tea', evidence: [{ page: 'tea.html', part: 'p0' }], asked };
  await inFolder(files, async folder => {
    const [en, de] = [join(folder, 'en'), join(folder, 'de')];
    const measured = await measureLanguage('de', de, [question], ['search, passages'], [en]);
    assert.deepEqual([measured.pages, measured.lost], [2, []]);
    const [{ recall, ranking }] = measured.systems[0]!.outcomes as [Outcome];
    assert.deepEqual([recall, ranking[0]], [1, 'de/tea.html']);
  });
});

test('the command refuses what it does not know', async () => {
  const { code, err } = await runLab(['languages', 'measure', '--data', '.', '--set', 'manuals']);
  assert.equal(code, 2);
  assert.match(err, /Unknown set "manuals"/);
});
