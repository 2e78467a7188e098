/** Determines the kind of answer that a question asks for, its noun, and the relations in order. */
import { stemOf } from '../../text/stems.ts';
import type { Relation } from './relation.ts';
import { COMPOSED, RELATIONS } from './relations.ts';

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
  /** Coarse kind of that noun: "organisation", "team", "work", ...; '' if none is known. */
  readonly group: string;
  /** Stems of the nouns by which the question describes other things: "the ship of the winner". */
  readonly described: ReadonlySet<string>;
  /** True if a clause describes another thing than the one that is asked for. */
  readonly nested: boolean;
  /** Position of the question word; -1 without one. */
  readonly at: number;
}

const NOUNS: readonly (readonly [AskedKind, RegExp])[] = [
  ['nationality', /\b(?:nationality|citizenship)\b/iu],
  ['time', /\b(?:year|date|day|month|decade|century|birthday|era)\b/iu],
  ['number', /\b(?:number|population|amount|percentage|height|length|age|size|capacity)\b/iu],
  [
    'place',
    /\b(?:city|country|state|county|town|village|region|province|district|place|location|island|continent|neighbou?rhood|nation|borough|area|suburb|birthplace|hometown|municipality|capital)\b/iu,
  ],
  [
    'person',
    /\b(?:person|actor|actress|director|singer|author|writer|player|man|woman|politician|president|king|queen|coach|musician|composer|artist|guitarist|drummer|rapper|founder|individual|scientist|poet|novelist|businessman|leader|architect|comedian|producer|athlete|golfer|footballer|quarterback|emperor|father|mother|wife|husband|spouse|son|daughter|brother|sister|screenwriter|playwright|philosopher|general|senator|governor|mayor|designer|host|star|character)\b/iu,
  ],
];
const BREAK =
  /^(?:is|are|was|were|did|does|do|has|had|have|can|could|will|would|of|in|for|that|which|who|from|on|at|by|with|to|the|a|an|and|located|based|as|where|when|whose|shares?|won|made|appears?|holds?|includes?)$/iu;
const VERDICT = /^\W*(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)\b/iu;
const ASKING = /\b(?:what|which|who|whom|whose|where|when|why|how)\b/giu;
const OPENING =
  /^\W*(?:(?:in|on|at|for|of|from|to|by|under|with|during|between) )?(?:what|which|who|whom|whose|where|when|why|how)\b/iu;

export function askedQuestion(text: string): AskedQuestion {
  const words = [...text.matchAll(ASKING)];
  const opening = OPENING.exec(text);
  const chosen = opening ? words[0] : words.at(-1);
  if (!chosen || (!opening && VERDICT.test(text)))
    return {
      ...{ text, kind: VERDICT.test(text) ? 'verdict' : 'thing', head: new Set(), at: -1 },
      ...{ noun: '', group: '', described: new Set(), nested: false },
    };
  const rest = text.slice(chosen.index + chosen[0].length);
  const head = headWords(rest);
  const noun = stemOf((head.at(-1) ?? soughtNoun(rest)).toLowerCase());
  return {
    text,
    kind: kindOf(chosen[0].toLowerCase(), rest, head.join(' ')),
    head: new Set(head.map(word => stemOf(word.toLowerCase()))),
    at: chosen.index,
    noun,
    group: GROUPS.find(([, nouns]) => nouns.has(noun))?.[0] ?? '',
    described: describedNouns(text, noun),
    nested: isNested(rest),
  };
}

const stemmed = (words: string): Set<string> => new Set(words.split(' ').map(stemOf));
/** Coarse kinds of things that questions ask for, beyond persons, places, times and numbers. */
const GROUPS: readonly (readonly [string, ReadonlySet<string>])[] = [
  [
    'organisation',
    stemmed(
      'company firm organisation organization corporation publisher bank agency business brand manufacturer developer distributor label studio network channel platform retailer airline startup institution university college school museum hospital party government newspaper magazine employer',
    ),
  ],
  ['team', stemmed('team club side squad franchise band group duo orchestra league')],
  [
    'building',
    stemmed(
      'building house hall stadium arena tower church castle theatre theater station bridge hotel palace',
    ),
  ],
  [
    'work',
    stemmed(
      'film movie song album book novel series show play game opera poem musical single television sitcom documentary track comic',
    ),
  ],
  [
    'event',
    stemmed('event war battle festival tournament competition championship season race election'),
  ],
  ['vessel', stemmed('ship boat vessel aircraft plane car vehicle train')],
  ['award', stemmed('award prize medal title honour honor')],
];

