/** Finds what a word of a follow-up stands for: something that an earlier turn names. */
import { nameTypes } from '../english/names/name-types.ts';
import type { TypeName } from '../english/names/types.ts';
import { type AskedQuestion, askedQuestion } from '../english/question/asked-question.ts';
import { withPlainWords } from '../plain-words.ts';
import { namedIn, namedThings, TECHNICAL } from './named-things.ts';
import type { ReferenceWords, ReferentKind } from './reference-words.ts';
import { referenceWords } from './references.ts';
import type { Turn } from './turn.ts';

/** The name that a word stands for, or why none is chosen. */
export type Antecedent = { readonly name: string } | { readonly unsure: string };

interface Candidate {
  readonly name: string;
  readonly types: ReadonlySet<TypeName>;
  readonly answers: boolean;
}

/**
 * Returns what a word of this kind stands for, by the newest turn that names anything that it may
 * stand for; unsure if that turn names several such things. `taken`: names that other words of the
 * question stand for; `question`: the follow-up, whose language an earlier one shares in doubt.
 */
export function antecedent(
  kind: ReferentKind,
  turns: readonly Turn[],
  { taken = [], question }: { readonly taken?: readonly string[]; readonly question: string },
): Antecedent {
  for (const turn of turns.toReversed()) {
    const found = inTurn(kind, turn, taken, referenceWords(turn.question, question));
    if (found !== undefined) return found;
  }
  return { unsure: 'no earlier question or answer names what it may be about' };
}

/** Returns what the question of a turn names, and its answer where it is a name. */
function inTurn(
  kind: ReferentKind,
  turn: Turn,
  taken: readonly string[],
  words: ReferenceWords | undefined,
): Antecedent | undefined {
  const asked = askedOf(turn.question, words);
  const answer = answerName(turn, asked, words);
  const candidates: Candidate[] = [
    ...(answer === undefined
      ? []
      : [
          {
            name: answer,
            types: new Set([...typesOf(answer), ...asked.types]),
            answers: true,
          },
        ]),
    ...namedIn(turn.question, words)
      .filter(name => name !== answer)
      .map(name => ({
        name: withArticle(name, turn.question, words),
        types: typesOf(name),
        answers: false,
      })),
  ];
  const fitting = bestOf(
    candidates.filter(({ name }) => !taken.includes(name)),
    kind,
  );
  if (fitting.length === 0) return phraseOf(turn.question, kind, words?.code);
  const preferred = preferredOf(fitting, kind, asked);
  const [first, second] = preferred;
  if (second === undefined) return { name: first!.name };
  const names = preferred.map(({ name }) => `“${name}”`);
  return { unsure: `it may be about ${names.slice(0, -1).join(', ')} or ${names.at(-1)}` };
}

/** Keeps the article of an English name: "the Pixel 7". */
const withArticle = (name: string, question: string, words: ReferenceWords | undefined): string =>
  words?.code === 'en' && /\bthe $/iu.test(question.slice(0, question.indexOf(name)))
    ? `the ${name}`
    : name;

/** `max_tokens` is no person, though Max is a given name. */
const typesOf = (name: string): Set<TypeName> =>
  TECHNICAL.test(name.replace(/ \d+$/u, '')) ? new Set() : nameTypes(name, undefined);

type AskedFor = Pick<AskedQuestion, 'kind' | 'noun' | 'types'>;

/** Returns what a question asks for. */
function askedOf(question: string, words: ReferenceWords | undefined): AskedFor {
  if (words?.who?.test(question)) return { kind: 'person', noun: '', types: ['person'] };
  return askedQuestion(withPlainWords(question));
}

/**
 * Prefers the answer or the question: "Where is Acme based?" goes on about Acme, "Which firm built
 * it?" about the firm.
 */
function preferredOf(
  fitting: readonly Candidate[],
  kind: ReferentKind,
  { kind: asked, noun }: AskedFor,
): readonly Candidate[] {
  const answers = fitting.filter(each => each.answers);
  const others = fitting.filter(each => !each.answers);
  if (answers.length === 0 || others.length === 0 || kind === 'person') return fitting;
  if (kind === 'place') return answers;
  if (asked === 'person') return kind === 'any' ? fitting : answers;
  return asked === 'place' && noun === '' ? others : answers;
}

