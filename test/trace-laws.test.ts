/**
 * The laws of traces: every recorded trace keeps them, and a trace that was changed and chained
 * anew is refused with the law that it breaks and the place.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sealEvents, verifyTrace } from '../src/core/trace/audit.ts';
import type { TraceLaw } from '../src/core/trace/broken-law.ts';
import type { TraceEvent } from '../src/core/trace/trace.ts';
import type { Budget } from '../src/core/trace/usage.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { askEvents } from '../src/run/ask.ts';
import type { Strategy } from '../src/strategies/strategy.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../src/testing/fixture-corpus.ts';
import { countingClock, engineOf } from '../src/testing/strategy-run.ts';
import { rechoosing } from './laws/rechoosing.ts';

/** Events as JSON reads them, to be changed freely. */
// biome-ignore lint/suspicious/noExplicitAny: mutations write values of any type
type Loose = any;

async function eventsOf(
  text: string,
  strategy: string | Strategy,
  budget: Budget = {},
  clock: () => number = () => 0,
): Promise<TraceEvent[]> {
  const engine = engineOf(FIXTURE_DOCUMENTS);
  const events: TraceEvent[] = [];
  const options = { engine, strategy, budget, reader: 'extractive', context: 'lead' };
  for await (const event of askEvents(text, options, clock)) events.push(event);
  return JSON.parse(JSON.stringify(events)) as TraceEvent[];
}

const texts = FIXTURE_QUESTIONS.map(({ text }) => text);
const traces: TraceEvent[][] = [];
for (const text of [...texts, 'ferry', 'no such words zzz'])
  for (const [strategy, budget] of [
    [rechoosing(), {}],
    [rechoosing(), { retrievals: 1 }],
    ['iterative(rounds=3)', { contextTokens: 120 }],
    ['slot-agent', {}],
    ['budgeted-agent', { documents: 3, retrievals: 2 }],
  ] as const)
    traces.push(await eventsOf(text, strategy, budget));

// Time runs out inside a hop.
for (const text of texts)
  for (const ms of [4, 6, 8])
    traces.push(await eventsOf(text, 'iterative(rounds=3)', { ms }, countingClock()));

const verify = (events: readonly TraceEvent[], full = true) =>
  verifyTrace(sealEvents(events, sha256, { full }), sha256);
const copy = (events: readonly TraceEvent[]): Loose[] => JSON.parse(JSON.stringify(events));

test('every trace of a run keeps the laws', () => {
  assert.ok(traces.some(events => JSON.stringify(events).includes('"withdrawn":[{')));
  assert.ok(traces.some(events => JSON.stringify(events).includes('"incomplete"')));
  assert.ok(traces.some(events => JSON.stringify(events).includes('"citations":[{')));
  for (const events of traces) {
    const verified = verify(events);
    assert.ok(verified.ok, verified.ok ? '' : verified.problem);
  }
  assert.ok(verify(traces.flat()).ok, 'several in one file');
});

/** The same traces as their compact files hold them. */
const compact: readonly (readonly TraceEvent[])[] = traces.map(events => {
  const verified = verify(events, false);
  assert.ok(verified.ok, verified.ok ? '' : verified.problem);
  return verified.events;
});

test('a compact trace keeps the laws, and is recorded once', () => {
  assert.ok(JSON.stringify(compact).includes('"found"'));
  assert.ok(JSON.stringify(compact).includes('"refused"'));
  for (const events of compact)
    assert.deepEqual(verify(events, false).events, events, 'in whatever format it is sealed again');
  assert.ok(verify(compact.flat(), false).ok, 'several in one file');
  assert.ok(verify(compact.flat(), true).ok);
});

test('a trace that was cut after any event keeps the laws up to there', () => {
  for (const events of traces)
    for (let length = 0; length <= events.length; length++)
      assert.ok(verify([...events.slice(0, length), ...traces[0]!]).ok);
});

/** Changes events in place; returns false if the trace has nothing of its kind. */
type Mutation = (events: Loose[], pick: <T>(items: readonly T[]) => T | undefined) => boolean;

/** Parts that a mutation may change, each with the index of its hop. */
type Places = (events: Loose[]) => readonly { readonly item: Loose; readonly at: number }[];

const only = (events: Loose[], type: string): Loose => events.find(event => event.type === type);
const hopsOf = (events: Loose[]): Loose[] =>
  events.filter(({ type }) => type === 'hop').map(({ hop }) => hop);
const inHops =
  (list: (hop: Loose) => Loose[]): Places =>
  events =>
    hopsOf(events).flatMap((hop, at) => list(hop).map(item => ({ item, at })));
