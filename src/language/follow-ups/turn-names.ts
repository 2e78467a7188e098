/** Reads what a turn names: in its question, and by its answer where that is a name. */
import { nameTypes } from '../english/names/name-types.ts';
import type { TypeName } from '../english/names/types.ts';
import { type AskedQuestion, askedQuestion } from '../english/question/asked-question.ts';
import { withPlainWords } from '../plain-words.ts';
import { namedIn, namedThings, TECHNICAL } from './named-things.ts';
import type { ReferenceWords } from './reference-words.ts';
import { referenceWords } from './references.ts';
import type { Turn } from './turn.ts';

/** Types of names, and what only is no person. */
export type KnownType = TypeName | 'thing';

/** Matches verbs whose object is an organisation. */
const FOUNDED = /found|gründ|fond|fund|gesticht|opgericht|основ/iu;

export interface Candidate {
  readonly name: string;
  readonly types: ReadonlySet<KnownType>;
  readonly answers: boolean;
}

/** A turn with the things that it names. */
export interface ReadTurn {
  readonly turn: Turn;
  readonly words: ReferenceWords | undefined;
  readonly asked: AskedFor;
  readonly candidates: readonly Candidate[];
}

/** Reads what the question of a turn names, and its answer where it is a name. */
export function candidatesOf(turn: Turn, followUp: string): ReadTurn {
  const { question } = turn;
  const words = referenceWords(question, followUp);
  const asked = askedOf(question, words);
  const answer = answerName(turn, asked, words);
  const isWhoIs = asked.kind === 'person' && namesAll(question, words);
  const byVerb = isWhoIs ? (['person'] as const) : typesByVerb(question, words);
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
export function withKnownTypes(read: readonly ReadTurn[]): ReadTurn[] {
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

/** Keeps the article of an English name: "the Pixel 7". */
const withArticle = (name: string, question: string, words: ReferenceWords | undefined): string =>
  words?.code === 'en' && /\bthe $/iu.test(question.slice(0, question.indexOf(name)))
    ? `the ${name}`
    : name;

/** `max_tokens` is no person, though Max is a given name. */
const typesOf = (name: string): Set<TypeName> =>
  TECHNICAL.test(name.replace(/ \d+$/u, '')) ? new Set() : nameTypes(name, undefined);

export type AskedFor = Pick<AskedQuestion, 'kind' | 'noun' | 'types'>;

/** Returns what a question asks for. */
function askedOf(question: string, words: ReferenceWords | undefined): AskedFor {
  if (words?.who?.test(question)) return { kind: 'person', noun: '', types: ['person'] };
  return askedQuestion(withPlainWords(question));
}

export const asksName = ({ kind, noun }: AskedFor): boolean =>
  kind === 'person' || kind === 'place' || (kind === 'thing' && noun !== '');

/** Words of the longest answer that is a name. */
const LONGEST_NAME = 6;

/** Returns the answer if it is a name, or the only name in it that the question does not have. */
function answerName(
  { question, answer }: Turn,
  asked: AskedFor,
  words: ReferenceWords | undefined,
): string | undefined {
  // "Who is Ada Quill?" is answered by what she is.
  if (answer === undefined || !asksName(asked) || namesAll(question, words)) return undefined;
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
