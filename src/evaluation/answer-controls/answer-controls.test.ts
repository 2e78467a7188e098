import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Row } from '../evaluation-result.ts';
import type { Example, Records } from '../example.ts';
import type { OwnRun, Treatment } from './answer-control.ts';
import { plannedControls } from './controlled-rows.ts';
import { type Edition, editedText, toEdited, toStored } from './edited-reader.ts';
import { applied, editsOf, flippedEvidence, otherNumber } from './flipped-evidence.ts';
import { negated } from './negated.ts';
import { partnersOf, swappedEvidence } from './swapped-evidence.ts';

const texts: Readonly<Record<string, string>> = {
  a: 'Ida Holm opened the bridge in 1921. It is long. Holm left.',
  b: 'Carl Ross built the mill. Profits rose by 12 percent.',
  c: 'The ferry stopped.',
};
const records: Records = { text: id => texts[id] ?? '', title: id => `About ${id}` };

function run(
  id: string,
  question: string,
  shown: readonly string[],
  more: Partial<Example> = {},
): OwnRun {
  let text = '';
  const parts = shown.map(documentId => {
    const start = text.length;
    text += `About ${documentId}\n${texts[documentId]}\n`;
    const end = text.length - 1;
    return {
      id: documentId,
      documentId,
      start,
      end,
      spans: [[0, texts[documentId]!.length]] as const,
    };
  });
  return {
    example: {
      id,
      question: { id, text: question },
      answers: ['Yes'],
      type: 'comparison',
      gold: [],
      ...more,
    },
    evidence: shown.map(documentId => ({
      documentId,
      title: `About ${documentId}`,
      metadata: { source: `The ${documentId.toUpperCase()} Times` },
    })),
    context: { text, parts },
    hops: [],
  };
}

const flip = (runs: readonly OwnRun[]): (Treatment | undefined)[] =>
  flippedEvidence.create({ seed: 1 }, 'flipped-evidence', undefined as never).treat(runs, records);

test('a partner has the sources that the question names, and none of its gold documents', () => {
  const runs = [
    run('q1', 'Does The A Times agree?', ['a'], { gold: [{ documentId: 'a', title: '' }] }),
    run('q2', 'Does The A Times deny it?', ['a', 'b'], { gold: [{ documentId: 'b', title: '' }] }),
    run('q3', 'Does The B Times say so?', ['b', 'c'], { type: 'temporal' }),
  ];
  // The evidence of q2 holds the gold document of q1; that of q1 has what q2 names.
  assert.deepEqual(partnersOf(runs, 1), [
    undefined,
    { kind: 'swapped', rule: 'sources', from: 0 },
    undefined,
  ]);
});

test('without sources a partner shares most names with the question', () => {
  const runs = [
    run('q1', 'Did Ida Holm know Carl Ross?', ['c']),
    run('q2', 'Is it so?', ['a']),
    run('q3', 'Is it so now?', ['a', 'b']),
  ];
  assert.deepEqual(partnersOf(runs, 3)[0], { kind: 'swapped', rule: 'entities', from: 2 });
  assert.equal(partnersOf(runs, 3)[1], undefined);
});

test('the choice of a partner depends on the seed and on the question alone', () => {
  const runs = Array.from({ length: 40 }, (_, index) =>
    run(`q${index}`, 'Does The B Times agree?', ['b']),
  );
  const first = partnersOf(runs, 1);
  assert.deepEqual(partnersOf(runs, 1), first);
  assert.notDeepEqual(partnersOf(runs, 2), first);
  assert.ok(
    new Set(first.map(treatment => treatment?.kind === 'swapped' && treatment.from)).size > 10,
  );
});

test('a gold fact of a yes is negated', () => {
  const [found] = flip([
    run('q1', 'Did profits rise?', ['b'], {
      gold: [{ documentId: 'b', title: '', fact: 'Profits rose by 12 percent.' }],
    }),
  ]);
  assert.ok(found?.kind === 'edited');
  assert.deepEqual([found.rule, found.answers], ['polarity', ['No']]);
  assert.equal(
    applied(texts['b']!, found.edits),
    'Carl Ross built the mill. Profits fell by 12 percent.',
  );
});

test('a name becomes another of its kind, in texts and by its last word', () => {
  const inference = (id: string, answer: string, shown: string): OwnRun =>
    run(id, 'Who is the person?', [shown], { type: 'inference', answers: [answer] });
  const [found, other] = flip([
    inference('q1', 'Ida Holm', 'a'),
    inference('q2', 'Carl Ross', 'b'),
  ]);
  assert.ok(found?.kind === 'edited' && other?.kind === 'edited');
  assert.deepEqual(
    [found.rule, found.answers, other.answers],
    ['name', ['Carl Ross'], ['Ida Holm']],
  );
  assert.equal(
    applied(texts['a']!, found.edits),
    'Carl Ross opened the bridge in 1921. It is long. Ross left.',
  );
});

