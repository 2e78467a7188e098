/** Determines the kind of answer that a question asks for, its noun and its type. */

import { type TypeName, typesOfNoun } from '../names/types.ts';
import { ENGLISH_STOP_WORDS } from '../words/stop-words.ts';
import { isIrregularForm, wordStem } from '../words/verb-forms.ts';
import { isStated } from '../words/verb-groups.ts';
import { asksYesOrNo } from './question-type.ts';

export type AskedKind =
  | 'person'
  | 'place'
  | 'time'
  | 'number'
  | 'nationality'
  | 'verdict'
  | 'thing';

export interface AskedQuestion {
  readonly text: string;
  readonly kind: AskedKind;
  /** Stems of the words after "which" or "what". */
  readonly head: ReadonlySet<string>;
  /** Stem of the noun that is asked for, the last of them; '' without one. */
  readonly noun: string;
  /** Types that an answer may have; empty if no word tells. */
  readonly types: readonly TypeName[];
  /** Stems of the nouns by which the question describes other things: "the ship of the winner". */
  readonly described: ReadonlySet<string>;
  /** The verb of which the answer is the subject: "owns" in "Who owns"; '' if none is known. */
  readonly verb: string;
  /** True if a clause describes another thing than the one that is asked for; see `mayNest`. */
  readonly nested: boolean;
  /** Position of the question word; -1 without one. */
  readonly at: number;
}

const NOUNS: readonly (readonly [AskedKind, RegExp])[] = [
  ['nationality', /\b(?:nationality|citizenship)\b/iu],
  ['time', /\b(?:years?|dates?|days?|months?|decades?|century|birthday|era|time)\b/iu],
  [
    'number',
    /\b(?:number|population|amount|percentage|percent|proportion|height|length|width|depth|elevation|altitude|distance|weight|mass|speed|temperature|snowfall|rainfall|age|size|area|capacity|attendance|score|price|cost|budget|salary|revenue)\b/iu,
  ],
];
const BREAK =
  /^(?:is|are|was|were|did|does|do|has|had|have|can|could|will|would|of|in|for|that|which|who|from|on|at|by|with|to|the|a|an|and|located|based|as|where|when|whose|shares?|won|made|appears?|holds?|includes?)$/iu;
const ASKING = /\b(?:what|which|who|whom|whose|where|when|why|how)\b/giu;
const OPENING =
  /(?:^|[.!;:]\s)\W*(?:(?:in|on|at|for|of|from|to|by|under|with|during|between|about|and) )?(?=(?:what|which|who|whom|whose|where|when|why|how)\b)/giu;
/** Follows a relative word, or one inside a description: "which was", "what is now". */
const NOT_ASKING = /^ (?:is now|was then|are now|would become|became)\b/iu;

export function askedQuestion(text: string): AskedQuestion {
  const isVerdict = asksYesOrNo(text);
  const chosen = isVerdict ? undefined : askingWord(text);
  if (!chosen)
    return {
      text,
      kind: isVerdict ? 'verdict' : 'thing',
      head: new Set(),
      at: -1,
      noun: '',
      types: [],
      described: new Set(),
      nested: false,
      verb: '',
    };
  const rest = text.slice(chosen.index + chosen[0].length).replace(KIND_OF, ' ');
  const head = headWords(rest);
  const noun = stemOfWord(head.at(-1) ?? soughtNoun(rest));
  const types = typesOfNoun(noun);
  const kind = kindOf(chosen[0].toLowerCase(), rest, head.join(' '), types[0]);
  return {
    text,
    kind,
    noun,
    at: chosen.index,
    types: typesOfKind(kind, types),
    head: new Set(head.map(stemOfWord)),
    described: describedNouns(text, noun),
    nested: isNested(rest),
    verb: verbOf(chosen[0].toLowerCase(), rest, head),
  };
}

/** Returns the types of an answer; values such as dates and numbers have none. */
function typesOfKind(kind: AskedKind, types: readonly TypeName[]): readonly TypeName[] {
  if (kind !== 'person' && kind !== 'place' && kind !== 'thing') return [];
  return kind === 'thing' ? types : [...new Set([kind, ...types])];
}

/** Returns the word that asks: that with which the last sentence begins, else the last one. */
function askingWord(text: string): RegExpExecArray | undefined {
  const words = [...text.matchAll(ASKING)].filter(
    word => !NOT_ASKING.test(text.slice(word.index + word[0].length)),
  );
  const opening = [...text.matchAll(OPENING)].at(-1);
  if (opening) return words.find(({ index }) => index >= opening.index + opening[0].length);
  // "signed on which date, ... people who": before a noun the word asks, elsewhere it may relate.
  return (
    words.findLast(
      word => /what|which|how/iu.test(word[0]) && headWords(after(text, word)).length > 0,
    ) ?? words.at(-1)
  );
}

