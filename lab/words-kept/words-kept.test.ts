/** Tests the comparison of words with those that another reader finds. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { freshFolder } from '../../test/running-command.ts';
import { runLab } from '../test/running-lab.ts';
import { textsOfHtml } from './html-text.ts';
import { lostWords } from './lost-words.ts';
import { wordsOf } from './words.ts';

test('words are runs of letters and digits without case, accents and soft hyphens', () => {
  assert.deepEqual(wordsOf('Café-Bar, ﬁrst: 3.14 co\u00adoperate A備份'), [
    'cafe',
    'bar',
    'first',
    '3',
    '14',
    'cooperate',
    'a',
    '備',
    '份',
  ]);
});

describe('words lost', () => {
  const CASES: readonly (readonly [name: string, other: string, ours: string, lost: number])[] = [
    ['none', 'the mill of Senn', 'the mill of Senn', 0],
    ['none in another order', 'Senn: the mill', 'The mill, Senn', 0],
    ['a run', 'the mill of Senn burnt down in 1911', 'the mill of Senn', 4],
    ['a repetition', 'mill and mill', 'and mill', 1],
    ['none where words are joined', 'a work flow of Senn', 'a workflow of Senn', 0],
    ['none where a word is split', 'the workflow of Senn', 'the work flow of Senn', 0],
  ];
  for (const [name, other, ours, lost] of CASES)
    test(name, () => assert.equal(lostWords(other, ours).lost, lost));

  test('are shown where they stood, the longest run first', () => {
    const other = 'one two three four five six seven eight nine ten';
    assert.deepEqual(lostWords(other, 'one three four five six seven ten').runs, [
      'three four five six seven [eight nine] ten',
      'one [two] three four five six seven',
    ]);
  });
});

test('an independent reading of HTML holds every text but scripts and styles', () => {
  const html = '<nav>Menu</nav><style>p{}</style><p>A <b>bold</b>er word<p>next<script>1</script>';
  assert.deepEqual(textsOfHtml(html), ['Menu', 'A bolder word', 'next']);
});

test('lists files by what they lose and prints a table of formats', async () => {
  const folder = freshFolder();
  const cache = freshFolder();
  writeFileSync(join(folder, 'kept.html'), '<p>The quarry closed after the flood.</p>');
  writeFileSync(join(folder, 'less.html'), '<nav>Start</nav><p>The quarry opened again.</p>');
  const { code, out } = await runLab(['words-kept', folder, '--cache', cache]);
  assert.equal(code, 0);
  assert.match(out, /less\.html: 20\.0 % lost, 1 of 5 words; .*\n {2}\[start\] the quarry opened/);
  assert.doesNotMatch(out, /kept\.html:/);
  assert.match(out, /\| html \| 2 \| 90\.9 % \| 100\.0 % \| 80\.0 % \| 1 \|/);
});

test('says why a file is not compared or was skipped', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'a.json'), '{"text": 1}');
  const { out } = await runLab(['words-kept', folder, '--cache', freshFolder()]);
  assert.match(out, /a\.json: 0\.0 % lost, .*\n {2}skipped: .*\n {2}not compared: no other reader/);
});
