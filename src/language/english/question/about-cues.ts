/**
 * Tells questions about a project itself: who makes it, under which licence, where it and its name
 * come from. A few pages of documentation say so: its start, its history, its licence.
 */

import { inOrder } from '../../../core/text/in-order.ts';

interface Relation {
  /** Any of them, each a pattern or two, of which the second stands behind the first. */
  readonly asked: readonly (readonly [first: RegExp, then?: RegExp])[];
  /** Words of statements that answer it. */
  readonly words: string;
}

const RELATIONS: readonly Relation[] = [
  {
    asked: [
      [
        /\bwho\b/i,
        /\b(?:ma[dk]es?|wr(?:i|o)tes?|written|develop(?:s|ed)?|creat(?:es|ed)|maintains?|maintained|start(?:s|ed)|beg[au]n|found(?:s|ed)|leads?|led|invented|built|holds?)\b/i,
      ],
      [/\bauthors? of\b|\bcopyright\b/i],
    ],
    words: 'author developed created written maintained by copyright',
  },
  { asked: [[/\blicen[cs]ed?\b/i]], words: 'license licensed under copyright' },
  {
    asked: [
      [/\b(?:named?|called) after\b|\bname (?:come|mean|stand)|\bword \S+ mean\b/i],
      [/\bname of\b/i, /\b(?:come|mean|stand)/i],
      [/\bwhat does \S+ (?:mean|stand)/i],
    ],
    words: 'name named called after word meaning',
  },
  {
    asked: [
      [
        /\bwhere (?:was|were|did|does|do)\b/i,
        /\b(?:made|written|developed|created|start|started|begin|begun|born|come|originate)\b/i,
      ],
      [/\b(?:what|which) year\b/i, /\b(?:released?|started|begun|founded|born|split|forked)\b/i],
      [/\bfork(?:ed)? (?:of|from)\b/i],
      [/\bof which \w+ is\b/i, /\bfork\b/i],
    ],
    words: 'originally developed started history created fork of',
  },
];

/** Returns words of statements that answer a question about a project itself; empty for another. */
export const aboutWords = (question: string): string =>
  RELATIONS.filter(({ asked }) =>
    asked.some(([first, then]) => (then ? inOrder(question, first, then) : first.test(question))),
  )
    .map(({ words }) => words)
    .join(' ');

const ABOUT =
  /^(?:readme|index|intro\w*|front|about|overview|faq|general|history|copyright|licen[cs]e|copying|authors?|credits|contributors|origins?|background)$/i;

/** Returns true if a document, by the name of its file, is about its project as a whole. */
export function isAbout(id: string): boolean {
  const name = id.slice(id.lastIndexOf('/') + 1).replace(/\..*$/, '');
  return ABOUT.test(name);
}
