/**
 * The rerankers of a run: found by name or refused, counted before they are asked, held to their
 * word.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askEvents } from '../ask.ts';
import { InputError, PortError } from '../errors.ts';
import type { Reranker } from '../models/reranker.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../testing/fixture-corpus.ts';
import { overlapReranker } from '../testing/overlap-reranker.ts';
import { engineOf } from '../testing/strategy-run.ts';
import { BudgetReached } from '../trace/call.ts';
import { Ledger } from '../trace/ledger.ts';
import type { Budget } from '../trace/usage.ts';
import { meteredReranker, rerankerOf } from './rerankers.ts';

const ledger = (budget: Budget = {}, signal = new AbortController().signal): Ledger =>
  new Ledger({ budget, signal, clock: () => 0 });
const giving = (score: Reranker['score']): Reranker => ({ id: 'toy', score });
const scores = (
  reranker: Reranker,
  book: Ledger,
  texts: readonly string[] = ['a', 'b', 'c'],
): Promise<Float32Array> => meteredReranker(reranker, book).score('q', texts, book);

describe('the one that a strategy names', () => {
  test('is found by its id; a strategy that names none gets none', () => {
    const [one, two] = [overlapReranker('one'), overlapReranker('two')];
    assert.equal(rerankerOf({ reranker: 'two' }, [one, two]), two);
    assert.equal(rerankerOf({}, [one, two]), undefined);
  });

  test('or the run is refused, with the nearest, before its first event', async () => {
    assert.throws(() => rerankerOf({ reranker: 'too' }, [overlapReranker('two')]), {
      ...{ name: 'InputError', code: 'unknown-reranker' },
      message: /This run has no reranker "too".*one of two.*Did you mean two\?/s,
    });
    const engine = engineOf(FIXTURE_DOCUMENTS);
    const source = askEvents(
      FIXTURE_QUESTIONS[0]!.text,
      { engine, strategy: 'fact-lanes(reranker=toy)' },
      () => 0,
    );
    await assert.rejects(
      source.next(),
      (error: unknown) => InputError.is(error) && /Give the run that reranker/.test(error.message),
    );
  });
});

describe('scores', () => {
  test('come as they are, for pairs that are counted before they are asked', async () => {
    const book = ledger({ rerankedPairs: 5 });
    const asked: number[] = [];
    const left = giving(async (_, texts, call) => {
      asked.push(call.left().rerankedPairs!);
      return Float32Array.from(texts, (__, at) => 2 - at);
    });
    assert.deepEqual(await scores(left, book), Float32Array.of(2, 1, 0));
    assert.deepEqual([asked, book.spent], [[2], { rerankedPairs: 3 }]);
    await assert.rejects(
      scores(left, book),
      (error: unknown) => error instanceof BudgetReached && error.limit === 'rerankedPairs',
    );
    assert.deepEqual([asked, book.spent], [[2], { rerankedPairs: 3 }]);
  });

  test('of no texts are none, and nobody is asked; an empty query and empty texts are asked like others', async () => {
    const book = ledger();
    const untouched = giving(() => assert.fail('asked'));
    assert.deepEqual([await scores(untouched, book, []), book.spent], [new Float32Array(0), {}]);
    assert.deepEqual(
      await meteredReranker(overlapReranker(), book).score('', ['', 'a'], book),
      Float32Array.of(0, 0),
    );
  });

  test('that are no numbers, or of another count, or no scores at all, are a typed error; the call is charged', async () => {
    const cases: [code: string, reranker: Reranker][] = [
      ['not-finite', giving(async () => Float32Array.of(1, Number.NaN, 1))],
      ['not-finite', giving(async () => Float32Array.of(1, Number.POSITIVE_INFINITY, 1))],
      ['wrong-count', giving(async () => Float32Array.of(1, 1))],
      ['failed', giving(async () => undefined as never)],
      ['failed', giving(() => Promise.reject(new RangeError('deep')))],
      [
        'failed',
        giving(() => {
          throw new RangeError('deep');
        }),
      ],
    ];
    for (const [code, reranker] of cases) {
      const book = ledger();
      await assert.rejects(
        scores(reranker, book),
        (error: unknown) => PortError.is(error) && error.port === 'reranker' && error.code === code,
        code,
      );
      assert.deepEqual(book.spent, { rerankedPairs: 3 });
    }
  });

  test('do not outlast an abort, and are not begun after one', async () => {
    const controller = new AbortController();
    const book = ledger({}, controller.signal);
    const hanging = scores(
      giving(() => new Promise(() => {})),
      book,
    );
    controller.abort('enough');
    await assert.rejects(hanging, error => error === 'enough');
    for (const texts of [['a'], []])
      await assert.rejects(
        scores(
          giving(() => assert.fail('asked')),
          book,
          texts,
        ),
        error => error === 'enough',
      );
  });
});

test('a run counts what its strategy and its retriever scored, hop by hop', async () => {
  const strategy: Strategy = {
    ...{ name: 'two-rounds', needs: ['retriever', 'reranker'], reranker: 'overlap' },
    async *hops({ text }, { retriever, reranker }, call) {
      for (const texts of [['a'], ['b', 'c']]) {
        const [hits] = await retriever.retrieve([{ text }], 5, call);
        await reranker!.score(text, texts, call);
        yield {
          searches: [{ text, retriever: retriever.name, unit: retriever.unit, hits: hits! }],
          kept: [],
          rejected: [],
        };
      }
      return { why: 'sufficient' };
    },
    ranking: () => [],
  };
  const engine = engineOf(FIXTURE_DOCUMENTS);
  const given = {
    engine,
    strategy,
    retriever: 'reranked(lexical, other, depth=2)',
    rerankers: [overlapReranker(), overlapReranker('other')],
  };
  const events = askEvents(FIXTURE_QUESTIONS[0]!.text, given, () => 0);
  let step = await events.next();
  while (!step.done) step = await events.next();
  const trace = step.value;
  assert.deepEqual(
    trace.hops.map(({ spent }) => spent.rerankedPairs),
    [3, 4],
  );
  assert.equal(trace.spent.rerankedPairs, 7);
});
