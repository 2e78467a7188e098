/**
 * Tests efficient-rag over stub classifiers and the shipped ones: loop, guards, trace and budgets.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shippedClassifiers } from '../../test/shipped-lite.ts';
import { InputError } from '../core/errors.ts';
import type { Hop, Trace } from '../core/trace/trace.ts';
import type {
  ChunkTag,
  LabeledChunk,
  TokenClassifiers,
} from '../models/efficient-rag/token-classifiers.ts';
import { type AskOptions, askEvents } from '../run/ask.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { traceOf } from '../testing/strategy-run.ts';
import { strategies } from './strategies.ts';

const QUESTION = 'Which lamp?';
/** Every document has every word that is asked, so that each search finds all of them. */
const DOCUMENTS = Array.from({ length: 40 }, (_, at) => ({
  id: `d${String(at).padStart(2, '0')}`,
  title: `Lamp ${at}`,
  text: `Lamp ${'light '.repeat(at + 1)}`,
  metadata: {},
}));

interface Stub {
  /** By round and place. */
  tag(round: number, place: number): ChunkTag;
  info?(round: number, place: number): string;
  next(round: number): string;
}

interface Heard {
  readonly queries: string[];
  readonly chunks: string[][];
  readonly composed: { readonly query: string; readonly infos: readonly string[] }[];
}

function stubbed(stub: Stub): { classifiers: TokenClassifiers; heard: Heard } {
  const heard: Heard = { queries: [], chunks: [], composed: [] };
  const classifiers: TokenClassifiers = {
    id: 'stub',
    labeler: {
      async label(query, chunks) {
        const round = heard.queries.push(query) - 1;
        heard.chunks.push(chunks.map(({ title }) => title));
        return chunks.map(
          (_, place): LabeledChunk => ({
            tag: stub.tag(round, place),
            useful: 0.5,
            info: stub.info?.(round, place) ?? `info ${place}`,
          }),
        );
      },
    },
    filter: {
      async compose(query, infos) {
        heard.composed.push({ query, infos });
        return stub.next(heard.composed.length - 1);
      },
    },
  };
  return { classifiers, heard };
}

async function asked(
  strategy: string,
  options: Partial<AskOptions> = {},
): Promise<{ trace: Trace }> {
  const engine = new EmbeddedEngine({ documents: DOCUMENTS });
  return {
    trace: await traceOf(QUESTION, { engine, reader: 'evidence-only', ...options, strategy }),
  };
}

const why = (hop: Hop, reason: string): number =>
  hop.rejected.filter(each => each.why === reason).length;
const rawK = ({ hops }: Trace): number =>
  hops.reduce((sum, hop) => sum + hop.kept.length + why(hop, 'repeated'), 0);

const changing = (round: number): string => `lamp light ${round}`;

