/** Checks what metered resources pass on and refuse, and messages about the resources of a run. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InputError, PortError } from '../core/errors.ts';
import { type Metering, optional, type Resource, required } from '../core/port.ts';
import { freeCall } from '../core/trace/call.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { TokenClassifiers } from './efficient-rag/token-classifiers.ts';
import { ports } from './ports.ts';
import type { QueryUpdater } from './query-updater.ts';
import { checkResources, resourceOf } from './resources.ts';

/** Reserves nothing; validates as a run does. */
const metering: Metering = {
  signal: freeCall().signal,
  call: async ({ check }, work) => check(await work(freeCall())),
  output: () => {},
};
const call = freeCall();

test('a metered language model keeps its price', () => {
  const { languageModel } = ports;
  const price = { input: 1, output: 2 };
  assert.deepEqual(languageModel.meter({ ...scriptedModel(['x']), price }, metering).price, price);
  assert.equal(languageModel.meter(scriptedModel(['x']), metering).price, undefined);
});

describe('a metered query updater', () => {
  const updating = (...next: number[][]) => {
    const updater: QueryUpdater = {
      id: 'u',
      space: 's',
      dimensions: 2,
      update: async () => next.map(vector => Float32Array.from(vector)),
    };
    const empty = new Float32Array(2);
    return ports.queryUpdater.meter(updater, metering).update([empty], [empty], call);
  };

  test('passes on one finite vector a query', async () =>
    assert.deepEqual(await updating([1, 2]), [Float32Array.of(1, 2)]));

  for (const [code, next, told] of [
    ['wrong-count', [], 'expected 1 vectors, received 0'],
    [
      'wrong-count',
      [
        [1, 2],
        [1, 2],
      ],
      'expected 1 vectors, received 2',
    ],
    ['wrong-dimensions', [[1]], 'expected 2 dimensions, received 1 dimensions'],
    ['not-finite', [[1, Number.NaN]], 'expected finite numbers, received NaN'],
  ] as const)
    test(`refuses others: ${told}`, () =>
      assert.rejects(
        updating(...next.map(vector => [...vector])),
        (error: unknown) =>
          PortError.is(error) &&
          error.code === code &&
          told
            .split(', ')
            .every(part => error.message.includes(part.replace(/^(expected|received) /, ''))),
      ));
});

describe('a metered labeler', () => {
  const chunks = [
    { title: 'A', text: 'a' },
    { title: 'B', text: 'b' },
  ];
  const labeling = (...labels: object[]) => {
    const classifiers = {
      id: 'c',
      labeler: { label: async () => labels },
      filter: { compose: async () => 'next' },
    } as unknown as TokenClassifiers;
    return ports.tokenClassifiers.meter(classifiers, metering).labeler.label('q', chunks, call);
  };
  const [first, second] = [
    { tag: 'CONTINUE', info: 'x' },
    { tag: 'TERMINATE', info: '' },
  ];

  test('passes on one label a chunk', async () =>
    assert.deepEqual(await labeling(first, second), [first, second]));

  const refused = (code: string, message: RegExp) => (error: unknown) =>
    PortError.is(error) && error.code === code && message.test(error.message);
  test('refuses another number of labels, unknown tags and infos that are no texts', async () => {
    await assert.rejects(labeling(first), refused('wrong-count', /2 labels.*\b1\b/));
    await assert.rejects(
      labeling(first, { ...second, tag: 'STOP' }),
      refused('unknown-tag', /one of CONTINUE, TERMINATE, FINISH.*STOP/),
    );
    await assert.rejects(
      labeling(first, { ...second, info: 3 }),
      refused('no-text', /a text as info.*number/),
    );
  });
});

describe('resources that a run is given', () => {
  const [first, second] = [scriptedModel(['x'], 'one'), scriptedModel(['x'], 'two')];
  const member = { kind: 'reader', name: 'short' };
  const refused =
    (code: string, ...parts: string[]) =>
    (error: unknown) => {
      assert.ok(InputError.is(error), String(error));
      assert.equal(error.code, code);
      for (const part of parts)
        assert.ok(error.message.includes(part), `${error.message}: ${part}`);
      return true;
    };

  test('a need without an id takes the one that is given, and refuses several', () => {
    const need = required(ports.languageModel);
    assert.equal(resourceOf(member, need, { model: first }), first);
    assert.throws(
      () => resourceOf(member, need, { model: [first, second] }),
      refused('several-resources', 'one language model', 'one, two', 'resources["model"]'),
    );
    assert.throws(() => resourceOf(member, need, { model: [first, second] }), {
      expected: 'one language model',
      received: 'one, two',
    });
  });

  test('a need with an id takes that one of several', () => {
    assert.equal(
      resourceOf(member, required(ports.languageModel, 'two'), { model: [first, second] }),
      second,
    );
    assert.equal(
      resourceOf(member, optional(ports.languageModel, 'none'), { model: first }),
      undefined,
    );
  });

  test('a missing one is named with its kind and id', () => {
    assert.throws(
      () => resourceOf(member, required(ports.questionAnswerer, 'deberta'), {}),
      refused('missing-resource', 'The reader "short" needs the question answerer "deberta"'),
    );
    assert.throws(
      () => resourceOf(member, required(ports.languageModel), {}),
      (error: unknown) =>
        refused('missing-resource', 'needs the language model')(error) &&
        !(error as Error).message.includes('undefined'),
    );
  });

  test('an unknown port is refused, with the nearest name; ports of needs are known', () => {
    const resources = { reranke: { id: 'r' } };
    assert.throws(
      () => checkResources(resources, []),
      refused(
        'unknown-port',
        'Unknown port "reranke"',
        'one of model, reranker',
        'Did you mean reranker?',
      ),
    );
    const port = { ...ports.reranker, name: 'reranke' };
    assert.doesNotThrow(() => checkResources(resources, [required(port)]));
    assert.doesNotThrow(() => checkResources({ nothing: undefined }, []));
  });

  test('two resources of a port have two ids, which are texts', () => {
    assert.doesNotThrow(() => checkResources({ model: [first, second] }, []));
    assert.throws(
      () => checkResources({ model: [first, second, scriptedModel(['y'], 'two')] }, []),
      refused('duplicate-resource', 'Two resources of "model" have one id', 'two'),
    );
    assert.throws(
      () => checkResources({ model: {} as Resource as never }, []),
      refused('bad-resource', 'A resource of "model" has no id'),
    );
  });
});
