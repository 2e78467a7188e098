/** Tests TREC runs and qrels: reading, writing, round trips, malformed lines, arbitrary bytes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../src/core/errors.ts';
import { printQrels, readQrels } from '../src/documents/data-sets/qrels.ts';
import {
  checkTrecIds,
  NO_HITS,
  printTrecRun,
  readTrecRun,
  type TrecRun,
} from '../src/documents/data-sets/trec-run.ts';
import type { Example } from '../src/evaluation/example.ts';

const run = (text: string): Promise<TrecRun> => readTrecRun({ name: 'x.run', text });
const qrels = async (text: string): Promise<Record<string, Record<string, number>>> => {
  const read = await readQrels({ name: 'x.qrels', text });
  return Object.fromEntries([...read].map(([id, grades]) => [id, Object.fromEntries(grades)]));
};
const rejects = (made: Promise<unknown>, code: string, message: RegExp): Promise<void> =>
  assert.rejects(made, error => {
    assert.ok(InputError.is(error), String(error));
    assert.equal(error.code, code);
    assert.match(`${error.message} ${error.received ?? ''}`, message);
    return true;
  });

describe('runs', () => {
  test('a written run: scores fall with rank, and a question without hits has a line', () => {
    const text = printTrecRun(
      [
        ['q1', ['a', 'b c']],
        ['q 2', []],
      ],
      '01-rows',
    );
    assert.equal(
      text,
      `q1 Q0 a 1 2 01-rows\nq1 Q0 b%20c 2 1 01-rows\nq%202 Q0 ${NO_HITS} 1 0 01-rows\n`,
    );
  });

  test('a run is ordered by score, ties by document id descending; ranks are ignored', async () => {
    const { tag, rankings } = await run(
      'q\tQ0\ta\t1\t0.5\tt\r\n\nq Q0 é 9 0.5 t\nq Q0 b 2 0.50000000001 t\nq Q0 c 3 1e1 t\np Q0 x 1 -2 u\n',
    );
    assert.equal(tag, 't');
    assert.deepEqual(rankings.get('q'), ['c', 'é', 'b', 'a']);
    assert.deepEqual(rankings.get('p'), ['x']);
  });

  test('malformed lines are reported by number', async () => {
    const good = 'q Q0 a 1 2 t\n';
    for (const line of [
      'q Q0 b 1 2 t more',
      'q Q0 b 1 high t',
      'q Q0 b first 2 t',
      'q Q0 b 1 NaN t',
    ])
      await rejects(run(`${good}${line}\n`), 'bad-line', /line 2/);
    await rejects(run(`${good}\nq Q0 b 1 2\n`), 'bad-line', /line 3 of "x.run".*q Q0 b 1 2/);
    await rejects(run(`${good}q Q0 a 2 1 t\n`), 'duplicate-document', /line 2.*"a"/);
    await rejects(run(`${good}q Q0 \0 2 1 t\n`), 'bad-line', /line 2.*NUL/);
    await rejects(run('\n \n'), 'no-run', /no line/);
    await rejects(readTrecRun('/no/such/file.run'), 'missing-file', /no file/);
  });

  test('ids that a run cannot hold are errors', () => {
    const print = (...documents: string[]): string => printTrecRun([['q', documents]], 't');
    assert.throws(() => print('a b', 'a%20b'), /Two document ids print as "a%20b"/);
    assert.throws(() => print(''), /without an id/);
    assert.throws(() => print(NO_HITS), /has the id "multihop:no-hits"/);
    assert.equal(print('a%20b', 'c\u00a0d\n'), 'q Q0 a%20b 1 2 t\nq Q0 c%C2%A0d%0A 2 1 t\n');
    const document = (id: string) => ({ id, title: '', text: 'T', metadata: {} });
    assert.throws(() => checkTrecIds({ documents: ['x\ty', 'x%09y'].map(document), examples: [] }));
  });

  const id = fc.string({ minLength: 1, unit: 'grapheme' }).map(text => `i${text.toWellFormed()}`);

  test('a written run reads back in the same order', () =>
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(id), fc.uniqueArray(id), async (questions, documents) => {
        fc.pre(questions.length > 0 && ![...questions, ...documents].some(text => /%/.test(text)));
        const rankings = questions.map((question, at) => [question, documents.slice(at)] as const);
        const read = (await run(printTrecRun(rankings, 't'))).rankings;
        const printed = (text: string): string =>
          text.replace(/[\s\p{Cc}]/gu, character => encodeURIComponent(character));
        assert.deepEqual(
          [...read],
          rankings.map(([question, list]) => [printed(question), list.map(printed)]),
        );
      }),
    ));

  test('the order equals that of an oracle that repeatedly takes the best document', () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('a', 'b', 'B', 'é', '\uffe6', '\u{1f600}', 'ab'), score),
        async scores => {
          fc.pre(Object.keys(scores).length > 0);
          const lines = Object.entries(scores).map(([id, value]) => `q Q0 ${id} 1 ${value} t`);
          const { rankings } = await run(lines.join('\n'));
          assert.deepEqual(rankings.get('q'), oracle(scores));
        },
      ),
    ));
});

const score = fc.oneof(
  fc.constantFrom(0, -0, 0.3, 0.30000000001, 1, 1e39, 2e39, -1e39, 16777216, 16777217),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Takes the document with the largest float score, and the last by UTF-8 bytes, until all are. */