/** Returns the noun of "what is the name of the ship", "who is the architect". */
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

const DESCRIBED = /\b(?:the|this|that|a|an|whose|his|her|its) ((?:\p{Ll}[\p{L}-]* ?){1,3})/gu;

function describedNouns(text: string, noun: string): Set<string> {
  const nouns = [...text.matchAll(DESCRIBED)].flatMap(match => {
    const words = match[1]!.trim().split(' ');
    const end = words.findIndex(word => BREAK.test(word));
    return (end < 0 ? words : words.slice(0, end)).map(word => stemOf(word.toLowerCase()));
  });
  return new Set(nouns.filter(each => each !== noun));
}

function headWords(rest: string): string[] {
  const words: string[] = [];
  for (const word of rest.match(/[\p{L}\p{N}'’-]+|[,?;:]/gu) ?? []) {
    if (BREAK.test(word) || /[,?;:]/.test(word) || words.length >= 4) break;
    words.push(word);
  }
  return words;
}

function kindOf(word: string, rest: string, head: string): AskedKind {
  if (/^who/.test(word)) return 'person';
  if (word === 'when') return 'time';
  if (word === 'where') return 'place';
  if (word === 'how')
    return /^ (?:many|much|old|long|tall|high|far|large|big)\b/iu.test(rest) ? 'number' : 'thing';
  const asked =
    head === ''
      ? (/\b(?:is|was|are|were) the (.{1,40}?)(?: of| in|\?|$)/iu.exec(rest)?.[1] ?? '')
      : head;
  return NOUNS.find(([, noun]) => noun.test(asked))?.[0] ?? 'thing';
}

export interface RelationStep {
  readonly relation: Relation;
  /** Offset of its words in the question. */
  readonly at: number;
}

/** Relations that answer questions of a kind, the most specific first. */
const FINAL: Partial<Record<AskedKind, readonly string[]>> = {
  place: [
    'place of burial',
    'education',
    'place of death',
    'place of birth',
    'nationality',
    'employer',
    'location',
  ],
  time: ['date of death', 'date of birth', 'date of release', 'date of founding'],
  nationality: ['nationality'],
};
/** Relations that no chain leads to unless their own words ask for them. */
const NAMED_FINAL: readonly string[] = ['cause of death', 'award', 'education'];

/**
 * Returns the relations that the question's words ask for: those that lead from one thing to the
 * next, nearest to an anchor first, and at last what is asked for. `anchors`: spans of the entities
 * that the question names.
 */
export function relationSteps(
  { text, kind }: AskedQuestion,
  anchors: readonly (readonly [number, number])[],
): RelationStep[] {
  let masked = text;
  for (const [start, end] of anchors)
    masked = masked.slice(0, start) + ' '.repeat(end - start) + masked.slice(end);
  const composed = COMPOSED.find(({ asks }) => asks.test(masked));
  if (composed) {
    const at = composed.asks.exec(masked)!.index;
    masked = masked.replace(composed.asks, found => ' '.repeat(found.length));
    const chain = composed.chain.map(name => ({ relation: relationNamed(name), at }));
    return [...chain, ...finalSteps(masked, kind)];
  }
  const found = RELATIONS.flatMap(relation => {
    const match = relation.asks.exec(masked);
    return match ? [{ relation, at: match.index }] : [];
  });
  const distance = ({ at }: RelationStep): number =>
    Math.min(...anchors.map(([start, end]) => (at >= end ? at - end : start - at)), 1000);
  const leading = found
    .filter(({ relation }) => relation.leads)
    .sort((a, b) => distance(a) - distance(b));
  return [...leading, ...finalSteps(masked, kind)];
}

function finalSteps(masked: string, kind: AskedKind): RelationStep[] {
  const name = (FINAL[kind] ?? NAMED_FINAL).find(each => relationNamed(each).asks.test(masked));
  if (name === undefined) return [];
  const relation = relationNamed(name);
  return [{ relation, at: relation.asks.exec(masked)!.index }];
}

/** Throws for a name that no relation has. */
export function relationNamed(name: string): Relation {
  const relation = RELATIONS.find(each => each.name === name);
  if (!relation) throw new Error(`No relation ${name}`);
  return relation;
}
