/**
 * Splits a question into a chain without a model: what it describes is asked first ("the director
 * of X", "X's husband"), then the question with `#1` in its place; of alternatives ("A or B") each
 * is asked alone. Ours, for questions in the style of Wikipedia. `Asked.mayNest` names the
 * other rules that tell nesting.
 */

import { findNames } from '../../language/english/names/names.ts';
import { KINSHIP } from '../../language/english/relations/kinship.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { trimClause } from '../planner.ts';
import { withReferences } from './references.ts';

const AUXILIARY =
  'is|was|were|are|be|been|do|does|did|has|have|had|can|could|will|would|become|became';
/** Ends a description: a mark, or a verb of the question that contains it. */
const ENDS = new RegExp(
  String.raw`[,;:?!]|\s(?=(?:${AUXILIARY}|die|died|born|located|situated|published|released|founded|formed|end|begin|began|start|live|lived|play|played|win|won|get|got|come|came|go|went|speak|attend|work|serve|make|made|take|took)\b)`,
  'g',
);
/** The verb of a relative clause: "was born", "died". */
const VERB = new RegExp(String.raw`\s(?:(?:${AUXILIARY}|not)\s+)*[\p{Ll}-]+`, 'uy');
/** Opens a description: an article, up to four words, and what ties it to what follows. */
const NOUNS = String.raw`(?:(?!(?:the|a|an|of|that|which|who|where|when|whose|in|by|and|or|for|to|from|with|same|first|both)\b)[\p{L}\p{N}-]+\s+)`;
const OPENING = new RegExp(
  String.raw`(?:(?:\b(?:the|a|an)|^(?:The|An?))\s+${NOUNS}{1,4}|(?<=\bof\s)(?!death|birth|burial|origin)${NOUNS}{1,2})(?:of|that|which|who|where|whose|in which|for which|by|in|for|from)\b\s*`,
  'gu',
);
/** "X's husband", "X's paternal grandfather": a noun, after at most one adjective in -al. */
const POSSESSED = /[’']s?\s+(?:\p{Ll}[\p{Ll}-]*al\s+)?\p{Ll}[\p{L}-]+/uy;
const ALTERNATIVES =
  /^(.{3,}?)[,:]\s*(?:either\s+|between\s+)?(\S.*?)\s*,?\s+or\s+(\S.*?)\s*[?.!]*\s*$/iu;
const BOTH =
  /^((?:[Aa]re|[Ww]ere|[Ii]s|[Ww]as|[Dd]o|[Dd]id|[Dd]oes|[Hh]ave|[Hh]as)\s+(?:both\s+)?(?:the\s+)?(?:\p{Ll}+s\s+)?(?:of\s+)?(?:\p{Ll}+s?\s+)?)(\S.*?)\s+and\s+(\S.*?)((?:\s+|,\s*)(?:both|the same|from|located|in|share|have|has|made|used|born|members?|known|based|American|considered|written|directed)\b.*)$/u;
/** "the director born later", "whose performer": what of each alternative is compared. */
const COMPARED =
  /\b(?:whose|has (?:a|the)|have (?:a|the)|with (?:a|the)|both (?=\w+s of)|the (?=\w+s of))\s*([\p{Ll}]+)/u;

/** Longest question that is split, in UTF-16 units: expressions backtrack over longer ones. */
const LONGEST = 1000;

/**
 * Returns at most `parts` sub-questions, at least one. `#1` in a later one is the answer of the
 * first.
 */
export function nestedSubQuestions(question: string, parts: number): string[] {
  // Nobody wrote a reference into a question: its "#1" is not the answer of the first part.
  const plain = withReferences(question, () => undefined);
  if (plain.length > LONGEST) return [plain];
  return alternativesOf(plain, parts) ?? chainOf(plain, parts);
}

/** Returns undefined if there are none, or more than `parts` would be asked. */
function alternativesOf(question: string, parts: number): string[] | undefined {
  if (parts < 2) return undefined;
  const or = ALTERNATIVES.exec(question);
  const and = or ? null : BOTH.exec(question);
  const found = or ?? and;
  if (!found) return undefined;
  const [head, either, other, tail] = or
    ? [or[1]!, or[2]!, or[3]!, '']
    : [and![1]!, and![2]!, and![3]!, and![4]!];
  if (findNames(either).length === 0 && findNames(other).length === 0) return undefined;
  const noun = COMPARED.exec(`${head}${tail}`)?.[1];
  const ask = (name: string): string =>
    trimClause(or ? `${head}, ${name}` : `${head}${name}${tail}`);
  if (!noun || parts < 4) return [ask(either), ask(other)];
  return [
    `Who is the ${noun} of ${trimClause(either)}`,
    `Who is the ${noun} of ${trimClause(other)}`,
    ask('#1'),
    ask('#2'),
  ];
}

/** Takes descriptions out of the question, the innermost first, until it has none. */
function chainOf(question: string, parts: number): string[] {
  const list: string[] = [];
  let rest = question;
  while (list.length < parts - 1) {
    const span = innermost(rest);
    const kin = kinSteps(span ? rest.slice(...span) : rest);
    if (kin && (span === undefined || list.length < parts - 2 || isAll(rest, span))) {
      list.push(kin.first);
      const last = `#${list.length}’s ${kin.second}`;
      if (span === undefined || isAll(rest, span)) return [...list, `Who is ${last}?`];
      list.push(last);
    } else if (span && !isAll(rest, span)) list.push(rest.slice(...span).trim());
    else break;
    rest = `${rest.slice(0, span[0])}#${list.length}${rest.slice(span[1])}`;
  }
  return [...list, rest];
}

/** Returns true if a question asks nothing beside a description of it. */
const isAll = (text: string, [start, end]: readonly [number, number]): boolean =>
  contentWords(withReferences(`${text.slice(0, start)} ${text.slice(end)}`, () => undefined))
    .size === 0;

const KIN = Object.keys(KINSHIP).join('|');
const OF_SOMEBODY = new RegExp(
  String.raw`^(?:who (?:is|was) )?(?:the (${KIN}) of (\S.*?)|(\S.*?)[’']s? (${KIN}))[\s?.!]*$`,
  'iu',
);

function kinSteps(text: string): { readonly first: string; readonly second: string } | undefined {
  const match = OF_SOMEBODY.exec(text.trim());
  if (!match) return undefined;
  const [first, second] = KINSHIP[(match[1] ?? match[4]!).toLowerCase()]!;
  return { first: `${match[2] ?? match[3]}’s ${first}`, second };
}

/** Returns where the innermost description stands: the last that opens before a name it holds. */
function innermost(text: string): [number, number] | undefined {
  for (const { start, end } of anchors(text)) {
    POSSESSED.lastIndex = end;
    const possessed = POSSESSED.exec(text);
    if (possessed) {
      const to = end + possessed[0].length;
      return [start, to];
    }
  }
  const opened = Array.from(text.matchAll(OPENING)).toReversed();
  for (const match of opened) {
    const from = match.index;
    const after = from + match[0].length;
    const relative = /(?:that|which|who|where|whose)\s*$/.test(match[0]);
    const to = relative ? endOfClause(text, after) : endOf(text, after);
    const inner = text.slice(from, to);
    if (to - after < 3 || !/\p{Lu}|#\d|\d{4}/u.test(inner.slice(3))) continue;
    return [from, to];
  }
  return undefined;
}

function endOf(text: string, from: number): number {
  ENDS.lastIndex = from;
  return ENDS.exec(text)?.index ?? text.length;
}

/** A relative clause has a verb of its own. */
function endOfClause(text: string, from: number): number {
  const first = endOf(text, from);
  VERB.lastIndex = first;
  const verb = VERB.exec(text);
  return verb ? endOf(text, first + verb[0].length) : first;
}

interface Anchor {
  readonly start: number;
  readonly end: number;
}

/** Names and references of a text. */
function anchors(text: string): Anchor[] {
  const references = Array.from(text.matchAll(/#\d+/g), match => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  return [...findNames(text), ...references];
}
