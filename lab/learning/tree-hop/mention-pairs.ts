/** Paragraphs that name others: where the text of one holds the title of another. */

import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { shuffled } from '../../../src/evaluation/fitting/folds.ts';
import type { TrainingParagraph } from '../training-question.ts';

/** The first mention of a paragraph in another paragraph; rows of the paragraphs. */
export interface Mention {
  readonly from: number;
  readonly to: number;
  /** In UTF-16 units of the text. */
  readonly at: number;
  readonly length: number;
}

/** A hyphen inside joins: "Anglo-Spanish" names no Spanish. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*/gu;
/** Longer titles are not looked for, which bounds the work at each word. */
const MOST_WORDS = 12;
/** So many paragraphs name a country: being named by one says little of it. */
const HUB = 400;

/**
 * MuSiQue cuts articles into pieces: with more texts of one title it is not known which one the
 * name leads to.
 */
const MOST_TEXTS = 4;
/** Pages that lead elsewhere and are about nothing. */
const isIndex = ({ title, text }: TrainingParagraph): boolean =>
  title.startsWith('List of ') || /\bmay (?:also )?refer to\b/.test(text.slice(0, 300));

/** "North Charleston" and "Seattle Seahawks" name neither Charleston nor Seattle. */
const IN_LONGER_BEFORE =
  /(?:^|[^\p{L}])(?:North|South|East|West|New|Saint|St|St\.|Prince|Mount|Fort|Lake|Great) $/u;
const IN_LONGER_AFTER = /^ \p{Lu}/u;

/** A title without what tells it from others of its name: "Hero (1983 film)" is "Hero". */
export const bareTitle = (title: string): string => title.replace(/ \([^()]*\)$/, '');

/** Returns the bare title from its first to its last letter or digit. */
const nameOf = (title: string): string =>
  bareTitle(title).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '');

/**
 * First mentions, in the order of paragraphs and of their text. At each word the longest title
 * counts and hides those within it; none counts within the paragraph's own. A name that two
 * titles share names none of them; one word is a name only from seven letters on, where no text
 * writes it in small letters; one word, with or without an article, names no title with a "(...)".
 * Titles that more than `HUB` paragraphs name are left out. Takes time linear in the texts.
 */
export function mentionsOf(paragraphs: readonly TrainingParagraph[]): Mention[] {
  const targets = mentionTargets(paragraphs);
  const longest = new Map<string, number>();
  for (const name of targets.keys()) {
    const words = name.match(WORD)!;
    longest.set(words[0]!, Math.max(longest.get(words[0]!) ?? 0, words.length));
  }
  const found: Mention[] = [];
  const counts = new Map<string, number>();
  for (const [from, { title, text }] of paragraphs.entries()) {
    if (title === '' || isIndex({ title, text })) continue;
    const articleTitle = nameOf(title);
    const seen = new Set<string>([articleTitle]);
    for (const { name, at } of namesIn(text, targets, longest)) {
      if (
        seen.has(name) ||
        (articleTitle.includes(name) &&
          text.startsWith(articleTitle, at - articleTitle.indexOf(name)))
      )
        continue;
      seen.add(name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      for (const to of targets.get(name)!) found.push({ from, to, at, length: name.length });
    }
  }
  return found.filter(({ to }) => counts.get(nameOf(paragraphs[to]!.title))! <= HUB);
}

/** Rows by the name that is looked for; several are texts of one title. */
export function mentionTargets(paragraphs: readonly TrainingParagraph[]): Map<string, number[]> {
  const small = new Set(
    paragraphs.flatMap(
      ({ text }) => text.match(/(?<![\p{L}\p{M}\p{N}-])\p{Ll}[\p{L}\p{M}]*/gu) ?? [],
    ),
  );
  const byName = new Map<string, Map<string, number[]>>();
  for (const [row, { title, text }] of paragraphs.entries()) {
    if (isIndex({ title, text })) continue;
    const name = nameOf(title);
    const words = name.match(WORD)?.length ?? 0;
    if (words === 0 || words > MOST_WORDS || name.length < 4) continue;
    if (!name.replace(/^(?:The|A|An) /, '').includes(' ') && bareTitle(title) !== title) continue;
    if (!name.includes(' ') && (name.length < 7 || small.has(name.toLowerCase()))) continue;
    const titles = byName.get(name) ?? new Map<string, number[]>();
    byName.set(name, titles.set(title, [...(titles.get(title) ?? []), row]));
  }
  const targets = new Map<string, number[]>();
  for (const [name, titles] of byName) {
    // The title without a "(...)" is what the bare name means where there is one.
    const plain = [...titles.keys()].filter(title => bareTitle(title) === title);
    const meant = plain.length > 0 ? plain : [...titles.keys()];
    const rows = titles.get(meant[0]!)!;
    if (meant.length === 1 && rows.length <= MOST_TEXTS) targets.set(name, rows);
  }
  return targets;
}

function* namesIn(
  text: string,
  targets: ReadonlyMap<string, unknown>,
  longest: ReadonlyMap<string, number>,
): Generator<{ name: string; at: number }> {
  const words = [...text.matchAll(WORD)];
  for (let first = 0; first < words.length; first++) {
    const { index: at, 0: word } = words[first]!;
    for (let count = Math.min(longest.get(word) ?? 0, words.length - first); count > 0; count--) {
      const last = words[first + count - 1]!;
      const name = text.slice(at, last.index + last[0].length);
      if (
        !targets.has(name) ||
        IN_LONGER_BEFORE.test(text.slice(Math.max(0, at - 8), at)) ||
        IN_LONGER_AFTER.test(text.slice(at + name.length, at + name.length + 3))
      )
        continue;
      yield { name, at };
      first += count - 1;
      break;
    }
  }
}

/** The mentions in a shuffled order, at most so many of each target paragraph. */
export function someMentions(
  mentions: readonly Mention[],
  perTarget: number,
  seed: number,
): Mention[] {
  const taken = new Map<number, number>();
  return shuffled(mentions, mulberry32(seed)).filter(({ to }) => {
    const count = (taken.get(to) ?? 0) + 1;
    taken.set(to, count);
    return count <= perTarget;
  });
}
