/** Finds what a word of a follow-up stands for: something that an earlier turn names. */
import { nameTypes } from '../english/names/name-types.ts';
import type { TypeName } from '../english/names/types.ts';
import { type AskedQuestion, askedQuestion } from '../english/question/asked-question.ts';
import { withPlainWords } from '../plain-words.ts';
import { namedIn, namedThings, TECHNICAL } from './named-things.ts';
import type { ReferenceWords, ReferentKind } from './reference-words.ts';
import { followUpReading, referenceWords } from './references.ts';
import type { Turn } from './turn.ts';

/** The name that a word stands for, or why none is chosen. */
export type Antecedent = { readonly name: string } | { readonly unsure: string };

/** Types of names, and what only is no person. */
type KnownType = TypeName | 'thing';

/** Matches verbs whose object is an organisation. */
const FOUNDED = /found|gründ|fond|fund|gesticht|opgericht|основ/iu;

interface Candidate {
  readonly name: string;
  readonly types: ReadonlySet<KnownType>;
  readonly answers: boolean;
}

/** Surroundings of a word that tell what it stands for. */
export interface Within {
  /** The follow-up, whose language an earlier question shares in doubt. */
  readonly question: string;
  /** Names that other words of the question stand for. */
  readonly taken?: readonly string[];
  /** Types of the noun of a phrase: those of "ship" in "that ship". */
  readonly types?: readonly TypeName[];
}

/** A turn with the things that it names. */
interface ReadTurn {
  readonly turn: Turn;
  readonly words: ReferenceWords | undefined;
  readonly asked: AskedFor;
  readonly candidates: readonly Candidate[];
}

/**
 * Returns what a word of this kind stands for, by the newest turn that names anything that it may
 * stand for, of the type of its noun if there is such; unsure if that turn names several.
 */
export function antecedent(
  kind: ReferentKind,
  turns: readonly Turn[],
  { question, taken = [], types = [] }: Within,
): Antecedent {
  const read = withKnownTypes(turns.map(turn => candidatesOf(turn, question)).toReversed());
  const isTyped = (candidate: Candidate): boolean => types.some(type => candidate.types.has(type));
  for (const fits of types.length > 0 ? [isTyped, () => true] : [() => true])
    for (const turn of read) {
      const free = turn.candidates.filter(each => fits(each) && !taken.includes(each.name));
      const found = inTurn(kind, { ...turn, candidates: free }, fits !== isTyped);
      if (found !== undefined) return found;
    }
  return { unsure: 'no earlier question or answer names what it may be about' };
}

/** Reads what the question of a turn names, and its answer where it is a name. */
function candidatesOf(turn: Turn, followUp: string): ReadTurn {
  const { question } = turn;
  const words = referenceWords(question, followUp);
  const asked = askedOf(question, words);
  const answer = answerName(turn, asked, words);
  const byVerb = typesByVerb(question, words);
  const named = namedIn(question, words).filter(name => name !== answer);
  const ofQuestion = named.map(name => {
    const types = typesOf(name);
    const known: ReadonlySet<KnownType> =
      types.size > 0 || named.length > 1 ? types : new Set(byVerb);
    return { name: withArticle(name, question, words), types: known, answers: false };
  });
  const ofAnswer =
    answer === undefined
      ? []
      : [
          {
            name: answer,
            types: new Set<KnownType>([...typesOf(answer), ...asked.types]),
            answers: true,
          },
        ];
  return { turn, words, asked, candidates: [...ofAnswer, ...ofQuestion] };
}

/** Returns what the verb of a question tells of the only name in it. */
function typesByVerb(question: string, words: ReferenceWords | undefined): readonly KnownType[] {
  if (words?.ofPersons.test(question)) return ['person'];
  if (!words?.ofThings.test(question)) return [];
  return FOUNDED.test(question) ? ['organisation'] : ['thing'];
}

/** Gives a name the types that any of the turns tells of it. */
function withKnownTypes(read: readonly ReadTurn[]): ReadTurn[] {
  const known = new Map<string, Set<KnownType>>();
  const typesFor = (name: string): Set<KnownType> =>
    known.get(name.replace(/^the /u, '')) ?? new Set();
  for (const { name, types } of read.flatMap(({ candidates }) => candidates))
    known.set(name.replace(/^the /u, ''), new Set([...typesFor(name), ...types]));
  return read.map(turn => ({
    ...turn,
    candidates: turn.candidates.map(each => ({ ...each, types: typesFor(each.name) })),
  }));
}

function inTurn(
  kind: ReferentKind,
  { turn, words, asked, candidates }: ReadTurn,
  takesPhrases: boolean,
): Antecedent | undefined {
  const fitting = bestOf(candidates, kind);
  const isUnanswered = turn.answer === undefined && (kind === 'person' || kind === 'either');
  if (isUnanswered && asked.kind === 'person' && !fitting.some(({ types }) => types.has('person')))
    return describedBy(turn.question);
  if (fitting.length === 0)
    return takesPhrases ? phraseOf(turn.question, kind, words?.code) : undefined;
  const preferred = preferredOf(fitting, kind, asked);
  const [first, second] = preferred;
  if (second === undefined) return { name: first!.name };
  const names = preferred.map(({ name }) => `“${name}”`);
  return { unsure: `it may be about ${names.slice(0, -1).join(', ')} or ${names.at(-1)}` };
}

/** Describes the person whom a question asked for without an answer. */
function describedBy(question: string): Antecedent {
  const rest = /^who ((?!(?:is|was|are|were)\b)[^?]{3,100})\?*$/iu.exec(question)?.[1];
  return rest === undefined
    ? { unsure: 'the question before has no answer' }
    : { name: `the person who ${rest.trim()}` };
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
  if (followUpReading(question).refers === 'back') return undefined;
  const words = referenceWords('the')!;
  const phrases = Array.from(question.matchAll(PHRASE), ([whole, rest]) => {
    const list = rest!.trim().split(' ');
    const end = list.findIndex(word => words.marks.has(word.toLowerCase()));
    const kept = end < 0 ? list : list.slice(0, end);
    return kept.length === 0 ? '' : `${whole.slice(0, whole.indexOf(' '))} ${kept.join(' ')}`;
  }).filter(phrase => phrase !== '');
  return phrases.length === 1 ? { name: phrases[0]!.toLowerCase() } : undefined;
}