const hops = (test: (hop: Loose) => boolean): Places => inHops(hop => (test(hop) ? [hop] : []));
const inEvent =
  (type: string, list: (event: Loose) => Loose[] = event => [event]): Places =>
  events =>
    list(only(events, type)).map(item => ({ item, at: 0 }));

/** Applies a change to one of the places. */
const change =
  (places: Places, work: (item: Loose, at: number) => unknown): Mutation =>
  (events, pick) => {
    const place = pick(places(events));
    if (place) work(place.item, place.at);
    return place !== undefined;
  };

/** Writes a value, or what a function makes of the old one, at a path below one of the places. */
const set = (places: Places, path: string, value: unknown): Mutation =>
  change(places, (item, at) => {
    const keys = path.split('.');
    const last = keys.pop()!;
    const parent = keys.reduce((inner, key) => inner[key], item);
    parent[last] = typeof value === 'function' ? value(parent[last], at) : value;
  });

const kept = inHops(hop => hop.kept);
const rejected = inHops(hop => hop.rejected);
const searches = inHops(hop => hop.searches);
const followUps = inHops(hop => hop.searches.filter((search: Loose) => search.from));
const rankings = inHops(hop =>
  hop.searches.map(({ hits }: Loose) => hits).filter(({ length }: Loose) => length > 1),
);
const choosing = hops(hop => hop.withdrawn?.length > 0);
const ordering = hops(hop => hop.order?.length > 0);
const anyHop = hops(() => true);
const whole = hops(hop => hop.incomplete === undefined);
const lastUnstopped: Places = events => {
  const item = hopsOf(events).at(-1);
  const unfit = !item || item.order || item.withdrawn || item.scores;
  return unfit || only(events, 'end').stopped ? [] : [{ item, at: 0 }];
};
const evidence = (atLeast: number): Places =>
  inEvent('context', event => (event.evidence.length >= atLeast ? [event.evidence] : []));
const parts = inEvent('context', event => event.context.parts.slice(0, 1));
const citations = inEvent('answer', event => event.answer.citations?.slice(0, 1) ?? []);

const plusOne = (value = 0): number => value + 1;
const sameHop = (_: unknown, at: number): object => ({ hop: at, search: 0 });
const future = (_: unknown, at: number): object => ({ hop: at + 1, search: 0 });

type Mutations = Readonly<Record<string, readonly [TraceLaw, Mutation]>>;