describe('the loop', () => {
  test('all TERMINATE: one round, nothing kept, the filter not asked', async () => {
    const { classifiers, heard } = stubbed({ tag: () => 'TERMINATE', next: changing });
    const { trace } = await asked('efficient-rag(k=5, model=stub)', {
      resources: { 'token-classifiers': [classifiers] },
    });
    assert.deepEqual(
      [trace.hops.length, rawK(trace), trace.evidence, heard.composed],
      [1, 0, [], []],
    );
    assert.equal(why(trace.hops[0]!, 'terminate'), 5);
    assert.equal(trace.answer.kind, 'abstained');
  });

  test('a next query of blanks ends the run and is no output', async () => {
    for (const blank of ['', ' \n ']) {
      const { classifiers } = stubbed({ tag: () => 'CONTINUE', next: () => blank });
      const { trace } = await asked('efficient-rag(k=2, model=stub)', {
        resources: { 'token-classifiers': [classifiers] },
      });
      assert.deepEqual(
        trace.hops.map(({ outputs }) => outputs?.map(({ role, text }) => [role, text])),
        [
          [
            ['info', 'info 0'],
            ['info', 'info 1'],
          ],
        ],
      );
    }
  });

  test('all CONTINUE: four rounds, 4 k with repeats; the filter is not asked after the last', async () => {
    const { classifiers, heard } = stubbed({ tag: () => 'CONTINUE', next: changing });
    const { trace } = await asked('efficient-rag(k=5, model=stub)', {
      resources: { 'token-classifiers': [classifiers] },
    });
    assert.deepEqual([trace.hops.length, rawK(trace), heard.composed.length], [4, 20, 3]);
    assert.equal(trace.evidence.length, new Set(heard.chunks.flat()).size, 'distinct K');
  });

  test('the next query replaces the query; the infos of one round go into one sentence; the labeler sees the current query', async () => {
    const tags: ChunkTag[] = ['CONTINUE', 'TERMINATE', 'FINISH', 'CONTINUE'];
    const { classifiers, heard } = stubbed({
      tag: (_, place) => tags[place]!,
      info: (round, place) => (round === 0 && place === 3 ? '  ' : `info ${round} ${place}`),
      next: changing,
    });
    const { trace } = await asked('efficient-rag(k=4, rounds=3, model=stub)', {
      resources: { 'token-classifiers': [classifiers] },
    });
    assert.deepEqual(heard.queries, [QUESTION, changing(0), changing(1)]);
    assert.deepEqual(heard.composed, [
      { query: QUESTION, infos: ['info 0 0'] },
      { query: changing(0), infos: ['info 1 0', 'info 1 3'] },
    ]);
    assert.deepEqual(
      trace.hops.map(hop => [
        hop.reason,
        hop.searches[0]!.text,
        hop.kept.length + why(hop, 'repeated'),
        why(hop, 'terminate'),
      ]),
      [
        [undefined, QUESTION, 3, 1],
        [changing(0), changing(0), 3, 1],
        [changing(1), changing(1), 3, 1],
      ],
    );
    assert.deepEqual(trace.hops[0]!.outputs, [
      { role: 'info', text: 'info 0 0', parsed: true },
      { role: 'next-query', text: changing(0), parsed: true },
    ]);
    assert.deepEqual(trace.hops[1]!.searches[0]!.from, { hop: 0, search: 0 });
  });

  test('FINISH alone: kept, and no further search', async () => {
    const { classifiers, heard } = stubbed({
      tag: (_, place) => (place === 0 ? 'FINISH' : 'TERMINATE'),
      next: changing,
    });
    const { trace } = await asked('efficient-rag(k=5, model=stub)', {
      resources: { 'token-classifiers': [classifiers] },
    });
    assert.deepEqual([trace.hops.length, trace.evidence.length, heard.composed.length], [1, 1, 0]);
  });

  test('ranks the kept passages in order', async () => {
    const { classifiers } = stubbed({
      tag: (round, place) => (place === round ? 'CONTINUE' : 'TERMINATE'),
      next: changing,
    });
    const { trace } = await asked('efficient-rag(k=5, model=stub)', {
      resources: { 'token-classifiers': [classifiers] },
    });
    assert.deepEqual(trace.ranking, [
      ...new Set(trace.evidence.map(({ documentId }) => documentId)),
    ]);
  });
});

describe('guards', () => {
  for (const [what, next] of [
    ['blank', ' \n'],
    ['the same', QUESTION],
  ] as const)
    test(`a next query that is ${what} ends the loop`, async () => {
      const { classifiers } = stubbed({ tag: () => 'CONTINUE', next: () => next });
      const { trace } = await asked('efficient-rag(k=5, model=stub)', {
        resources: { 'token-classifiers': [classifiers] },
      });
      assert.deepEqual(
        [trace.hops.length, trace.evidence.length, trace.stopped],
        [1, 5, undefined],
      );
    });

  test('no info left: the sentence is the query alone, and the loop may go on', async () => {
    const { classifiers, heard } = stubbed({
      tag: () => 'CONTINUE',
      info: () => ' ',
      next: changing,
    });
    const { trace } = await asked('efficient-rag(k=2, rounds=2, model=stub)', {
      resources: { 'token-classifiers': [classifiers] },
    });
    assert.deepEqual([heard.composed, trace.hops.length], [[{ query: QUESTION, infos: [] }], 2]);
  });
});

