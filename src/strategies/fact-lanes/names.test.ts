/**
 * Later hops of `fact-lanes`: which names are asked for, whence, how often and under which limits,
 * and what is kept because of them.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import { defaultsOf } from '../../core/naming/family.ts';
import { freeCall } from '../../core/trace/call.ts';
import { keptInOrder } from '../../core/trace/evidence-order.ts';
import type { Hop, Search, Trace } from '../../core/trace/trace.ts';
import type { Budget } from '../../core/trace/usage.ts';
import type { RankerWeights } from '../../models/fact-ranker/fact-ranker.ts';
import { shippedRanker } from '../../models/fact-ranker/shipped.ts';
import { bareTitle } from '../../models/fact-ranker/text-words.ts';
import type { SearchEngine } from '../../search/engine.ts';
import {
  FIXTURE_DOCUMENTS,
  FIXTURE_QUESTIONS,
  HOSTILE_QUESTIONS,
} from '../../testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { overlapReranker } from '../../testing/overlap-reranker.ts';
import { documentOf as document, engineOf, runOf } from '../../testing/strategy-run.ts';
import { checkTrace } from '../../testing/trace-checks.ts';
import { strategies } from '../strategies.ts';
import { factLanesWith } from './fact-lanes.ts';
import { FACT_LANES_PARAMETERS, type FactLanesSettings } from './settings.ts';
import type { LanesView } from './view.ts';

/** The founder's own document shares no word with the question; many others share some. */
const CHAIN: readonly Document[] = [
  document(
    'works',
    'Quill Works',
    'The Quill Works makes lamps. The founder of the Quill Works is the glass maker Ines Ferrow.',
  ),
  document(
    'ines',
    'Ines Ferrow (glass maker)',
    'Her uncle raised Ines Ferrow beside Dunmar Quay. Lamps hang there.',
  ),
  document('quay', 'Dunmar Quay', 'Boats moor at Dunmar Quay, below Sallow Hill.'),
  document(
    'salt',
    'Salt Works',
    'The founder of the Salt Works was born far from any town. The Salt Works closed.',
  ),
  document('town', 'Town', 'In the town works are founded by whoever was born in it.'),
  ...['bell', 'rope', 'hat', 'glove'].map(what =>
    document(
      what,
      `the ${what} maker`,
      `The ${what} maker was born in a town. The founder of the works makes a ${what}.`,
    ),
  ),
];
const QUESTION = 'In which town was the founder of the Quill Works born?';

interface Given {
  readonly strategy?: string;
  /** Later hops, whatever the corpus is like. */
  readonly hops?: number;
  readonly retriever?: string;
  readonly engine?: SearchEngine;
  readonly budget?: Budget;
}

const SETTINGS = defaultsOf(FACT_LANES_PARAMETERS);
const fixture = engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder()]);
const chain = engineOf(CHAIN, [hashedEmbedder()]);

/** Also keeps every law of traces. */
async function run(
  text: string,
  { strategy = 'fact-lanes', hops, retriever = 'lexical', engine = chain, budget = {} }: Given = {},
): Promise<Trace> {
  const rerankers = [overlapReranker()];
  const script = {
    question: { id: 'q', text },
    engine,
    retriever,
    context: 'whole',
    budget,
    resources: { reranker: rerankers },
  };
  const member =
    hops === undefined
      ? strategies.create(strategy)
      : factLanesWith(SETTINGS, strategy, { hops, weights: shippedRanker('open-words') });
  const ran = await runOf(member, script);
  await checkTrace(ran, engine, text);
  return ran.trace;
}

/** Leaves out the hop that searches short passages by content words, which is no chain. */
const chainHops = ({ hops }: Trace): Hop[] =>
  hops.filter(({ reason }) => reason !== 'content words');

/** All hops of a run as one: every search of the chain, and the evidence that is left. */
const hopOf = ({ hops }: Trace): Hop => ({
  ...hops[0]!,
  searches: chainHops({ hops } as Trace).flatMap(({ searches }) => searches),
  kept: keptInOrder(hops),
  rejected: hops.flatMap(({ rejected }) => rejected),
});
const hopAfter = async (text: string, options: Given = {}): Promise<Hop> =>
  hopOf(await run(text, options));