const MUTATIONS: Mutations = {
  'a kept item of a later hop': ['references', set(kept, 'search', future)],
  'a kept item of a missing search': ['references', set(kept, 'search.search', 99)],
  'a kept item that was no hit': ['references', set(kept, 'id', 'nobody')],
  'a kept item of another document': ['references', set(kept, 'documentId', 'other')],
  'a rejected item of a missing search': ['references', set(rejected, 'search.search', 99)],
  'a rejected item that was no hit': ['references', set(rejected, 'id', 'nobody')],
  'a rejection without a reason': ['choice', set(rejected, 'why', '')],
  'a search that depends on its own hop': ['references', set(followUps, 'from', sameHop)],
  'a search that depends on a missing search': ['references', set(followUps, 'from.search', 99)],
  'a search that depends on no hit': ['references', set(followUps, 'from.id', 'nobody')],
  'a search that depends on the future': ['references', set(searches, 'from', future)],
  'hits in reverse': ['hits', change(rankings, hits => hits.reverse())],
  'a hit twice': ['hits', change(rankings, hits => hits.push(hits[0]))],
  'a withdrawal of a stranger': [
    'choice',
    change(choosing, hop => hop.withdrawn.push({ id: 'nobody', why: 'weak' })),
  ],
  'a withdrawal twice': ['choice', change(choosing, hop => hop.withdrawn.push(hop.withdrawn[0]))],
  'a withdrawal without a reason': ['choice', set(choosing, 'withdrawn.0.why', '')],
  'an item kept twice': [
    'choice',
    change(
      hops(hop => hop.kept.length > 0),
      hop => hop.kept.push(hop.kept[0]),
    ),
  ],
  'an order of a stranger': ['choice', change(ordering, hop => hop.order.push('nobody'))],
  'an order of an item twice': ['choice', change(ordering, hop => hop.order.push(hop.order[0]))],
  'scores of a stranger': [
    'choice',
    set(whole, 'scores', (scores: object) => ({ ...scores, nobody: 1 })),
  ],
  'an incomplete hop that orders': [
    'choice',
    change(anyHop, hop => Object.assign(hop, { incomplete: 'ms', order: [] })),
  ],
  'an incomplete hop in the middle': [
    'sequence',
    set(
      events =>
        anyHop(events)
          .slice(0, -1)
          .filter(({ item }) => !item.order && !item.withdrawn),
      'incomplete',
      'ms',
    ),
  ],
  'an incomplete hop of a run that was not stopped': [
    'sequence',
    set(lastUnstopped, 'incomplete', 'ms'),
  ],
  'another index': [
    'sequence',
    set(
      events => events.filter(({ type }) => type === 'hop').map(item => ({ item, at: 0 })),
      'index',
      plusOne,
    ),
  ],
  'another number of tokens in a hop': ['costs', set(anyHop, 'spent.contextTokens', plusOne)],
  'another number of documents in a hop': ['costs', set(anyHop, 'spent.documents', plusOne)],
  'searches that were not paid for': [
    'costs',
    set(
      hops(hop => hop.searches.length > 0),
      'spent.retrievals',
      0,
    ),
  ],
  'negative amounts': ['costs', set(anyHop, 'spent.modelCalls', -1)],
  'two hops in one': ['costs', set(anyHop, 'spent.hops', 2)],
  'a budget below the cost': [
    'costs',
    events => {
      const most = only(events, 'end').spent.retrievals ?? 0;
      only(events, 'question').budget.retrievals = most - 1;
      return most > 0;
    },
  ],
  'an item of evidence less': ['evidence', change(evidence(1), list => list.shift())],
  'an item of evidence more': [
    'evidence',
    change(evidence(1), list => list.push({ ...list[0], id: 'nobody' })),
  ],
  'evidence in another order': ['evidence', change(evidence(2), list => list.reverse())],
  'another score of evidence': ['evidence', set(evidence(1), '0.score', plusOne)],
  'another context': ['evidence', set(inEvent('question'), 'context', 'whole')],
  'a part of a stranger': ['evidence', set(parts, 'id', 'nobody')],
  'a part beyond the text': ['evidence', set(parts, 'end', 1e6)],
  'a ranking with a stranger': [
    'ranking',
    change(inEvent('context'), ({ ranking }) => ranking.push('nobody')),
  ],
  'a ranking with a document twice': [
    'ranking',
    change(
      inEvent('context', ({ ranking }) => (ranking.length > 0 ? [ranking] : [])),
      ranking => ranking.push(ranking[0]),
    ),
  ],
  'a ranking without the evidence first': [
    'ranking',
    change(
      inEvent('context', ({ ranking, evidence: { length } }) =>
        length > 0 && ranking.length > 1 ? [ranking] : [],
      ),
      ranking => ranking.push(ranking.shift()),
    ),
  ],
  'tokens that the text does not have': [
    'costs',
    set(inEvent('context'), 'context.tokens', plusOne),
  ],
  'words that the tokens do not count': [
    'costs',
    set(inEvent('context'), 'context.text', (text: string) => `${text} more words`),
  ],
  'a citation of a stranger': ['answer', set(citations, 'id', 'nobody')],
  'a citation beyond the evidence': ['answer', set(citations, 'end', 1e6)],
  'no words': [
    'answer',
    change(inEvent('answer'), ({ answer }) => {
      answer[answer.kind === 'abstained' ? 'reason' : 'text'] = '';
    }),
  ],
  'another number of hops': ['costs', set(inEvent('end'), 'spent.hops', 99)],
  'a total below the hops': [
    'costs',
    set(
      inEvent('end', event => (event.spent.retrievals > 0 ? [event] : [])),
      'spent.retrievals',
      (paid: number) => paid - 1,
    ),
  ],
  'another total of tokens': ['costs', set(inEvent('end'), 'spent.contextTokens', 1e6)],
  'events in another order': [
    'sequence',
    (events, pick) => {
      const at = pick(events.slice(1, -1).map((_, index) => index + 1))!;
      if (events[at].type === 'hop') return false;
      [events[at], events[at + 1]] = [events[at + 1], events[at]];
      return true;
    },
  ],
  'an event twice': [
    'sequence',
    (events, pick) => {
      const at = pick(events.slice(1).map((_, index) => index + 1))!;
      events.splice(at, 0, events[at]);
      return true;
    },
  ],
  'an event missing': [
    'sequence',
    (events, pick) => {
      const at = pick(
        events.slice(0, -1).flatMap(({ type }, index) => (type === 'hop' ? [] : [index])),
      )!;
      events.splice(at, 1);
      return true;
    },
  ],
};

/** Concern what a compact trace leaves out. */
const IN_FULL_ALONE: ReadonlySet<string> = new Set([
  'a kept item that was no hit',
  'a kept item of another document',
  'a rejected item of a missing search',
  'a rejected item that was no hit',
  'a rejection without a reason',
  'a search that depends on no hit',
  'hits in reverse',
  'a hit twice',
  'a ranking with a stranger',
]);

const countingOf = (hop: Loose): Loose[] =>
  hop.searches.filter(({ found }: Loose) => found !== undefined);
