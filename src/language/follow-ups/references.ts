/** Reads whether a question refers to what was said before it, and by which words. */
import { blanked } from '../../core/text/replace-spans.ts';
import { type Mention, mentionsIn, spansOf, WORD } from './mentions.ts';
import { namedThings } from './named-things.ts';
import { OTHER_PRONOUNS, REFERENCE_TABLES } from './reference-tables.ts';
import type { ReferenceWords } from './reference-words.ts';

export interface FollowUpReading {
  /**
   * `alone`: nothing refers back. `inside`: it may, by a pronoun that may stand for a name of the
   * question itself, a question without a name, or a language without words here. `back`: it does.
   */
  readonly refers: 'alone' | 'inside' | 'back';
  /** The words of its language; undefined for a language without them. */
  readonly words: ReferenceWords | undefined;
  readonly mentions: readonly Mention[];
  /** True if words refer back that do not say to what. */
  readonly unnamed: boolean;
}

/**
 * Returns the words of the language that a question is in; undefined if nothing tells. `before`: a
 * question whose language counts where several fit alike.
 */
export function referenceWords(question: string, before?: string): ReferenceWords | undefined {
  const lower = Array.from(question.toLowerCase().matchAll(/[\p{L}\p{M}]+/gu), ([word]) => word);
  const counts = REFERENCE_TABLES.map(({ marks }) => lower.filter(word => marks.has(word)).length);
  const most = Math.max(...counts);
  const fitting = most === 0 ? [] : REFERENCE_TABLES.filter((_, at) => counts[at] === most);
  if (fitting.length < 2 || before === undefined) return fitting[0];
  const usual = referenceWords(before);
  return fitting.find(words => words === usual) ?? fitting[0];
}

/** Reads a question; `before` is the one before it. */
export function followUpReading(question: string, before?: string): FollowUpReading {
  const words = referenceWords(question, before);
  if (words === undefined) {
    const unnamed = OTHER_PRONOUNS.test(question);
    return { refers: unnamed ? 'back' : 'inside', words, mentions: [], unnamed };
  }
  const text = blanked(question, spansOf(words.idle, question));
  const names = namedThings(question, words);
  const firstName = Math.min(...names.map(name => indexIn(question, name)));
  const { mentions, inside } = mentionsIn(text, words, names.length === 0);
  const unnamed = words.unnamed.test(text);
  const isBack =
    unnamed ||
    words.about.test(question) ||
    mentions.some(({ start }) => start < firstName) ||
    (names.length === 0 ? isShort(question, words) : namesOnly(question, names, words));
  const hinted = inside || mentions.length > 0 || words.hints.test(text);
  const mayRefer = hinted || (names.length === 0 && isOpen(question, words));
  const refers = isBack ? 'back' : mayRefer ? 'inside' : 'alone';
  return { refers, words, mentions, unnamed };
}

function indexIn(question: string, name: string): number {
  const at = question.indexOf(name);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** True for "What is the population?" and "Which is older?": of what is not said. */
function isOpen(question: string, { marks, articles }: ReferenceWords): boolean {
  const words = Array.from(question.toLowerCase().matchAll(WORD), ([word]) => word);
  const known = articles.split(' ');
  return (
    words.some(word => known.includes(word)) || words.filter(word => !marks.has(word)).length < 2
  );
}

/** True for "And Berlin?" and "And in Berlin?". */
function namesOnly(
  question: string,
  [name, second]: readonly string[],
  { opening, links }: ReferenceWords,
): boolean {
  if (second !== undefined || !opening.test(question)) return false;
  const rest = question.replace(opening, '').replace(name!, ' ').match(WORD) ?? [];
  return rest.every(word => links.split(' ').includes(word.toLowerCase()));
}

/** True for "And when?" and "¿Cuándo murió?": no word but a verb says what is asked about. */
function isShort(question: string, words: ReferenceWords): boolean {
  const content = Array.from(question.toLowerCase().matchAll(WORD), ([word]) => word).filter(
    word => !words.marks.has(word),
  );
  if (content.length === 0 || words.opening.test(question)) return true;
  const first = question.toLowerCase().match(WORD)?.[0] ?? '';
  return words.dropsSubjects && content.length === 1 && words.adjuncts.split(' ').includes(first);
}
