/** Finds what a word of a follow-up stands for: something that an earlier turn names. */
import { type TypeName, typesOfNoun } from '../english/names/types.ts';
import { wordStem } from '../english/words/verb-forms.ts';
import type { ReferentKind } from './reference-words.ts';
import { followUpReading, referenceWords } from './references.ts';
import type { Turn } from './turn.ts';
import {
  type AskedFor,
  asksName,
  type Candidate,
  candidatesOf,
  type ReadTurn,
  withKnownTypes,
} from './turn-names.ts';

/** The name that a word stands for, or why none is chosen. */
export type Antecedent = { readonly name: string } | { readonly unsure: string };

/** Surroundings of a word that tell what it stands for. */
export interface Within {
  /** The follow-up, whose language an earlier question shares in doubt. */
  readonly question: string;
  /** Names that other words of the question stand for. */
  readonly taken?: readonly string[];
  /** Types of the noun of a phrase: those of "ship" in "that ship". */
  readonly types?: readonly TypeName[];
  /** True if only a name of these types will do. */
  readonly strict?: boolean;
}

/**
 * Returns what a word of this kind stands for, by the newest turn that names anything that it may
 * stand for, of the type of its noun if there is such; unsure if that turn names several.
 */
export function antecedent(
  kind: ReferentKind,
  turns: readonly Turn[],
  { question, taken = [], types = [], strict = false }: Within,
): Antecedent {
  const read = withKnownTypes(turns.map(turn => candidatesOf(turn, question)).toReversed());
  const isTyped = (candidate: Candidate): boolean => types.some(type => candidate.types.has(type));
  // A name of another type is not "that country".
  const isPlace = types.includes('place');
  const isUntyped = ({ types: known }: Candidate): boolean =>
    known.size === 0 || (!isPlace && !OTHER_TYPES.some(type => known.has(type)));
  for (const fits of strict ? [isTyped] : types.length > 0 ? [isTyped, isUntyped] : [() => true])
    for (const turn of read) {
      const free = turn.candidates.filter(each => fits(each) && !taken.includes(each.name));
      const found = inTurn(kind, { ...turn, candidates: free }, fits !== isTyped);
      if (found !== undefined) return found;
    }
  return { unsure: 'no earlier question or answer names what it may be about' };
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
  if (fitting.length === 0) {
    const phrase = takesPhrases ? phraseOf(turn.question, kind, words?.code) : undefined;
    const isAsked = turn.answer === undefined && takesPhrases && candidates.length === 0;
    return phrase ?? (isAsked && asksName(asked) ? describedBy(turn.question) : undefined);
  }
  const preferred = preferredOf(fitting, kind, asked);
  const [first, second] = preferred;
  if (second === undefined) return { name: first!.name };
  const names = preferred.map(({ name }) => `“${name}”`);
  return { unsure: `it may be about ${names.slice(0, -1).join(', ')} or ${names.at(-1)}` };
}

/** Describes what a question asked for without an answer: "the person who won the prize". */
function describedBy(question: string): Antecedent {
  const who = /^who ((?!(?:is|was|are|were)\b)[^?]{3,100})\?*$/iu.exec(question)?.[1];
  if (who !== undefined) return { name: `the person who ${who.trim()}` };
  const [, noun, verb, rest] =
    /^(?:which|what) (\p{L}+) (\p{L}+)([^?]{0,100})\?*$/iu.exec(question) ?? [];
  const isSubject =
    noun !== undefined &&
    typesOfNoun(wordStem(noun)).length > 0 &&
    (typesOfNoun(wordStem(verb!)).length === 0 || /^builds?$/iu.test(verb!)) &&
    !/^(?:d(?:o|oes|id)|can|could|will|would|should|has|have|had|of|in|on|for)$/iu.test(verb!);
  return isSubject
    ? { name: `the ${noun} that ${verb}${rest!.trimEnd()}` }
    : { unsure: 'the question before has no answer' };
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
  if (kind === 'any') return 1;
  if (kind === 'several') return SEVERAL.test(name) || types.has('organisation') ? 1 : 0;
  if (kind === 'either') return isPerson ? 2 : 1;
  if (kind === 'person' && (/^the /u.test(name) || SEVERAL.test(name))) return 0;
  if (kind === 'person') return isPerson ? 2 : types.size > 0 ? 0 : / /u.test(name) ? 1.5 : 1;
  if (isPerson) return 0;
  return kind === 'place' && types.has('place') ? 2 : 1;
}

const OTHER_TYPES = ['person', 'place', 'thing'] as const;

/** Matches what joins names. */
const SEVERAL = /[,&]|(?<!\p{L})(?:and|und|et|y|e|en|и)(?!\p{L})/iu;

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