function oracle(scores: Readonly<Record<string, number>>): string[] {
  const left = new Map(Object.entries(scores).map(([id, value]) => [id, Math.fround(value)]));
  const order: string[] = [];
  while (left.size > 0) {
    const best = Math.max(...left.values());
    const tied = [...left.keys()].filter(id => left.get(id) === best);
    const bytes = (id: string): string => Buffer.from(id).toString('hex');
    const last = tied.reduce((a, b) => (bytes(a) > bytes(b) ? a : b));
    order.push(last);
    left.delete(last);
  }
  return order;
}

describe('qrels', () => {
  test('reads TREC and TSV, with and without a heading, with spaces in the ids of a TSV', async () => {
    assert.deepEqual(await qrels('q1 0 d1 1\nq1 0 d2 -1\nq2\tQ0\td1\t+2\n'), {
      q1: { d1: 1, d2: -1 },
      q2: { d1: 2 },
    });
    assert.deepEqual(await qrels('query-id\tcorpus-id\tscore\nq 1\td 1\t2.0\nq 1\td2\t0\n'), {
      'q 1': { 'd 1': 2, d2: 0 },
    });
    assert.deepEqual(await qrels('q\td\t1\nq\td\t1'), { q: { d: 1 } });
  });

  test('malformed lines are reported by number', async () => {
    await rejects(qrels('q 0 d 1\nq 0 d\n'), 'bad-line', /line 2 of "x.qrels"/);
    await rejects(qrels('q 0 d 1\nq 0 e high\n'), 'bad-line', /line 2/);
    await rejects(qrels('q 0 d 1\nq 0 e 0.5\n'), 'bad-line', /line 2/);
    await rejects(qrels('q\td\thigh\n'), 'bad-line', /line 1/);
    await rejects(qrels('query-id\tcorpus-id\tscore\nq\t\t1\n'), 'bad-line', /line 2/);
    await rejects(qrels('q 0 d 1\nq 0 d 2\n'), 'conflicting-judgement', /1 before and 2 here/);
    await rejects(qrels('query-id\tcorpus-id\tscore\n'), 'no-qrels', /no judgement/);
  });

  test('writes distinct gold documents with their grades, and no line for a question without any', async () => {
    const example = (id: string, gold: Example['gold']): Example => ({
      id,
      question: { id, text: id },
      answers: [],
      gold,
    });
    const text = printQrels([
      example('q 1', [
        { documentId: 'a', title: '' },
        { documentId: 'b c', title: '', grade: 2 },
        { documentId: 'a', title: '' },
      ]),
      example('q2', []),
    ]);
    assert.equal(text, 'q%201 0 a 1\nq%201 0 b%20c 2\n');
    assert.deepEqual(await qrels(text), { 'q%201': { a: 1, 'b%20c': 2 } });
  });
});

describe('arbitrary content', () => {
  const words = fc.constantFrom('q', 'Q0', 'd', '1', '-2', '0.5', 'é', '\t', ' ', '\n', '\r\n', '');
  const text = fc.oneof(
    fc.string(),
    fc.array(words).map(list => list.join(' ')),
  );
  for (const [name, read] of [
    ['runs', run],
    ['qrels', qrels],
  ] as const)
    test(`${name}: gives a result or an InputError, nothing else`, () =>
      fc.assert(
        fc.asyncProperty(text, async content => {
          try {
            await read(content);
          } catch (error) {
            assert.ok(InputError.is(error), String(error));
          }
        }),
      ));
});
