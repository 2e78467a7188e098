/**
 * Splits a question into the thing that it describes instead of naming it, and what it asks of that
 * thing: "Who wrote | the engine that Tern uses".
 */
import { inOrder } from '../../../core/text/in-order.ts';
import { contentWords } from '../words/content-words.ts';

/** A question about a thing that it only describes. */
export interface DescribedThing {
  /** The words that describe the thing, with those of the named project around its name. */
  readonly described: string;
  /** The words that ask something of it. */
  readonly asked: string;
}

/** Start and end of a name in a text, in UTF-16 units. */
export type NamePlace = readonly [start: number, end: number];

/**
 * Returns true if a question describes a thing instead of naming it, as in "the library that Tern
 * uses": it needs the name before it can be answered. See `Asked.mayNest` for other such rules.
 */
export const describesThing = (question: string): boolean =>
  inOrder(
    question,
    /\b(?:the|which|its|whose)\b/i,
    /\b(?:that|behind|under|beneath|below|its|it|of the|used by|based on|depends on|rests on|written with)\b/i,
  );

/** Ends a part of a question that stands for itself: "what is its engine, and who wrote that?" */
const PARTS =
  /\s*[,:;]\s+(?:and\s+)?|\s+and\s+(?=(?:after |in |on |to )?(?:which|what|who|how|where|when|is|are|does|do)\b)/i;

/** Refers to what another part describes. */
const REFERS = /\b(?:it|its|that|this|these|those|them|their|there)\b/i;

const ARTICLE = '(?:the|a|an|whose)';
/** Up to four words that open no other phrase. */
const NOUN = String.raw`(?:(?!(?:the|of|in|for)\b)[\w.+-]+ ){1,4}?`;
const RELATIVE = String.raw`(?:that|which|behind|under|beneath|below|used by|based on|recommended for|\w+ing)\b`;
/** "the engine that", "the package protecting". */
const RELATED = new RegExp(String.raw`\b${ARTICLE} ${NOUN}${RELATIVE}`, 'gi');
/** "the default engine of". */
const OF = new RegExp(
  String.raw`\b${ARTICLE} (?:(?!(?:the|that|which)\b)[\w.+-]+ ){1,5}?(?:of|in|for|on)\b`,
  'gi',
);
/** "the default Tern", up to the name. */
const BEFORE_NAME = /\bthe (?:[\w.+-]+ ){1,4}$/gi;
/** "its engine", "the engine that it uses". */
const OWN = /\b(?:the [\w-]+(?: [\w-]+){0,3}? (?:that |which )?it\b|its (?!own\b)[\w-]+)[^,:;?]*/i;

/**
 * Returns the described thing; undefined if the question describes none.
 *
 * @param name where the question names a project
 */
export function describedThing(question: string, name: NamePlace): DescribedThing | undefined {
  const parts = byParts(question, name);
  if (parts || !describesThing(question)) return parts;
  return byReference(question, name) ?? byPhrase(question, name);
}

/** The part with the name describes; the others refer to it and ask. */
function byParts(question: string, [start]: NamePlace): DescribedThing | undefined {
  const parts: { readonly text: string; readonly end: number }[] = [];
  for (const text of question.replace(/[?.!\s]+$/, '').split(PARTS))
    parts.push({ text, end: question.indexOf(text, parts.at(-1)?.end ?? 0) + text.length });
  const naming = parts.findIndex(({ end }) => start < end);
  const asked = parts
    .filter((_, at) => at !== naming)
    .map(({ text }) => text)
    .join(' ');
  if (naming < 0 || !REFERS.test(asked) || contentWords(asked).size === 0) return undefined;
  return { described: parts[naming]!.text, asked };
}

/** A phrase that refers to the name describes: "its engine". */
function byReference(question: string, [start, end]: NamePlace): DescribedThing | undefined {
  const rest = question.slice(end);
  const reference = OWN.exec(rest);
  // "Its limit" is a part of what is named, "its template engine" may be a thing beside it.
  if (!reference || contentWords(reference[0]).size < 2) return undefined;
  const asked = [question.slice(0, start), rest.slice(0, reference.index)].join(' ');
  return contentWords(asked).size === 0 ? undefined : { described: reference[0], asked };
}

/** The last phrase before the name that it completes describes. */
function byPhrase(question: string, [start, end]: NamePlace): DescribedThing | undefined {
  const before = question.slice(0, start);
  const at = lastOf(before, RELATED) ?? lastOf(before, OF) ?? lastOf(before, BEFORE_NAME);
  if (at === undefined) return undefined;
  const [head, phrase] = [before.slice(0, at), question.slice(at, end)];
  const [after = '', ...others] = question.slice(end).split(PARTS);
  // The asking words stand before the phrase, or else after it.
  const asked = [head, ...others].join(' ');
  if (contentWords(asked).size > 1) return { described: `${phrase}${after}`, asked };
  if (contentWords(after).size === 0) return undefined;
  return { described: phrase, asked: `${asked} ${after}` };
}

/** Returns where the last match starts. */
function lastOf(text: string, pattern: RegExp): number | undefined {
  return Array.from(text.matchAll(pattern), ({ index }) => index).at(-1);
}
