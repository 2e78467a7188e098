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

const hopsOf = (events: Loose[]): Loose[] =>
  events.filter(({ type }) => type === 'hop').map(({ hop }) => hop);
const only = (events: Loose[], type: string): Loose => events.find(event => event.type === type);

/** Applies a change to one item of a list that `list` gives of each hop. */
const one =
  (
    list: (hop: Loose) => Loose[],
    change: (item: Loose, hop: Loose, index: number) => void,
  ): Mutation =>
  (events, pick) => {
    const items = hopsOf(events).flatMap((hop, index) =>
      list(hop).map(item => ({ item, hop, index })),
    );
    const chosen = pick(items);
    if (chosen) change(chosen.item, chosen.hop, chosen.index);
    return chosen !== undefined;
  };
const kept = (hop: Loose): Loose[] => hop.kept;
const rejected = (hop: Loose): Loose[] => hop.rejected;
const searches = (hop: Loose): Loose[] => hop.searches;
const followUps = (hop: Loose): Loose[] => hop.searches.filter((search: Loose) => search.from);
const rankings = (hop: Loose): Loose[] =>
  hop.searches.map(({ hits }: Loose) => hits).filter(({ length }: Loose) => length > 1);
const choosing = (hop: Loose): Loose[] => (hop.withdrawn?.length > 0 ? [hop] : []);
const ordering = (hop: Loose): Loose[] => (hop.order?.length > 0 ? [hop] : []);
const whole = (hop: Loose): Loose[] => (hop.incomplete === undefined ? [hop] : []);