const counting = inHops(countingOf);
const COMPACT_MUTATIONS: Mutations = {
  ...Object.fromEntries(Object.entries(MUTATIONS).filter(([what]) => !IN_FULL_ALONE.has(what))),
  'fewer hits found than listed': [
    'hits',
    change(counting, search => {
      search.found = search.hits.length;
    }),
  ],
  'hits left out without a hash': ['hits', change(counting, search => delete search.hash)],
  'a hash without a count': ['hits', change(counting, search => delete search.found)],
  'a count of refusals that is none': [
    'shape',
    set(
      hops(hop => hop.refused),
      'refused',
      { budget: -1 },
    ),
  ],
  'more items kept than found': [
    'references',
    change(
      inHops(hop => (hop.kept.length > 1 ? countingOf(hop).map(search => ({ search, hop })) : [])),
      ({ search, hop }) => {
        search.found = 1;
        search.hits = [];
        for (const item of hop.kept) item.search = { hop: 0, search: hop.searches.indexOf(search) };
      },
    ),
  ],
  'more documents ranked than found': [
    'ranking',
    events => {
      const searched = hopsOf(events).flatMap(hop => hop.searches);
      const found = searched.reduce((sum, { found, hits }) => sum + (found ?? hits.length), 0);
      const { ranking } = only(events, 'context');
      for (let more = 0; more <= found; more++) ranking.push(`stranger ${more}`);
      return true;
    },
  ],
};

for (const [form, full, recorded, mutations] of [
  ['a trace', true, traces, MUTATIONS],
  ['a compact trace', false, compact, COMPACT_MUTATIONS],
] as const)
  describe(`${form} that was changed and chained anew is refused`, () => {
    for (const [what, [law, mutate]] of Object.entries(mutations))
      test(`${what}: ${law}`, () => {
        let changed = 0;
        for (const seed of full ? [0, 1, 2, 7, 12_345] : [0, 1, 2])
          for (const events of recorded) {
            const loose = copy(events);
            if (!mutate(loose, items => items[seed % items.length])) continue;
            changed++;
            checkRefused(loose, events, law, full);
          }
        assert.ok(changed >= 10, `applied ${changed} times only`);
      });
  });

/** Checks that the law is named, at the first changed event or after it. */
function checkRefused(
  changed: Loose[],
  events: readonly TraceEvent[],
  law: TraceLaw,
  full: boolean,
): void {
  const first = changed.findIndex(
    (event, at) => JSON.stringify(event) !== JSON.stringify(events[at]),
  );
  const verified = verify(changed, full);
  assert.ok(!verified.ok, 'accepted');
  assert.equal(verified.broken?.law, law, verified.problem);
  assert.ok(verified.line > first, `line ${verified.line}, before the first changed event`);
  assert.match(verified.problem, /^the law "\w+" is broken: .+: expected .+, received /s);
  assert.ok(verified.problem.includes(verified.broken!.where));
}

describe('events of any shape are refused without a crash', () => {
  interface Leaf {
    readonly parent: Loose;
    readonly key: string;
    readonly path: string;
  }
  /** Lists every value below the events; free-form records are left out. */
  const leavesOf = (value: Loose, path = ''): Leaf[] =>
    Object.keys(value).flatMap(key => {
      const at = `${path}.${key}`;
      if (/\.(manifest|metadata|filter)\./.test(at)) return [];
      const inner = value[key];
      const leaf = { parent: value, key, path: at };
      return typeof inner === 'object' && inner !== null ? [leaf, ...leavesOf(inner, at)] : [leaf];
    });
  const OTHERS: readonly unknown[] = [null, '', 'x', -1, 0.5, 1e9, true, [], {}, [null], [[1, 0]]];
  const kindOf = (value: unknown): string =>
    value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

  test('a value of another type is refused, and any other value never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...traces),
        fc.nat(),
        fc.constantFrom(...OTHERS),
        (events, seed, other) => {
          const loose = copy(events);
          const leaves = loose.flatMap(event => leavesOf(event));
          const { parent, key, path } = leaves[seed % leaves.length]!;
          const ofAnotherType = kindOf(parent[key]) !== kindOf(other);
          parent[key] = other;
          // The chain takes `ms` as it is; a line without a number is no line of a trace.
          const { ok } = verify(loose);
          if (ofAnotherType) assert.equal(ok, false, `${path} = ${JSON.stringify(other)}`);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('a missing field never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...traces), fc.nat(), (events, seed) => {
        const loose = copy(events);
        const leaves = loose.flatMap(event => leavesOf(event));
        const { parent, key } = leaves[seed % leaves.length]!;
        if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else delete parent[key];
        verify(loose);
      }),
      { numRuns: 1500 },
    );
  });
});