test('a year and a number change, and only where they are the answer', () => {
  const [year, number, shown, no, null_] = flip([
    run('q1', 'When was it?', ['a'], { answers: ['1921'] }),
    run('q2', 'How much?', ['b'], { answers: ['12 percent'] }),
    run('q3', 'How much?', ['c'], { answers: ['12 percent'] }),
    run('q4', 'Did it?', ['b'], { answers: ['no'] }),
    run('q5', 'Did it?', ['b'], { type: 'null', answers: ['Insufficient information.'] }),
  ]);
  assert.ok(year?.kind === 'edited' && number?.kind === 'edited');
  assert.deepEqual([year.rule, number.rule], ['date', 'number']);
  assert.match(applied(texts['a']!, year.edits), /in 192[02-9]\./);
  assert.match(applied(texts['b']!, number.edits), /by 1[013-9] percent\./);
  assert.deepEqual([shown, no, null_], [undefined, undefined, undefined]);
});

test('another number has the same length and another value', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (value, draw) => {
        const number = String(value);
        const other = otherNumber(number, () => draw);
        assert.equal(other.length, number.length);
        assert.notEqual(other, number);
        assert.match(other, /^\d+$/);
      },
    ),
  );
});

for (const [sentence, opposite, rule] of [
  ['Shares rose on Monday.', 'Shares fell on Monday.', 'opposite'],
  ['The deal is done.', 'The deal is not done.', 'auxiliary'],
  ['The deal is not done.', 'The deal is done.', 'auxiliary'],
  ['They didn’t agree to it.', 'They did agree to it.', 'auxiliary'],
  ['Apple sued Epic.', 'It is not true that Apple sued Epic.', 'prefix'],
] as const)
  test(`the opposite of "${sentence}"`, () => {
    assert.deepEqual(negated(sentence), { text: opposite, rule });
  });

test('no text equals its opposite', () => {
  fc.assert(fc.property(fc.string(), text => assert.notEqual(negated(text).text, text)));
});

test('edits of any texts apply as whole words, one after the other', () => {
  const word = fc.constantFrom('Ida', 'Ida Holm', 'Holm', 'Idas', ' ', '.', '12', '$&');
  fc.assert(
    fc.property(fc.array(word), text => {
      const joined = text.join('');
      const edits = editsOf(joined, [
        ['Ida Holm', 'X'],
        ['Holm', '$1'],
      ]);
      const slow = joined
        .replace(/(?<![\p{L}\p{N}])Ida Holm(?![\p{L}\p{N}])/gu, () => 'X')
        .replace(/(?<![\p{L}\p{N}])Holm(?![\p{L}\p{N}])/gu, () => '$1');
      assert.equal(applied(joined, edits), slow);
    }),
  );
});

test('offsets of edited texts agree with a slow mapping, and return', () => {
  const pieces = fc.array(
    fc.record({
      kept: fc.string({ maxLength: 4 }),
      old: fc.string({ minLength: 1, maxLength: 3 }),
      text: fc.string({ maxLength: 4 }),
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(pieces, fc.string({ maxLength: 4 }), (drawn, tail) => {
      let stored = '';
      const edits = drawn.map(({ kept, old, text }) => {
        stored += kept;
        const start = stored.length;
        stored += old;
        return { documentId: 'd', start, end: stored.length, text };
      });
      stored += tail;
      const edition: Edition = { edits };
      const edited = editedText(stored, edition);
      assert.equal(edited, drawn.map(({ kept, text }) => kept + text).join('') + tail);
      for (let at = 0; at < stored.length; at++) {
        if (edits.some(({ start, end }) => start <= at && at < end)) continue;
        const there = toEdited(at, edition, false);
        assert.equal(edited[there], stored[at]);
        assert.ok(toStored(there, edition, true) <= at);
      }
      for (let at = 0; at <= edited.length; at++)
        for (const isEnd of [true, false]) {
          const back = toStored(at, edition, isEnd);
          assert.ok(back >= 0 && back <= stored.length, `${at} became ${back}`);
        }
    }),
  );
});

test('each row is repeated with and without abstention, beside its own evidence', () => {
  const row = (reader: string): Row => ({
    id: reader,
    strategy: 's',
    retriever: 'r',
    context: 'c',
    reader,
    budget: {},
  });
  const control = swappedEvidence.create({ seed: 1 }, 'swapped-evidence', undefined as never);
  const ids = (reader: string): string[] =>
    plannedControls({
      rows: [row(reader)],
      controls: [control],
    }).map(planned => `${planned.row.id}; ${planned.compared ?? '-'}`);
  const [careful, bold] = ['fact-reader(form=true)', 'fact-reader(support=0, form=true)'];
  assert.deepEqual(ids(careful), [
    `${careful} | own-evidence | ${bold}; -`,
    `${careful} | swapped-evidence; -`,
    `${careful} | swapped-evidence | ${bold}; ${careful} | own-evidence | ${bold}`,
  ]);
  assert.deepEqual(ids(bold), [`${bold} | swapped-evidence; ${bold}`]);
  assert.deepEqual(ids('section-reader'), ['section-reader | swapped-evidence; section-reader']);
  assert.deepEqual(ids('evidence-only'), []);
});
