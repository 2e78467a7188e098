/**
 * Sub-questions as a model writes them, made into a list that can be asked: markers, blanks and
 * repetitions gone, references right (query-decomposition sheet, sections 4 and 7).
 */
import { withoutThinking } from '../../models/json-in-text.ts';
import { isFields } from '../json-fields.ts';
import { renumbered } from './references.ts';

/** Longer texts are no questions; characters. */
const LONGEST = 500;
/** How much of a text that is no JSON is read; characters. */
const READ = 100_000;
/** How many items of a list are looked at. */
const MOST = 50;

const NUMBERED = /^\s*(?:[-*•–]|\(?\d{1,2}[.):]|(?:sub-?)?q(?:uestion)?\s*\d{1,2}[.:)])\s+(\S.*)$/i;

/**
 * At most `parts` of them, each once whatever its case. A reference is one to an earlier
 * sub-question of the list, and is renumbered when repetitions fall away; others are dropped.
 */
export function distinctSubQuestions(raw: readonly string[], parts: number): string[] {
  return placedSubQuestions(raw, parts).map(({ text }) => text);
}

/** The same, each with its place in `raw`. */
export function placedSubQuestions(
  raw: readonly string[],
  parts: number,
): { readonly text: string; readonly place: number }[] {
  const list: { readonly text: string; readonly place: number }[] = [];
  const places = new Map<string, number>();
  /** By the number that the model counted, the number in the list. */
  const numbers = new Map<number, number>();
  for (const [index, text] of raw.slice(0, MOST).entries()) {
    if (list.length === parts) break;
    const clean = renumbered(withoutMarker(text), reference => numbers.get(reference));
    if (clean.length > LONGEST || !/[\p{L}\p{N}]/u.test(clean.replace(/#\d+/g, ''))) continue;
    const key = clean.toLowerCase();
    const known = places.get(key);
    if (known === undefined) places.set(key, list.push({ text: clean, place: index }));
    numbers.set(index + 1, known ?? list.length);
  }
  return list;
}

/**
 * The texts of `{ "subqueries": [...] }`, of a bare list, or of a list of `{ "question": ... }`;
 * undefined where there is none. Never throws.
 */
export function subQuestionsInJson(json: unknown): string[] | undefined {
  const fields = isFields(json) ? json : {};
  const named = Array.isArray(fields['subqueries'])
    ? fields['subqueries']
    : Object.values(fields).find(Array.isArray);
  const items = Array.isArray(json) ? json : named;
  const texts = (items ?? []).slice(0, MOST).flatMap((item: unknown) => {
    if (typeof item === 'string') return [item];
    return isFields(item)
      ? Object.values(item)
          .filter((value): value is string => typeof value === 'string')
          .slice(0, 1)
      : [];
  });
  return distinctSubQuestions(texts, 1).length > 0 ? texts : undefined;
}

/** The items of a numbered or bulleted list; prose is no list. Never throws. */
export function subQuestionsInLines(text: string): string[] {
  const lines = withoutThinking(text)
    .slice(0, READ)
    .split(/\r?\n|\r/);
  return lines.flatMap(line =>
    line.length <= 2 * LONGEST ? (NUMBERED.exec(line)?.[1] ?? []) : [],
  );
}

/** Without list marker and the quotation marks around it. */
function withoutMarker(text: string): string {
  const short = text
    .slice(0, 2 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim();
  const bare = (NUMBERED.exec(short)?.[1] ?? short).trim();
  return /^(["“'])[^"“”']*(["”'])$/.test(bare) ? bare.slice(1, -1).trim() : bare;
}
