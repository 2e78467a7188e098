/**
 * Strategies by hand-worked runs over a corpus made for it: what each keeps, refuses and asks next,
 * hop by hop.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import type { Search, Trace } from '../core/trace/trace.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { traceOf } from '../testing/strategy-run.ts';

/**
 * `words` times the same letter-word: rank follows how often a document says it, length being
 * equal.
 */
const document = (id: string, source: string, ...words: readonly string[]): Document => ({
  id,
  title: id,
  text: [...words, ...new Array<string>(12 - words.length).fill('pad')].join(' '),
  metadata: { source, category: 'c' },
});
const documents = [
  document('a1', 'Alpha', 'glass', 'glass', 'glass', 'glass', 'bridge'),
  document('a2', 'Alpha', 'glass', 'glass', 'glass'),
  document('b1', 'Beta', 'glass', 'glass'),
  document('b2', 'Beta', 'glass', 'stone', 'stone', 'stone'),
  document('g1', 'Gamma', 'bridge', 'bridge', 'bridge', 'stone'),
  document('g2', 'Gamma', 'stone', 'stone'),
];
const engine = new EmbeddedEngine({ documents });

async function run(strategy: string, question: string, context = 'whole'): Promise<Trace> {
  return traceOf(question, { engine, strategy, context, reader: 'evidence-only' });
}

const kept = ({ hops }: Trace): string =>
  hops.map(hop => hop.kept.map(({ id }) => id).join(' ')).join(' | ');
const rejected = ({ hops }: Trace): string =>
  hops.map(hop => hop.rejected.map(({ id, why }) => `${id} ${why}`).join(', ')).join(' | ');
const asked = ({ hops }: Trace): string[] =>
  hops.flatMap(hop => hop.searches.map(search => search.text ?? ''));
/** Each whole document costs its title, source and twelve words. */
const PRICE = 14;

describe('equal-budget-top-k', () => {
  test('keeps the first hits that fit, and lists the others as rejected', async () => {
    for (const [tokens, expected] of [
      [PRICE - 1, ''],
      [PRICE, 'a1'],
      [2 * PRICE, 'a1 a2'],
      [3 * PRICE - 1, 'a1 a2'],
      [1000, 'a1 a2 b1 b2'],
    ] as const)
      assert.equal(
        kept(await run(`equal-budget-top-k(tokens=${tokens})`, 'glass')),
        expected,
        String(tokens),
      );
    const cut = await run(`equal-budget-top-k(tokens=${2 * PRICE + 3})`, 'glass');
    assert.deepEqual(cut.hops[0]!.rejected, [
      { id: 'b1', search: { hop: 0, search: 0 }, why: 'budget', detail: `${PRICE} tokens, 3 left` },
    ]);
  });

  test('does not search below its depth', async () => {
    assert.equal(kept(await run('equal-budget-top-k(tokens=1000, depth=2)', 'glass')), 'a1 a2');
  });
});