/** Returns the candidates that fit best. */
function bestOf(candidates: readonly Candidate[], kind: ReferentKind): Candidate[] {
  const fits = candidates.map(each => fit(each, kind));
  const most = Math.max(0, ...fits);
  return most === 0 ? [] : candidates.filter((_, at) => fits[at] === most);
}

/**
 * 0 for what it cannot be, 1 where nothing tells, 2 where the type of the name says so; between
 * them a name of two or three words, as persons have.
 */
function fit({ name, types }: Candidate, kind: ReferentKind): number {
  const isPerson = types.has('person');
  if (kind === 'any' || kind === 'several') return 1;
  if (kind === 'either') return isPerson ? 2 : 1;
  if (kind === 'person') return isPerson ? 2 : types.size > 0 ? 0 : / /u.test(name) ? 1.5 : 1;
  if (isPerson) return 0;
  return kind === 'place' && types.has('place') ? 2 : 1;
}

/** Words of the longest answer that is a name. */
const LONGEST_NAME = 6;

/** Returns the answer if it is a name, or the only name in it that the question does not have. */
function answerName(
  { question, answer }: Turn,
  { kind, noun }: AskedFor,
  words: ReferenceWords | undefined,
): string | undefined {
  const asksName = kind === 'person' || kind === 'place' || (kind === 'thing' && noun !== '');
  // "Who is Ada Quill?" is answered by what she is.
  if (answer === undefined || !asksName || namesAll(question, words)) return undefined;
  const text = answer
    .replace(/\[[\d,\s-]+\]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\s.!]+$/u, '')
    .replace(/^(?:The|An?)(?= )/u, article => article.toLowerCase());
  if (isName(text, words)) return text;
  const [only, second] = namedThings(text, referenceWords(text, question)).filter(
    name => !question.includes(name),
  );
  return second === undefined ? only : undefined;
}

/** True if the question has no words with content but those of names. */
function namesAll(question: string, words: ReferenceWords | undefined): boolean {
  const names = namedThings(question, words);
  const rest = names.reduce((text, name) => text.replace(name, ' '), question).toLowerCase();
  const others = rest.match(/[\p{L}\p{N}]+/gu) ?? [];
  const articles = words?.articles.split(' ') ?? [];
  // "The CEO of Acme" describes whom it asks for.
  const isPlain = (word: string): boolean =>
    !articles.includes(word) && (word.length === 1 || words?.marks.has(word) === true);
  return names.length > 0 && others.every(isPlain);
}

/** True for capital words and numbers with articles and the like between: "the Bay of Vell". */
function isName(text: string, words: ReferenceWords | undefined): boolean {
  const all = text.split(' ');
  const joining = `${words?.links ?? ''} ${words?.joins ?? ''}`.split(' ');
  if (all.length > LONGEST_NAME || !/\p{Lu}/u.test(text) || /[,;:]/u.test(text)) return false;
  return all.every(word => /^[\p{Lu}\d("“]/u.test(word) || joining.includes(word));
}

/** Matches a phrase with an article: "the warranty of the battery" has two. */
const PHRASE = /\b(?:the|our|my|your) ((?:[\p{L}\p{N}-]+ ?){1,4})/giu;

/** Returns the only phrase of an English question without names, for "it" and "they". */
function phraseOf(
  question: string,
  kind: ReferentKind,
  code: string | undefined,
): Antecedent | undefined {
  if (code !== 'en' || (kind !== 'thing' && kind !== 'several')) return undefined;
  const words = referenceWords('the')!;
  const phrases = Array.from(question.matchAll(PHRASE), ([whole, rest]) => {
    const list = rest!.trim().split(' ');
    const end = list.findIndex(word => words.marks.has(word.toLowerCase()));
    const kept = end < 0 ? list : list.slice(0, end);
    return kept.length === 0 ? '' : `${whole.slice(0, whole.indexOf(' '))} ${kept.join(' ')}`;
  }).filter(phrase => phrase !== '');
  return phrases.length === 1 ? { name: phrases[0]!.toLowerCase() } : undefined;
}
