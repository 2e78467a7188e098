/** Words of a text that a document does not hold, whatever their order. */
import { placesOnlyIn } from './aligned-words.ts';
import { missingFrom, wordsOf } from './words.ts';

export interface LostWords {
  /** Words that the other reader finds. */
  readonly words: number;
  readonly lost: number;
  /** Words that the document holds joined or split otherwise. */
  readonly cut: number;
  /** Words of the document that the other reader does not find. */
  readonly beyond: number;
  /** Runs of lost words, longest first, each with the words around it. */
  readonly runs: readonly string[];
}

/** Words on both sides of a run that say where it stood. */
const AROUND = 5;

/** Compares what another reader finds in a file with what our document holds. */
export function lostWords(other: string, ours: string): LostWords {
  const words = wordsOf(other);
  const held = wordsOf(ours);
  const missing = missingFrom(words, held, placesOnlyIn(words, held));
  const beyond = missingFrom(held, words, placesOnlyIn(held, words));
  const runs = runsOf(missing);
  const letters = lettersAround(held, runsOf(beyond));
  const isCut = ([from, to]: Run): boolean => standsCut(words, from, to, letters);
  const lost = runs.filter(run => !isCut(run));
  return {
    words: words.length,
    lost: sumOf(lost),
    cut: sumOf(runs) - sumOf(lost),
    beyond: beyond.filter(Boolean).length,
    runs: lost
      .toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]))
      .map(([from, to]) =>
        [
          ...words.slice(Math.max(0, from - AROUND), from),
          `[${words.slice(from, to).join(' ')}]`,
          ...words.slice(to, to + AROUND),
        ].join(' '),
      ),
  };
}

/** The first word of a run and the word after its last. */
type Run = readonly [from: number, to: number];

const sumOf = (runs: readonly Run[]): number =>
  runs.reduce((sum, [from, to]) => sum + to - from, 0);

function runsOf(marks: readonly boolean[]): Run[] {
  const runs: [number, number][] = [];
  for (const [at, isMarked] of marks.entries())
    if (isMarked && runs.at(-1)?.[1] === at) runs.at(-1)![1]++;
    else if (isMarked) runs.push([at, at + 1]);
  return runs;
}

/** Returns the letters of each run, with those of the words beside it. */
const lettersAround = (words: readonly string[], runs: readonly Run[]): string =>
  runs.map(([from, to]) => words.slice(Math.max(0, from - 1), to + 1).join('')).join(' ');

/**
 * Tells whether the letters of a run, with those of a word beside it, stand among what the document
 * holds beyond the other text: `work` `flow` as `workflow`, and `workflow` as `work` `flow`.
 */
function standsCut(words: readonly string[], from: number, to: number, letters: string): boolean {
  const run = words.slice(from, to).join('');
  const [before, after] = [words[from - 1] ?? '', words[to] ?? ''];
  return letters.includes(before + run) || letters.includes(run + after);
}
