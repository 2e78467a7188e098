/** Determines what a question asks for: the kind of answer, its noun, and the relations in order. */
import { stemOf } from '../../text/stems.ts';
import { COMPOSED, RELATIONS, type Relation } from './relations.ts';

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
const VERDICT =
  /^\W*(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)\b/iu;
const ASKING = /\b(?:what|which|who|whom|whose|where|when|why|how)\b/giu;
const OPENING = /^\W*(?:(?:in|on|at|for|of|from|to|by|under|with|during|between) )?(?:what|which|who|whom|whose|where|when|why|how)\b/iu;

export function askedQuestion(text: string): AskedQuestion {
  const words = [...text.matchAll(ASKING)];
  const opening = OPENING.exec(text);
  const chosen = opening ? words[0] : words.at(-1);
  if (!chosen || (!opening && VERDICT.test(text)))
    return { text, kind: VERDICT.test(text) ? 'verdict' : 'thing', head: new Set(), at: -1 };
  const rest = text.slice(chosen.index + chosen[0].length, chosen.index + 120);
  const head = headWords(rest);
  return {
    text,
    kind: kindOf(chosen[0].toLowerCase(), rest, head.join(' ')),
    head: new Set(head.map(word => stemOf(word.toLowerCase()))),
    at: chosen.index,
  };
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
  const asked = head === '' ? (/\b(?:is|was|are|were) the (.{1,40}?)(?: of| in|\?|$)/iu.exec(rest)?.[1] ?? '') : head;
  return NOUNS.find(([, noun]) => noun.test(asked))?.[0] ?? 'thing';
}

export interface RelationStep {
  readonly relation: Relation;
  /** Offset of its words in the question. */
  readonly at: number;
}

/**
 * Returns the relations that the question's words ask for, those nearest to an anchor first: the
 * last is what is asked for. `anchors`: spans of the entities that the question names.
 */
export function relationSteps(
  text: string,
  anchors: readonly (readonly [number, number])[],
): RelationStep[] {
  const steps: RelationStep[] = [];
  const composed = COMPOSED.find(({ asks }) => asks.test(text));
  const masked = anchors.reduce(
    (rest, [start, end]) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    text,
  );
  if (composed)
    return composed.chain.map(name => ({
      relation: RELATIONS.find(relation => relation.name === name)!,
      at: 0,
    }));
  for (const relation of RELATIONS) {
    const match = relation.asks.exec(masked);
    if (match) steps.push({ relation, at: match.index });
  }
  const distance = ({ at }: RelationStep): number =>
    Math.min(...anchors.map(([start, end]) => (at >= end ? at - end : start - at)), 1000);
  return steps.sort((a, b) => distance(a) - distance(b));
}