describe('budgets and faults', () => {
  test('asks the same queries if the budget refuses passages', async () => {
    const queries = async (documents?: number): Promise<string[]> => {
      const { classifiers, heard } = stubbed({ tag: () => 'CONTINUE', next: changing });
      const { trace } = await asked('efficient-rag(k=5, model=stub)', {
        resources: { 'token-classifiers': [classifiers] },
        budget: documents ? { documents } : {},
      });
      if (documents) assert.equal(trace.evidence.length, documents);
      return heard.queries;
    };
    assert.deepEqual(await queries(3), await queries());
  });

  const faults: readonly [string, Partial<TokenClassifiers>][] = [
    ['too few labels', { labeler: { label: async () => [] } }],
    [
      'a tag that is none',
      {
        labeler: {
          label: async (_, chunks) =>
            chunks.map(() => ({ tag: 'MAYBE' as ChunkTag, useful: 1, info: '' })),
        },
      },
    ],
    [
      'no info',
      {
        labeler: {
          label: async (_, chunks) =>
            chunks.map(() => ({ tag: 'CONTINUE', useful: 1 }) as LabeledChunk),
        },
      },
    ],
    ['no query', { filter: { compose: async () => undefined as unknown as string } }],
    ['a labeler that throws', { labeler: { label: () => Promise.reject(new Error('gone')) } }],
    ['a filter that throws', { filter: { compose: () => Promise.reject(new Error('gone')) } }],
  ];
  for (const [what, broken] of faults)
    test(`${what}: the run ends with its trace, which names the failed port`, async () => {
      const { classifiers } = stubbed({ tag: () => 'CONTINUE', next: changing });
      const { trace } = await asked('efficient-rag(model=stub)', {
        resources: { 'token-classifiers': [{ ...classifiers, ...broken }] },
      });
      assert.equal(trace.stopped?.by, 'failure');
      assert.ok(
        trace.stopped.by === 'failure' &&
          /^(?:token-classifiers|labeler|query-filter)$/.test(trace.stopped.port),
      );
      assert.equal(trace.hops[0]!.searches.length, 1);
    });

  test('missing classifiers are refused before any event, naming those available', async () => {
    const { classifiers } = stubbed({ tag: () => 'CONTINUE', next: changing });
    await assert.rejects(
      asked('efficient-rag(model=stubb)', { resources: { 'token-classifiers': [classifiers] } }),
      error =>
        InputError.is(error) &&
        error.code === 'missing-resource' &&
        /stub/.test(error.expected ?? '') &&
        /stub/.test(error.hint ?? ''),
    );
  });

  test('accepts own classifiers with the id lite', async () => {
    const { classifiers, heard } = stubbed({ tag: () => 'TERMINATE', next: changing });
    await asked('efficient-rag', {
      resources: { 'token-classifiers': [{ ...classifiers, id: 'lite' }] },
    });
    assert.equal(heard.queries.length, 1);
  });
});

test('with the published classifiers: a film, its director, where she was born', async () => {
  const fact = (title: string, text: string) => ({ id: title, title, text, metadata: {} });
  const engine = new EmbeddedEngine({
    documents: [
      fact(
        'Iron Lantern',
        'Iron Lantern is a 1961 drama film directed by Marta Quellen and starring Otto Brask.',
      ),
      fact('Marta Quellen', 'Marta Quellen (born 4 May 1920 in Tarn) was a film director.'),
      fact('Otto Brask', 'Otto Brask was an actor who was born in Vell.'),
      fact('Red Vale', 'Red Vale is a 1958 film directed by Pia Sol.'),
      fact('Lighthouse', 'A lighthouse shows a light to ships.'),
      ...DOCUMENTS,
    ],
  });
  const question = 'Where was the director of the film Iron Lantern born?';
  const source = askEvents(
    question,
    {
      ...{ engine, strategy: 'efficient-rag', reader: 'evidence-only' },
      resources: { 'token-classifiers': shippedClassifiers() },
    },
    () => 0,
  );
  let step = await source.next();
  while (!step.done) step = await source.next();
  const { hops, ranking } = step.value;
  assert.ok(hops.length >= 2);
  assert.match(hops[1]!.searches[0]!.text!, /Marta Quellen/);
  assert.deepEqual(ranking.slice(0, 2), ['Iron Lantern', 'Marta Quellen']);
  assert.deepEqual(strategies.create('efficient-rag').modelCalls ?? [], []);
});
