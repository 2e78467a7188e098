/**
 * Tests `learn open-reader`: weights and figures from small train files of two data sets,
 * evidence kept in a file between runs, and refusals.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { readOpenCheckpoint } from '../../src/models/open-reader/open-checkpoint.ts';
import { freshFolder, type Result } from '../../test/running-command.ts';
import { runLab } from './running-lab.ts';

const PEOPLE = 'Ferrow Osk Lindqvist Maren Tolliver Brandt Castor Delling'.split(' ');
const TOWNS = 'Dunmar Pellow Sorrel Tamsin Ulver Vesper Wexmoor Yarrow'.split(' ');

const wiki = (name: string, at: number): object => ({
  _id: `w${at}`,
  type: 'bridge',
  question: `Where was Ines ${name} born?`,
  answer: TOWNS[at],
  supporting_facts: [[`Ines ${name}`, 0]],
  evidences: [],
  context: [
    [`Ines ${name}`, [`Ines ${name} was born in ${TOWNS[at]}.`, `She builds lamps in Harbour.`]],
    [`Hall ${at}`, ['The hall has a roof.']],
  ],
});
const musique = (name: string, at: number): object => ({
  id: `2hop__${at}_${at}`,
  question: `In which town was Tove ${name} born?`,
  answer: TOWNS[at],
  paragraphs: [
    {
      idx: 0,
      title: `Tove ${name}`,
      paragraph_text: `Tove ${name} was born in ${TOWNS[at]}. She sells nets in Harbour.`,
      is_supporting: true,
    },
  ],
  question_decomposition: [{ question: 'Where?', answer: TOWNS[at], paragraph_support_idx: 0 }],
});

let folder = '';
const at = (name: string): string => join(folder, name);
const learn = (...words: readonly string[]): Promise<Result> =>
  runLab(['learn', 'open-reader', ...words]);

before(() => {
  folder = freshFolder();
  const lines = (values: readonly object[]): string =>
    values.map(value => `${JSON.stringify(value)}\n`).join('');
  writeFileSync(at('wiki.jsonl'), lines(PEOPLE.map(wiki)));
  writeFileSync(at('musique.jsonl'), lines(PEOPLE.map(musique)));
});

interface Printed {
  readonly heldOut: readonly {
    readonly set: string;
    readonly headlines: boolean;
    readonly questions: number;
  }[];
  readonly elsewhere: readonly { readonly set: string; readonly F1: number }[];
}

test('weights are fitted, scored on data sets that were left out, and equal from kept evidence', async () => {
  const train = ['--train', at('wiki.jsonl'), '--train', at('musique.jsonl')];
  const kept = ['--samples', at('samples.jsonl')];
  const { code, out, err } = await learn(...train, ...kept, '--out', at('a.json'), '--json');
  assert.equal(code, 0, err);
  const { heldOut, elsewhere } = JSON.parse(out) as Printed;
  assert.deepEqual(
    heldOut.map(({ set, headlines, questions }) => [set, headlines, questions]),
    [
      ['2wiki', false, 8],
      ['2wiki', true, 8],
      ['musique', false, 8],
      ['musique', true, 8],
    ],
  );
  for (const { F1 } of elsewhere) assert.ok(F1 >= 0 && F1 <= 1);
  const again = await learn(...train, ...kept, '--out', at('b.json'));
  assert.match(again.out, /fitted on the other data sets alone/);
  assert.equal(readFileSync(at('a.json'), 'utf8'), readFileSync(at('b.json'), 'utf8'));
  const { provenance } = readOpenCheckpoint(JSON.parse(readFileSync(at('a.json'), 'utf8')));
  assert.equal(provenance['questions'], 16);
});