describe('iterative', () => {
  test('searches again by the question and the cues of the best new document', async () => {
    const trace = await run('iterative(terms=2)', 'glass');
    assert.equal(kept(trace).split(' | ')[0], 'a1 a2');
    // Title, source, category, then "pad" (7 times) and "glass" (4 times).
    assert.deepEqual(asked(trace), ['glass', 'glass a1 Alpha c pad glass']);
    assert.deepEqual(trace.hops[1]!.searches[0]!.from, { hop: 0, search: 0, id: 'a1' });
    assert.equal(trace.hops[1]!.reason, 'cues of a1');
    assert.deepEqual(trace.ranking, ['a1', 'a2', 'b1', 'b2'], 'its list is its first search');
  });

  test('duplicates are not replaced in the profile literal', async () => {
    const trace = await run('iterative(terms=0)', 'glass');
    assert.equal(rejected(trace), ' | a1 seen, a2 seen');
  });

  test('the profile drift searches by cues alone, and takes unseen hits of the first three', async () => {
    const trace = await run('iterative(profile=drift)', 'glass');
    assert.deepEqual(asked(trace), ['glass', 'Alpha c glass bridge']);
    const third = trace.hops[1]!.searches[0]!.hits.slice(0, 3).map(({ id }) => id);
    assert.deepEqual(
      trace.hops[1]!.kept.map(({ id }) => id),
      third.filter(id => id !== 'a1' && id !== 'a2'),
    );
  });

  test('the profile drift looks at three hits in later rounds alone, and takes no more than its share', async () => {
    const trace = await run('iterative(profile=drift, per-round=1, rounds=3)', 'glass');
    for (const [at, hop] of trace.hops.entries()) {
      assert.ok(hop.kept.length <= 1, String(at));
      assert.ok(hop.kept.length + hop.rejected.length <= (at === 0 ? 1 : 3), String(at));
    }
    assert.equal(trace.hops[0]!.rejected.length, 0);
    const capped = await run('iterative(profile=drift, documents=1, rounds=1)', 'glass');
    assert.equal(rejected(capped), 'a2 cap');
  });

  test('ends early when a round brings nothing new, and at its cap of documents', async () => {
    assert.equal((await run('iterative(rounds=5, terms=0)', 'glass')).hops.length, 2);
    const capped = await run('iterative(rounds=2, documents=1)', 'glass');
    assert.equal(rejected(capped).split(' | ')[0], 'a2 cap');
  });
});

describe('decomposition', () => {
  const question = 'glass is what they make of sand, and bridge is what they build of stone';
  test('keeps one new document a clause', async () => {
    const trace = await run('decomposition(planner=conjunction)', question);
    assert.deepEqual(asked(trace), [
      question,
      'glass is what they make of sand',
      'bridge is what they build of stone',
    ]);
    assert.equal(
      trace.hops.every(hop => hop.kept.length === 1),
      true,
    );
    assert.equal(new Set(kept(trace).split(' | ')).size, 3);
    assert.deepEqual(
      trace.hops.map(hop => hop.reason),
      asked(trace),
    );
    for (const hop of trace.hops) {
      const [first] = hop.searches[0]!.hits.filter(
        hit => !hop.rejected.some(({ id, why }) => id === hit.id && why === 'seen'),
      );
      assert.equal(hop.kept[0]!.id, first!.id);
    }
  });

  test('searches and rejects beyond its cap of documents', async () => {
    const trace = await run('decomposition(planner=conjunction, documents=1)', question);
    assert.equal(trace.hops.length, 3);
    assert.match(rejected(trace), /cap/);
    assert.equal(trace.evidence.length, 1);
  });
});

describe('budgeted-agent', () => {
  const question = 'glass glass, and bridge is what they build of stone';
  const agent = (settings: string): Promise<Trace> =>
    run(`budgeted-agent(planner=conjunction, ${settings})`, question);

  test('keeps two new candidates a call until its tokens are used up', async () => {
    const trace = await agent(`tokens=98`);
    assert.deepEqual(asked(trace), [question, 'bridge is what they build of stone']);
    assert.equal(kept(trace).split(' | ')[0]!.split(' ').length, 2);
    const tight = await run(
      'budgeted-agent(tokens=98, per-call=9, documents=9)',
      'glass stone bridge',
    );
    // 98 tokens hold seven documents of 14; six exist.
    assert.equal(tight.evidence.length, 6);
  });

  test('rejects candidates that exceed the remaining tokens, and keeps later, shorter ones', async () => {
    const long: Document = {
      id: 'long',
      title: 'long',
      text: `glass glass glass glass glass glass ${'pad '.repeat(95)}`,
      metadata: {},
    };
    const trace = await traceOf('glass', {
      engine: new EmbeddedEngine({ documents: [...documents, long] }),
      strategy: 'budgeted-agent(tokens=98, per-call=5)',
      context: 'whole',
    });
    const refusal = trace.hops[0]!.rejected.find(({ why }) => why === 'budget');
    assert.equal(refusal?.id, 'long');
    assert.match(refusal?.detail ?? '', /^102 tokens, \d+ left$/);
    assert.equal(trace.evidence.length, 4);
    assert.equal(trace.stopped, undefined, 'its own budget is no limit of the run');
  });

  test('respects its limits on calls and documents', async () => {
    assert.equal((await agent('tokens=1000, calls=1')).hops.length, 1);
    const capped = await agent('tokens=1000, documents=1');
    assert.equal(capped.evidence.length, 1);
    assert.match(rejected(capped), /cap/);
  });

  test('rejects weak candidates once there is evidence', async () => {
    const trace = await agent('tokens=1000, weak-ratio=1');
    assert.equal(trace.hops[0]!.kept.length, 1);
    assert.match(rejected(trace), /weak/);
    assert.match(trace.hops[0]!.rejected.find(({ why }) => why === 'weak')!.detail!, /^\S+ < \S+$/);
  });
});