const after = (text: string, word: RegExpExecArray): string =>
  text.slice(word.index + word[0].length);

/** The noun that counts follows: "what kind of university", "what is the name of the waterfall". */
const KIND_OF =
  /^ (?:(?:is|was|are|were) )?(?:the )?(?:\p{L}+ )?(?:kinds?|types?|sorts?|names?|forms?|styles?) of (?:the |an? |this |that )?/iu;

/** Returns the noun of "who is the architect". */
function soughtNoun(rest: string): string {
  const asked = /^\s*(?:is|was|are|were) (?:the|an?) ((?:[\p{L}-]+ ?){1,4})/u.exec(rest)?.[1] ?? '';
  const words = asked.split(' ').filter(word => word !== '');
  const end = words.findIndex(word => BREAK.test(word));
  return (end < 0 ? words : words.slice(0, end)).at(-1) ?? '';
}

const DETERMINER = /^(?:the|an?|whose|his|her|its|this)$/u;
const DESCRIBING = /^(?:that|which|who|whom|whose|where)$|^\p{Ll}{2,}ed$|^led$/u;
/** Words between a determiner and the clause that describes its noun, at most. */
const PHRASE = 5;

/** Returns true for "... the ship from which", "... the company founded by", after a verb. */
function isNested(rest: string): boolean {
  const words = rest.match(/[\p{L}’'-]+/gu) ?? [];
  return words.some(
    (word, at) =>
      at >= 2 &&
      DETERMINER.test(word) &&
      words
        .slice(at + 2, at + PHRASE)
        .some((other, next) => DESCRIBING.test(other) || words[at + 3 + next] === 'by'),
  );
}

const DESCRIBED = /\b(?:the|this|that|a|an|whose|his|her|its) (?=((?:\p{Ll}[\p{L}-]* ?){1,3}))/gu;

function describedNouns(text: string, noun: string): Set<string> {
  const nouns = [...text.matchAll(DESCRIBED)].flatMap(match => {
    const words = match[1]!.trim().split(' ');
    const end = words.findIndex(word => BREAK.test(word));
    return (end < 0 ? words : words.slice(0, end)).map(word => wordStem(word.toLowerCase()));
  });
  return new Set(nouns.filter(each => each !== noun));
}

const stemOfWord = (word: string): string => wordStem(word.toLowerCase());
/** Returns true for a past form, and for "owns" or "sells". */
const isVerb = (word: string): boolean =>
  /^\p{Ll}{2,}ed$/u.test(word) || isIrregularForm(word) || (/s$/.test(word) && isStated(word));
const BEFORE_VERB = /^(?:has|have|had|first|also|originally|currently|now|later|once)$/u;

/** Returns the verb that follows "who", or a listed one that follows "which company". */
function verbOf(word: string, rest: string, head: readonly string[]): string {
  const all = rest.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  const words = word === 'who' ? all : all.slice(head.length);
  const verb = words.find(each => !BEFORE_VERB.test(each)) ?? '';
  if (ENGLISH_STOP_WORDS.has(verb) || verb === 'did') return '';
  if (word === 'who') return isVerb(verb) || /^\p{Ll}{3,}s$/u.test(verb) ? verb : '';
  const types = head.length === 0 ? [] : typesOfNoun(stemOfWord(head.at(-1)!));
  const acts = types.includes('person') || types.includes('organisation');
  return /^(?:which|what)$/.test(word) && acts && isVerb(verb) && isStated(verb) ? verb : '';
}

function headWords(rest: string): string[] {
  const words: string[] = [];
  for (const word of rest.match(/[\p{L}\p{N}'’-]+|[,?;:]/gu) ?? []) {
    if (BREAK.test(word) || /[,?;:]/.test(word) || words.length >= 4) break;
    // "Which architect restored the house": after a noun whose type is known, a verb.
    if (words.length > 0 && isVerb(word) && typesOfNoun(stemOfWord(words.at(-1)!)).length > 0)
      break;
    words.push(word);
  }
  return words;
}

function kindOf(word: string, rest: string, head: string, type: TypeName | undefined): AskedKind {
  if (/^who/.test(word)) return 'person';
  if (word === 'when') return 'time';
  if (word === 'where') return 'place';
  if (word === 'how')
    return /^ (?:many|much|old|long|tall|high|far|large|big|deep|wide|heavy|fast|thick|hot|cold|warm)\b/iu.test(
      rest,
    )
      ? 'number'
      : 'thing';
  const asked =
    head === ''
      ? (/\b(?:is|was|are|were) the (.{1,40}?)(?: of| in|\?|$)/iu.exec(rest)?.[1] ?? '')
      : head;
  const kind = NOUNS.find(([, noun]) => noun.test(asked))?.[0];
  return kind ?? (type === 'person' || type === 'place' ? type : 'thing');
}
