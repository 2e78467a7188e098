/**
 * Reads a text in a language other than English as what stands for its stems: groups of letters of
 * words, and pairs of letters where a script is compared by them. Needs no dictionary; a table of
 * the language names its function words and particles.
 */
import { foldedText } from '../core/text/folded.ts';
import { GRAM_SCRIPTS, HAN, HANGUL } from '../core/text/scripts.ts';
import type { LanguageTable } from './language.ts';
import { letterGroups } from './letter-groups.ts';
import { unspacedCut } from './plain-words.ts';
import { LANGUAGE_TABLES } from './tables/tables.ts';

/** Holds what a text is compared by. */
export interface ComparedText {
  /** In order, with repetitions. */
  readonly stems: readonly string[];
  /** Neighbours, joined by a blank. */
  readonly pairs: ReadonlySet<string>;
}

/** A word, or a run of letters between function words. */
interface Run {
  readonly stems: readonly string[];
  /** Those of its stems that are paired with their neighbours. */
  readonly paired: readonly Placed[];
}

/** A stem, and the number of its first letter in the run. */
interface Placed {
  readonly stem: string;
  readonly start: number;
}

const GRAM = String.raw`[${GRAM_SCRIPTS}]\p{M}*`;
const RUN = new RegExp(String.raw`(?:${GRAM})+|(?:(?![${GRAM_SCRIPTS}])[\p{L}\p{M}\p{N}])+`, 'gu');
const LETTER = new RegExp(GRAM, 'gu');
const BEGINS_GRAM = new RegExp(`^[${GRAM_SCRIPTS}]`, 'u');
const BEGINS_HANGUL = new RegExp(`^[${HANGUL}]`, 'u');
const IS_HAN = new RegExp(`^[${HAN}]+$`, 'u');
/** Japanese writes function words and endings in Hiragana. */
const IS_HIRAGANA = /^[\u3041-\u309f]+$/u;

/** Returns what reads texts in a language, given by its ISO 639-1 code. */
export function letterStems(code: string): (text: string) => ComparedText {
  const table = LANGUAGE_TABLES.find(table => table.code === code);
  const cut = table?.unspaced ? unspacedCut(table) : String;
  const known = new Map<string, readonly Run[]>();
  return text => {
    const runs = (foldedText(text).match(RUN) ?? []).flatMap(written => {
      let made = known.get(written);
      if (made === undefined) known.set(written, (made = runsOf(written, table, cut)));
      return made;
    });
    return { stems: runs.flatMap(({ stems }) => stems), pairs: pairsIn(runs) };
  };
}

/**
 * Reads one run of letters. Function words go where pairs of letters are compared: the pairs that
 * they make with their neighbours look rare. Words apart are weighed by how rare they are.
 */
function runsOf(
  run: string,
  table: LanguageTable | undefined,
  cut: (run: string) => string,
): readonly Run[] {
  if (!BEGINS_GRAM.test(run)) return run.length > 1 ? [wordRun(letterGroups(run))] : [];
  if (BEGINS_HANGUL.test(run))
    return table?.stopWords.has(run)
      ? []
      : [wordRun(pairsOfLetters(withoutParticles(run, table?.particles ?? [])))];
  return ((IS_HAN.test(run) ? cut(run) : run).match(RUN) ?? []).map(unspacedRun);
}

/** A word is paired by its beginning, which is mostly its stem. */
const wordRun = (stems: readonly string[]): Run => ({
  stems,
  paired: stems.slice(0, 1).map(stem => ({ stem, start: 0 })),
});

/** Takes particles off as long as one stands there, so that a word with and without one agree. */
function withoutParticles(word: string, particles: readonly string[]): string {
  let left = word;
  for (;;) {
    const end = particles.find(each => left.length > each.length && left.endsWith(each));
    if (end === undefined) return left;
    left = left.slice(0, -end.length);
  }
}

/** A letter of Han has a meaning of its own, which longer words keep: 改 stands in 更改 and 修改. */
function unspacedRun(run: string): Run {
  const paired = pairsOfLetters(run)
    .map((stem, start) => ({ stem, start }))
    .filter(({ stem }) => !IS_HIRAGANA.test(stem));
  const letters = run.match(LETTER)!.filter(letter => letter !== run && IS_HAN.test(letter));
  return { stems: [...letters, ...paired.map(({ stem }) => stem)], paired };
}

function pairsOfLetters(run: string): readonly string[] {
  const letters = run.match(LETTER)!;
  return letters.length === 1
    ? letters
    : letters.slice(1).map((letter, at) => letters[at]! + letter);
}

/** Pairs each stem with the next one that shares no letter with it. */
function pairsIn(runs: readonly Run[]): Set<string> {
  const pairs = new Set<string>();
  const lists = runs.map(({ paired }) => paired).filter(({ length }) => length > 0);
  for (const [at, paired] of lists.entries())
    for (const [index, { stem, start }] of paired.entries()) {
      // Two letters make a stem, so the one after the next is apart at the latest.
      const apart = paired.slice(index + 1, index + 3).find(other => other.start > start + 1);
      const next = apart ?? lists[at + 1]?.[0];
      if (next !== undefined) pairs.add(`${stem} ${next.stem}`);
    }
  return pairs;
}