const later = ({ searches }: Hop, unit = 'sentence'): Search[] =>
  searches.filter(search => search.from && search.unit === unit);
const bare = (text: string): string => text.toLowerCase().replace(/\?$/, '');
/** A name is asked for alone, then with the question. */
function namesOf(hop: Hop, question: string, unit = 'sentence'): string[] {
  const texts = later(hop, unit).map(({ text }) => text!);
  for (let at = 1; at < texts.length; at += 2)
    // The question is read with its capitals and question mark restored, and not beyond a limit.
    assert.ok(bare(`${texts[at - 1]} ${question}`).startsWith(bare(texts[at]!)), texts[at]!);
  return texts.filter((_, at) => at % 2 === 0);
}
const textsOf = ({ kept }: Hop): string[] => kept.map(({ id }) => id.split('#')[0]!);
const words = (text: string): string =>
  ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

describe('searches for names', () => {
  test('each round adds to the searches of the one before, for names that the round before found', async () => {
    const rounds = await Promise.all([0, 1, 2, 3, 50].map(hops => hopAfter(QUESTION, { hops })));
    for (const [at, hop] of rounds.entries())
      if (at > 0) {
        const before = rounds[at - 1]!.searches;
        assert.deepEqual(hop.searches.slice(0, before.length), before);
        assert.ok(hop.searches.length - before.length <= 16 || at === 4);
      }
    const [none, first, two] = rounds.map(hop => namesOf(hop, QUESTION));
    assert.deepEqual(none, []);
    assert.ok(first!.includes('Ines Ferrow') && !first!.includes('Dunmar Quay'), first!.join('; '));
    assert.ok(two!.includes('Dunmar Quay'), two!.join('; '));
    assert.deepEqual(rounds[1]!.searches.length < rounds[2]!.searches.length, true);
    assert.deepEqual(
      later(await hopAfter(QUESTION)),
      later(rounds[2]!),
      'two rounds are what is done by default',
    );
  });
});

describe('choice of names', () => {
  const corpora: readonly (readonly [SearchEngine, readonly string[]])[] = [
    [chain, [QUESTION, 'Who?', 'Which glass maker is ines ferrow?', 'quill works']],
    [fixture, [...FIXTURE_QUESTIONS, ...HOSTILE_QUESTIONS].map(({ text }) => text)],
  ];

  test('takes distinct names outside the question, from sentences or their titles', async () => {
    for (const [engine, questions] of corpora)
      for (const text of questions)
        for (const retriever of ['lexical', 'hybrid(hashed)']) {
          const hop = await hopAfter(text, { engine, retriever, hops: 4 });
          const names = namesOf(hop, text);
          const lower = names.map(words);
          assert.equal(new Set(lower).size, lower.length, names.join('; '));
          for (const name of lower)
            assert.ok(name.trim() !== '' && !words(text).includes(name), `${name} in ${text}`);
          for (const [at, { from }] of later(hop).entries()) {
            const name = names[at >> 1]!;
            const [sentence] = await engine.read('sentence', [from!.id!], freeCall());
            const [speaker] = await engine.read('document', [sentence!.documentId], freeCall());
            assert.ok(
              sentence!.text.includes(name) || bareTitle(speaker!.title) === name,
              `${name}: ${sentence!.text} (${speaker!.title})`,
            );
          }
        }
  });
});

/** Words first, then what is found by a name: what ships says nothing of this little corpus. */
const WEIGHTS: RankerWeights = {
  first: { 'words of the question': 1 },
  second: { 'words of the question': 1, 'title mentioned elsewhere': 2, 'found by a name': 1 },
  packing: { lane: 0, source: 0, price: 0 },
};

async function weighed(
  settings: Partial<FactLanesSettings>,
  hops?: number,
): Promise<{ readonly hop: Hop; readonly hops: readonly Hop[]; readonly view: LanesView }> {
  let view: LanesView | undefined;
  const strategy = factLanesWith({ ...SETTINGS, tokens: 60, ...settings }, 'fact-lanes', {
    weights: WEIGHTS,
    hops,
    onRanked(seen) {
      assert.equal(view, undefined, 'only the last round is shown');
      view = seen;
    },
  });
  const script = {
    question: { id: 'q', text: QUESTION },
    engine: chain,
    retriever: 'lexical',
    context: 'whole',
  };
  const ran = await runOf(strategy, script);
  await checkTrace(ran, chain, QUESTION);
  return { hop: hopOf(ran.trace), hops: ran.trace.hops, view: view! };
}

