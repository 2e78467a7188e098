/**
 * CPU time of a whole `ask` over a small store, as questions of repeated fragments grow to the
 * greatest length: fragments over which a careless expression takes quadratic time.
 */
import { askEvents } from '../src/ask.ts';
import { LONGEST_QUESTION } from '../src/asking/question-text.ts';
import { monotonicClock } from '../src/edges/clock.ts';
import { EmbeddedEngine } from '../src/retrieval/embedded-engine.ts';
import { cpuTime, machine, type Result, type Task } from './measure.ts';

const SOURCES = ['The Ferry Post', 'Harbourline', 'Quayside.com', 'Hill Gazette'];
const FRAGMENTS: Readonly<Record<string, string>> = {
  ...{ letters: 'A', names: 'Ada Lovelace ', 'joined names': 'Ada of Lovelace ' },
  ...{ quotes: '"', apostrophes: "'", hyphens: 'A-', commas: ', ', stops: '. ', blanks: ' ' },
  ...{ sources: 'The Ferry Post ', 'misspelt sources': 'TehFerry Harbuorline Quyaside ' },
  ...{ citations: 'according to The Ferry Post ', reports: 'articles by ', days: 'October 7 ' },
  ...{ questions: 'which ', order: 'before ', clauses: 'did the ferry sail, and ' },
};
const STRATEGIES = ['fact-lanes', 'budgeted-agent', 'decomposition', 'multi-meta-rag'];
const ROUNDS = 3;

const questionOf = (fragment: string, length: number): string =>
  `Who ${fragment.repeat(Math.ceil(length / fragment.length))}`.slice(0, length - 2).concat('x?');

const engine = (): EmbeddedEngine =>
  new EmbeddedEngine({
    documents: Array.from({ length: 40 }, (_, index) => ({
      id: `document-${index}`,
      title: `Ferry ${index}`,
      text: `The ferry ${index} sailed on October 7. Ada Lovelace read "The Engine" in 18${10 + index}.`,
      metadata: { source: SOURCES[index % 4]!, published_at: `2024-10-${10 + (index % 20)}` },
    })),
  });

async function leastTime(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await cpuTime(run));
  return Math.min(...times);
}

interface Growth {
  readonly what: string;
  readonly half: number;
  readonly full: number;
}

async function growths(strategy: string): Promise<Growth[]> {
  const store = engine();
  const ask = async (text: string): Promise<void> => {
    for await (const _ of askEvents(text, { engine: store, strategy }, monotonicClock));
  };
  const found: Growth[] = [];
  for (const [what, fragment] of Object.entries(FRAGMENTS)) {
    const [half, full] = [LONGEST_QUESTION / 2, LONGEST_QUESTION].map(length =>
      questionOf(fragment, length),
    ) as [string, string];
    await ask(half);
    found.push({
      what,
      half: await leastTime(() => ask(half)),
      full: await leastTime(() => ask(full)),
    });
  }
  return found;
}

/** Times below this are start-up: their ratio says nothing. */
const LEAST_MS = 5;

export const questionLength: Task = async ({ say }) => {
  const results: Result[] = [];
  for (const strategy of STRATEGIES) {
    const all = await growths(strategy);
    const slowest = all.reduce((a, b) => (b.full > a.full ? b : a));
    const grown = all
      .filter(({ full }) => full >= LEAST_MS)
      .sort((a, b) => b.full / b.half - a.full / a.half)[0];
    say(`question-length: ${strategy}, slowest ${slowest.what} ${slowest.full.toFixed(0)} ms`);
    results.push({
      task: `question-length: ${strategy}, the slowest of ${all.length} texts`,
      ...{ n: LONGEST_QUESTION, unit: 'CPU ms', ours: slowest.full, peers: [] },
      note: grown
        ? `${slowest.what}; twice the length takes at most ${(grown.full / grown.half).toFixed(2)} times as long (${grown.what})`
        : slowest.what,
      machine: machine(),
    });
  }
  return results;
};