const MUTATIONS: Readonly<Record<string, readonly [TraceLaw, Mutation]>> = {
  'a kept item of a later hop': [
    'references',
    one(kept, (item, _, at) => {
      item.search.hop = at + 1;
    }),
  ],
  'a kept item of a missing search': [
    'references',
    one(kept, item => {
      item.search.search = 99;
    }),
  ],
  'a kept item that was no hit': [
    'references',
    one(kept, item => {
      item.id = 'nobody';
    }),
  ],
  'a kept item of another document': [
    'references',
    one(kept, item => {
      item.documentId = 'other';
    }),
  ],
  'a rejected item of a missing search': [
    'references',
    one(rejected, item => {
      item.search.search = 99;
    }),
  ],
  'a rejected item that was no hit': [
    'references',
    one(rejected, item => {
      item.id = 'nobody';
    }),
  ],
  'a rejection without a reason': [
    'choice',
    one(rejected, item => {
      item.why = '';
    }),
  ],
  'a search that depends on its own hop': [
    'references',
    one(followUps, (item, _, at) => {
      item.from = { hop: at, search: 0 };
    }),
  ],
  'a search that depends on a missing search': [
    'references',
    one(followUps, item => {
      item.from.search = 99;
    }),
  ],
  'a search that depends on no hit': [
    'references',
    one(followUps, item => {
      item.from.id = 'nobody';
    }),
  ],
  'a search that depends on the future': [
    'references',
    one(searches, (item, _, at) => {
      item.from = { hop: at + 1, search: 0 };
    }),
  ],
  'hits in reverse': [
    'hits',
    one(rankings, hits => {
      hits.reverse();
    }),
  ],
  'a hit twice': [
    'hits',
    one(rankings, hits => {
      hits.push(hits[0]);
    }),
  ],
  'a withdrawal of a stranger': [
    'choice',
    one(choosing, hop => {
      hop.withdrawn.push({ id: 'nobody', why: 'weak' });
    }),
  ],
  'a withdrawal twice': [
    'choice',
    one(choosing, hop => {
      hop.withdrawn.push(hop.withdrawn[0]);
    }),
  ],
  'a withdrawal without a reason': [
    'choice',
    one(choosing, hop => {
      hop.withdrawn[0].why = '';
    }),
  ],
  'an item kept twice': [
    'choice',
    one(
      hop => (hop.kept.length > 0 ? [hop] : []),
      hop => {
        hop.kept.push(hop.kept[0]);
      },
    ),
  ],
  'an order of a stranger': [
    'choice',
    one(ordering, hop => {
      hop.order.push('nobody');
    }),
  ],
  'an order of an item twice': [
    'choice',
    one(ordering, hop => {
      hop.order.push(hop.order[0]);
    }),
  ],
  'scores of a stranger': [
    'choice',
    one(whole, hop => {
      hop.scores = { ...hop.scores, nobody: 1 };
    }),
  ],
  'an incomplete hop that orders': [
    'choice',
    one(
      hop => [hop],
      hop => {
        hop.incomplete = 'ms';
        hop.order = [];
      },
    ),
  ],
  'an incomplete hop in the middle': [
    'sequence',
    (events, pick) => {
      const hop = pick(
        hopsOf(events)
          .slice(0, -1)
          .filter(each => !each.order && !each.withdrawn),
      );
      if (hop) hop.incomplete = 'ms';
      return hop !== undefined;
    },
  ],
  'an incomplete hop of a run that was not stopped': [
    'sequence',
    events => {
      const hop = hopsOf(events).at(-1);
      if (!hop || hop.order || hop.withdrawn || hop.scores || only(events, 'end').stopped)
        return false;
      hop.incomplete = 'ms';
      return true;
    },
  ],
  'another index': [
    'sequence',
    (events, pick) => {
      const event = pick(events.filter(({ type }) => type === 'hop'));
      if (event) event.index += 1;
      return event !== undefined;
    },
  ],
  'another number of tokens in a hop': [
    'costs',
    one(
      hop => [hop],
      hop => {
        hop.spent.contextTokens = (hop.spent.contextTokens ?? 0) + 1;
      },
    ),
  ],
  'another number of documents in a hop': [
    'costs',
    one(
      hop => [hop],
      hop => {
        hop.spent.documents = (hop.spent.documents ?? 0) + 1;
      },
    ),
  ],
  'searches that were not paid for': [
    'costs',
    one(
      hop => (hop.searches.length > 0 ? [hop] : []),
      hop => {
        hop.spent.retrievals = 0;
      },
    ),
  ],
  'negative amounts': [
    'costs',
    one(
      hop => [hop],
      hop => {
        hop.spent.modelCalls = -1;
      },
    ),
  ],
  'two hops in one': [
    'costs',
    one(
      hop => [hop],
      hop => {
        hop.spent.hops = 2;
      },
    ),
  ],
  'a budget below the cost': [
    'costs',
    events => {
      const most = only(events, 'end').spent.retrievals ?? 0;
      only(events, 'question').budget.retrievals = most - 1;
      return most > 0;
    },
  ],
  'an item of evidence less': [
    'evidence',
    events => only(events, 'context').evidence.shift() !== undefined,
  ],
  'an item of evidence more': [
    'evidence',
    events => {
      const { evidence } = only(events, 'context');
      if (evidence.length > 0) evidence.push({ ...evidence[0], id: 'nobody' });
      return evidence.length > 0;
    },
  ],
  'evidence in another order': [
    'evidence',
    events => {
      const { evidence } = only(events, 'context');
      evidence.reverse();
      return evidence.length > 1;
    },
  ],
  'another score of evidence': [
    'evidence',
    events => {
      const [item] = only(events, 'context').evidence;
      if (item) item.score += 1;
      return item !== undefined;
    },
  ],
  'another context': [
    'evidence',
    events => {
      only(events, 'question').context = 'whole';
      return true;
    },
  ],
  'a part of a stranger': [
    'evidence',
    events => {
      const [part] = only(events, 'context').context.parts;
      if (part) part.id = 'nobody';
      return part !== undefined;
    },
  ],
  'a part beyond the text': [
    'evidence',
    events => {
      const [part] = only(events, 'context').context.parts;
      if (part) part.end = 1e6;
      return part !== undefined;
    },
  ],
  'a ranking with a stranger': [
    'ranking',
    events => only(events, 'context').ranking.push('nobody') > 0,
  ],
  'a ranking with a document twice': [
    'ranking',
    events => {
      const { ranking } = only(events, 'context');
      return ranking.length > 0 && ranking.push(ranking[0]) > 0;
    },
  ],
  'a ranking without the evidence first': [
    'ranking',
    events => {
      const { ranking, evidence } = only(events, 'context');
      if (evidence.length > 0) ranking.push(ranking.shift());
      return evidence.length > 0 && ranking.length > 1;
    },
  ],
  'tokens that the text does not have': [
    'costs',
    events => (only(events, 'context').context.tokens += 1) > 0,
  ],
  'words that the tokens do not count': [
    'costs',
    events => {
      only(events, 'context').context.text += ' more words';
      return true;
    },
  ],
  'a citation of a stranger': [
    'answer',
    events => {
      const [citation] = only(events, 'answer').answer.citations ?? [];
      if (citation) citation.id = 'nobody';
      return citation !== undefined;
    },
  ],
  'a citation beyond the evidence': [
    'answer',
    events => {
      const [citation] = only(events, 'answer').answer.citations ?? [];
      if (citation) citation.end = 1e6;
      return citation !== undefined;
    },
  ],
  'no words': [
    'answer',
    events => {
      const { answer } = only(events, 'answer');
      answer[answer.kind === 'abstained' ? 'reason' : 'text'] = '';
      return true;
    },
  ],
  'another number of hops': [
    'costs',
    events => {
      only(events, 'end').spent.hops = 99;
      return true;
    },
  ],
  'a total below the hops': [
    'costs',
    events => {
      const { spent } = only(events, 'end');
      return spent.retrievals > 0 && (spent.retrievals -= 1) >= 0;
    },
  ],
  'another total of tokens': [
    'costs',
    events => {
      only(events, 'end').spent.contextTokens = 1e6;
      return true;
    },
  ],
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

describe('a trace that was changed and chained anew is refused', () => {
  for (const [what, [law, mutate]] of Object.entries(MUTATIONS))
    test(`${what}: ${law}`, () => {
      let changed = 0;
      fc.assert(
        fc.property(fc.nat(), seed => {
          const pick = <T>(items: readonly T[]): T | undefined => items[seed % items.length];
          for (const events of traces) {
            const loose = copy(events);
            if (!mutate(loose, pick)) continue;
            changed++;
            checkRefused(loose, events, law);
          }
        }),
        { numRuns: 5 },
      );
      assert.ok(changed >= 10, `applied ${changed} times only`);
    });
});

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

const counting = (hop: Loose): Loose[] =>
  hop.searches.filter(({ found }: Loose) => found !== undefined);
const COMPACT_MUTATIONS: Readonly<Record<string, readonly [TraceLaw, Mutation]>> = {
  ...Object.fromEntries(Object.entries(MUTATIONS).filter(([what]) => !IN_FULL_ALONE.has(what))),
  'fewer hits found than listed': [
    'hits',
    one(counting, search => {
      search.found = search.hits.length;
    }),
  ],
  'hits left out without a hash': [
    'hits',
    one(counting, search => {
      delete search.hash;
    }),
  ],
  'a hash without a count': [
    'hits',
    one(counting, search => {
      delete search.found;
    }),
  ],
  'a count of refusals that is none': [
    'shape',
    one(
      hop => (hop.refused ? [hop] : []),
      hop => {
        hop.refused = { budget: -1 };
      },
    ),
  ],
  'more items kept than found': [
    'references',
    one(
      hop => (hop.kept.length > 1 ? counting(hop) : []),
      (search, hop) => {
        search.found = 1;
        search.hits = [];
        for (const item of hop.kept) item.search = { hop: 0, search: hop.searches.indexOf(search) };
      },
    ),
  ],
  'more documents ranked than found': [
    'ranking',
    events => {
      const { ranking } = only(events, 'context');
      for (let more = 0; more < 1000; more++) ranking.push(`stranger ${more}`);
      return true;
    },
  ],
};

describe('a compact trace that was changed and chained anew is refused', () => {
  for (const [what, [law, mutate]] of Object.entries(COMPACT_MUTATIONS))
    test(`${what}: ${law}`, () => {
      let changed = 0;
      for (let seed = 0; seed < 3; seed++)
        for (const events of compact) {
          const loose = copy(events);
          if (!mutate(loose, items => items[seed % items.length])) continue;
          changed++;
          checkRefused(loose, events, law, false);
        }
      assert.ok(changed >= 10, `applied ${changed} times only`);
    });
});

/** Checks that the law is named, at the first changed event or after it. */
function checkRefused(
  changed: Loose[],
  events: readonly TraceEvent[],
  law: TraceLaw,
  full = true,
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
      const own = { parent: value, key, path: at };
      return typeof inner === 'object' && inner !== null ? [own, ...leavesOf(inner, at)] : [own];
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