describe('results of searches for names', () => {
  test('unit=document keeps chained documents, of searches for documents', async () => {
    const { hop, hops } = await weighed({ unit: 'document' });
    const kept = hop.kept.find(({ id }) => id === 'ines');
    assert.ok(kept, textsOf(hop).join(' '));
    const search = hops[kept.search.hop]!.searches[kept.search.search]!;
    assert.deepEqual(
      [search.unit, search.from !== undefined, kept.spans],
      ['document', true, undefined],
    );
    assert.deepEqual(namesOf(hop, QUESTION, 'document'), namesOf(hop, QUESTION));
    assert.equal(later((await weighed({})).hop, 'document').length, 0);
  });

  test('scores each candidate for a search by name with at most 1, and 0 without such a search', async () => {
    const { view } = await weighed({});
    assert.ok(view.named.every(share => share >= 0 && share <= 1) && view.named.includes(1));
    const byName = view.found.findIndex(({ hit }) => hit.documentId === 'ines');
    assert.ok(view.named[byName]! > 0);
    assert.ok((await weighed({ bridge: 'rank' })).view.named.every(share => share === 0));
  });

  test('ranker=sum searches for names too', async () => {
    const hop = await hopAfter(QUESTION, { strategy: 'fact-lanes(ranker=sum)' });
    assert.ok(namesOf(hop, QUESTION).includes('Ines Ferrow') && textsOf(hop).includes('ines'));
  });
});

describe('limits inside a run', () => {
  for (const strategy of ['fact-lanes', 'fact-lanes(unit=document)', 'fact-lanes(ranker=sum)'])
    test(`${strategy}: stops at the retrievals, keeps the evidence and names the limit`, async () => {
      const all = await run(QUESTION, { strategy: strategy });
      const total = hopOf(all).searches.length;
      assert.equal(all.stopped, undefined);
      for (let retrievals = 1; retrievals <= total + 1; retrievals++) {
        const trace = await run(QUESTION, { strategy: strategy, budget: { retrievals } });
        const hop = hopOf(trace);
        assert.equal(hop.searches.length, Math.min(retrievals, total), `of ${retrievals}`);
        assert.equal(
          trace.stopped?.by,
          retrievals < total ? 'limit' : undefined,
          `of ${retrievals} in ${total}`,
        );
        // Documents found only through their sentences cannot be kept as documents.
        if (retrievals > 1 || !strategy.includes('document'))
          assert.ok(hop.kept.length > 0, `nothing kept of ${retrievals}`);
      }
    });
});

describe('odd corpora', () => {
  test('searches for names without titles only if later hops are asked for', async () => {
    const engine = engineOf(CHAIN.map(({ id, text }) => document(id, '', text)));
    assert.equal(later(await hopAfter(QUESTION, { engine })).length, 0);
    const hop = await hopAfter(QUESTION, { engine, hops: 2 });
    assert.ok(namesOf(hop, QUESTION).includes('Ines Ferrow') && textsOf(hop).includes('ines'));
  });

  test('one document, without text too', async () => {
    for (const documents of [
      CHAIN.slice(0, 1),
      CHAIN.slice(1, 2),
      [document('x', 'Quill Works', '')],
      [document('x', '', '')],
    ])
      for (const text of [QUESTION, 'Where was Ines Ferrow born?', '?'])
        for (const retriever of ['lexical', 'hybrid(none)']) {
          const trace = await run(text, {
            engine: engineOf(documents, [hashedEmbedder()]),
            retriever,
            hops: 5,
          });
          // Only a document that shares words with the question is kept, and begins a chain.
          const { id } = documents[0]!;
          const known = id === 'works' || text.includes('Ferrow');
          const found = id !== 'x' && text !== '?' && known;
          assert.deepEqual(
            [new Set(textsOf(hopOf(trace))), chainHops(trace).length],
            [new Set(found ? [id] : []), found ? 2 : 1],
            `${id}, ${retriever}: ${text}`,
          );
        }
  });
});
