/** Checks the resources of a run: found or refused, reserved before a call, validated after it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InputError, PortError } from '../core/errors.ts';
import { type Need, type Resource, type ResourcePort, required } from '../core/port.ts';
import { BudgetReached, type Call } from '../core/trace/call.ts';
import { Ledger } from '../core/trace/ledger.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Budget } from '../core/trace/usage.ts';
import type { EntityRecogniser } from '../models/entity-recogniser.ts';
import { entityRecogniser, languageModel, reranker } from '../models/ports.ts';
import type { Reranker } from '../models/reranker.ts';
import type { Resources } from '../models/resources.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../testing/fixture-corpus.ts';
import { overlapReranker } from '../testing/overlap-reranker.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { engineOf } from '../testing/strategy-run.ts';
import { askEvents } from './ask.ts';
import { HopProgress } from './metered-kit.ts';
import { meteringOf } from './metering.ts';
import { findResources, meteredLookup } from './run-resources.ts';

const ledger = (budget: Budget = {}, signal = new AbortController().signal): Ledger =>
  new Ledger({ budget, signal, clock: () => 0 });
const giving = (score: Reranker['score']): Reranker => ({ id: 'toy', score });
const metered = (inner: Reranker, call: Call): Reranker =>
  reranker.meter(inner, meteringOf(reranker.name, { call, progress: new HopProgress() }));
const scores = (
  inner: Reranker,
  book: Ledger,
  texts: readonly string[] = ['a', 'b', 'c'],
): Promise<Float32Array> => metered(inner, book).score('q', texts, book);

const found = (needs: readonly Need[], resources: Resources) =>
  findResources([{ kind: 'strategy', name: 's', needs }], resources);

describe('a need', () => {
  test('that ships is opened unless the run brings one of its id', async () => {
    const needs = [required(entityRecogniser, 'names')];
    const [shipped] = await found(needs, {});
    assert.equal(shipped!.resource.id, 'names');
    const ours = { id: 'names' } as EntityRecogniser;
    const [entry] = await found(needs, { 'entity-recogniser': ours });
    assert.equal(entry!.resource, ours);
  });

  test('gets the wrapper of its port from an object that serves several ports', async () => {
    const both = { ...scriptedModel(['x']), ...overlapReranker('both') };
    const needs = [required(languageModel, 'both'), required(reranker, 'both')];
    const met = await found(needs, { model: both, reranker: both });
    const book = ledger();
    const lookup = meteredLookup({ kind: 'strategy', name: 's', needs }, met, port =>
      meteringOf(port, { call: book, progress: new HopProgress() }),
    );
    assert.equal(typeof lookup(required(languageModel, 'both')).generate, 'function');
    await lookup(required(reranker, 'both')).score('q', ['a', 'b'], book);
    assert.equal(book.spent.rerankedPairs, 2);
  });

  const mistakes: [what: string, needs: Need[], brought: Resources, code: string, says: RegExp][] =
    [
      [
        'of an unknown id',
        [required(reranker, 'too')],
        { reranker: overlapReranker('two') },
        'missing-resource',
        /strategy "s" needs the reranker "too".*one of two.*received two.*Did you mean two\?/s,
      ],
      [
        'of a port without resources',
        [required(languageModel)],
        {},
        'missing-resource',
        /needs the language model.*received no language model.*resources: \{ model \}/s,
      ],
      [
        'without an id, of several',
        [required(languageModel)],
        { model: [scriptedModel([]), { ...scriptedModel([]), id: 'other' }] },
        'several-resources',
        /needs one language model, and several were given.*scripted, other/s,
      ],
      [
        'beside a port that nobody knows',
        [],
        { rerankers: overlapReranker() },
        'unknown-port',
        /Unknown port "rerankers".*Did you mean reranker\?/s,
      ],
      [
        'beside two resources of one id',
        [],
        { reranker: [overlapReranker(), overlapReranker()] },
        'duplicate-resource',
        /"reranker" have one id.*received overlap/s,
      ],
    ];
  for (const [what, needs, resource, code, says] of mistakes)
    test(`${what} is refused`, async () => {
      await assert.rejects(
        found(needs, resource),
        (error: unknown) => InputError.is(error) && error.code === code && says.test(error.message),
      );
    });

  test('that a member does not declare is an error of the member', () => {
    const lookup = meteredLookup({ kind: 'strategy', name: 's' }, [], () => assert.fail());
    assert.throws(() => lookup(required(reranker, 'one')), { code: 'undeclared-need' });
  });
});

describe('scores of a reranker', () => {
  test('are unchanged, and pairs are counted before the call', async () => {
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

  test('cost nothing if a budget around the resource refuses the call', async () => {
    const book = ledger();
    const refusing = giving(() => Promise.reject(new BudgetReached('usd')));
    await assert.rejects(
      scores(refusing, book),
      (error: unknown) => error instanceof BudgetReached && error.limit === 'usd',
    );
    assert.deepEqual(Object.values(book.spent).filter(Boolean), []);
  });

  test('end at an abort, and are not begun after one', async () => {
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

describe('a port defined by this test alone', () => {
  interface Recogniser extends Resource {
    recognise(text: string, call: Call): Promise<readonly string[]>;
  }
  // The one entry: nothing else names the port.
  const recogniser: ResourcePort<Recogniser> = {
    name: 'entity-recogniser',
    noun: 'entity recogniser',
    hint: id => `Give resources: { 'entity-recogniser': ... } with the id "${id}" to ask().`,
    meter: ({ id, recognise }, metering) => ({
      id,
      recognise: text =>
        metering.call(
          {
            role: 'recognise',
            atMost: { modelCalls: 1 },
            check(names) {
              if (names.every(name => text.includes(name))) return names;
              throw new PortError('entity-recogniser', 'unknown-name', 'A name is not in the text');
            },
          },
          call => recognise(text, call),
        ),
    }),
  };
  const need = required(recogniser, 'capitals');
  const capitals: Recogniser = {
    id: 'capitals',
    recognise: async text => text.match(/\b[A-Z]\w+/g) ?? [],
  };
  const strategy: Strategy = {
    name: 'names',
    needs: [need],
    async *hops({ text }, { retriever, resource }, call) {
      const names = await resource(need).recognise(text, call);
      const [hits] = await retriever.retrieve([{ text: names.join(' ') }], 5, call);
      const { name, unit } = retriever;
      yield {
        searches: [{ text: names.join(' '), retriever: name, unit, hits: hits! }],
        kept: [],
        rejected: [],
      };
      return { why: 'completed' };
    },
    ranking: () => [],
  };
  const run = async (resources: Resources, budget: Budget = {}): Promise<Trace> => {
    const engine = engineOf(FIXTURE_DOCUMENTS);
    const options = { engine, strategy, reader: 'evidence-only', resources, budget };
    const events = askEvents(FIXTURE_QUESTIONS[0]!.text, options, () => 0);
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
    }
  };

  test('reaches a strategy through ask, metered and recorded in the manifest', async () => {
    const trace = await run({ 'entity-recogniser': capitals });
    assert.equal(trace.hops[0]!.spent.modelCalls, 1);
    assert.ok(trace.hops[0]!.searches[0]!.hits.length > 0);
    assert.deepEqual(trace.manifest['resources'], {
      'entity-recogniser': { capitals: 'capitals' },
    });
  });

  test('is refused if missing, with expected, received and hint', async () => {
    const wrong = { ...capitals, id: 'capital' };
    await assert.rejects(run({ 'entity-recogniser': wrong }), (error: unknown) => {
      assert.ok(InputError.is(error) && error.code === 'missing-resource');
      assert.match(
        error.message,
        /strategy "names" needs the entity recogniser "capitals".*received capital.*Did you mean/s,
      );
      return true;
    });
    await assert.rejects(run({}), /Give resources: \{ 'entity-recogniser'/);
  });

  test('is limited by the budget and validated', async () => {
    const { stopped } = await run({ 'entity-recogniser': capitals }, { modelCalls: 0 });
    assert.deepEqual(stopped, { by: 'limit', limit: 'modelCalls' });
    const lying = { ...capitals, recognise: async () => ['Nowhere'] };
    const failed = await run({ 'entity-recogniser': lying });
    const { message: _, ...reason } = failed.stopped as { readonly message: string };
    assert.deepEqual(
      [reason, failed.spent.modelCalls],
      [{ by: 'failure', port: 'entity-recogniser', code: 'unknown-name' }, 1],
    );
  });
});
