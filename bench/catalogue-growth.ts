/**
 * CPU time of a whole `ask` with the longest question, as the source names of a corpus grow
 * tenfold: the first question, which prepares the catalogue, and a later one.
 */

import { LONGEST_QUESTION } from '../src/core/text/question-text.ts';
import { monotonicClock } from '../src/platform/clock.ts';
import { askEvents } from '../src/run/ask.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import type { SearchEngine } from '../src/search/engine.ts';
import { cpuTime, machine, type Result, type Task } from './measure.ts';

const SIZES = [10_000, 100_000];
const STRATEGIES = ['fact-lanes', 'budgeted-agent', 'decomposition', 'multi-meta-rag'];
const ROUNDS = 3;
const WORDS = ['Ferry', 'Hill', 'Harbour', 'Quay', 'Stone', 'River', 'North', 'Green', 'Post'];

const nameOf = (at: number): string =>
  `The ${WORDS[at % 9]} ${WORDS[Math.floor(at / 9) % 9]} ${at.toString(36)}`;

const QUESTION =
  'Which company, according to The Ferry Hill 9 and the articles of The Stone Post ab, sailed? '
    .repeat(100)
    .slice(0, LONGEST_QUESTION - 1)
    .concat('?');

function snapshotOf(names: number): Promise<SearchEngine> {
  const documents = Array.from({ length: names }, (_, at) => ({
    id: `document-${at}`,
    title: `Ferry ${at}`,
    text: `The ferry ${at} sailed.`,
    metadata: { source: nameOf(at) },
  }));
  return new EmbeddedEngine({ documents }).snapshot();
}

async function askTimes(names: number, strategy: string): Promise<[first: number, later: number]> {
  const engine = await snapshotOf(names);
  const ask = async (text: string): Promise<void> => {
    for await (const _ of askEvents(text, { engine, strategy }, monotonicClock));
  };
  // The lexical index is built before.
  for await (const _ of askEvents('Ferry?', { engine, strategy: 'fixed-top-k' }, monotonicClock));
  const first = await cpuTime(() => ask(QUESTION));
  const later: number[] = [];
  for (let round = 0; round < ROUNDS; round++) later.push(await cpuTime(() => ask(QUESTION)));
  return [first, Math.min(...later)];
}

export const catalogueGrowth: Task = async ({ say }) => {
  const results: Result[] = [];
  for (const strategy of STRATEGIES) {
    const [few, many] = [await askTimes(SIZES[0]!, strategy), await askTimes(SIZES[1]!, strategy)];
    say(`catalogue-growth: ${strategy} ${many.map(ms => ms.toFixed(0)).join(', ')} ms`);
    for (const [at, what] of ['the first question', 'a later question'].entries())
      results.push({
        task: `catalogue-growth: ${strategy}, ${what} of ${LONGEST_QUESTION} units`,
        n: SIZES[1]!,
        unit: 'CPU ms',
        ours: many[at]!,
        peers: [],
        note: `${few[at]!.toFixed(0)} ms with ${SIZES[0]} source names; the names are ten times as many`,
        machine: machine(),
      });
  }
  return results;
};