describe('slot-agent', () => {
  test('keeps the best of each named source first, then the plain ranking', async () => {
    const trace = await run('slot-agent', 'Did Gamma and Beta agree on glass and stone?');
    assert.equal(trace.hops[0]!.reason, 'Gamma; Beta');
    const [all, gamma, beta] = trace.hops[0]!.searches as [Search, Search, Search];
    const ids = trace.hops[0]!.kept.map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 2), [gamma.hits[0]!.id, beta.hits[0]!.id]);
    assert.deepEqual(
      ids.slice(2),
      all.hits
        .map(({ id }) => id)
        .filter(id => !ids.slice(0, 2).includes(id))
        .slice(0, 2),
    );
    assert.ok(gamma.hits.every(({ documentId }) => documentId.startsWith('g')));
    assert.deepEqual(
      trace.hops[0]!.kept.map(({ search }) => search.search),
      [1, 2, 0, 0],
    );
    assert.deepEqual(trace.spent, {
      retrievals: 3,
      documents: 4,
      contextTokens: 4 * PRICE,
      hops: 1,
    });
  });

  test('chooses the number of documents by the form of the question', async () => {
    const count = async (question: string): Promise<number> =>
      (await run('slot-agent(none=1, single=2, multi=3, wh=4)', question)).evidence.length;
    assert.equal(await count('glass stone bridge'), 1);
    assert.equal(await count('Did Alpha like glass stone bridge?'), 2);
    assert.equal(await count('Did Alpha and Beta like glass stone bridge?'), 3);
    assert.equal(await count('Who at Alpha and Beta likes glass stone bridge?'), 4);
    assert.equal(await count('Who likes glass stone bridge?'), 1);
    // The opening word counts, behind quotes and in any case, and as a whole word.
    for (const opening of ['“Who', '... WHICH', 'what', ' Considering'])
      assert.equal(
        await count(`${opening} at Alpha and Beta likes glass stone bridge?`),
        4,
        opening,
      );
    for (const opening of ['Whoever', 'Did the WHO', 'Somewhat', 'x who'])
      assert.equal(
        await count(`${opening} at Alpha and Beta likes glass stone bridge?`),
        3,
        opening,
      );
  });

  test('a source with a date is a slot of its own, if dates count and the corpus has some', async () => {
    const dated = documents.map((each, at) => ({
      ...each,
      metadata: { ...each.metadata, published_at: `2023-10-0${at + 1}T08:00:00Z` },
    }));
    const asks = 'Did the Alpha report published on October 2, 2023 praise glass?';
    const engine = new EmbeddedEngine({ documents: dated });
    const of = (strategy: string) => traceOf(asks, { engine, strategy, context: 'whole' });
    const first = ({ hops }: Trace): string | undefined => hops[0]!.kept[0]?.id;
    assert.equal(first(await of('slot-agent')), 'a1');
    assert.equal(first(await of('slot-agent(dates=true)')), 'a2');
  });

  test('searches by sources alone in a corpus without dates', async () => {
    const trace = await run(
      'slot-agent(dates=true)',
      'Did the Alpha report of October 7, 2023 praise glass?',
    );
    assert.equal(trace.hops[0]!.reason, 'Alpha');
  });
});
