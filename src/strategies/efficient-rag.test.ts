/**
 * Tests efficient-rag over stub classifiers and the shipped ones: loop, guards, trace and budgets.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hop, Trace } from '../core/trace/trace.ts';
import type {
  ChunkTag,
  LabeledChunk,
  TokenClassifiers,
} from '../models/efficient-rag/token-classifiers.ts';
import type { AskOptions } from '../run/ask.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { traceOf } from '../testing/strategy-run.ts';

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
const changing = (round: number): string => `lamp light ${round}`;

describe('the loop', () => {
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
});

describe('guards', () => {
  test('a next query that is the same ends the loop', async () => {
    const { classifiers } = stubbed({ tag: () => 'CONTINUE', next: () => QUESTION });
    const { trace } = await asked('efficient-rag(k=5, model=stub)', {
      resources: { 'token-classifiers': [classifiers] },
    });
    assert.deepEqual([trace.hops.length, trace.evidence.length, trace.stopped], [1, 5, undefined]);
  });
});

describe('budgets and faults', () => {
  const faults: readonly [string, Partial<TokenClassifiers>][] = [
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

  test('accepts own classifiers with the id lite', async () => {
    const { classifiers, heard } = stubbed({ tag: () => 'TERMINATE', next: changing });
    await asked('efficient-rag', {
      resources: { 'token-classifiers': [{ ...classifiers, id: 'lite' }] },
    });
    assert.equal(heard.queries.length, 1);
  });
});
