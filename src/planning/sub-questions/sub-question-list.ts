/**
 * Cleans the list of sub-questions that a model writes: removes markers, blanks and repetitions,
 * and corrects references.
 */
import { withoutThinking } from '../../models/thoughts.ts';
import { isFields } from '../json-fields.ts';
import { renumbered } from './references.ts';

/** Longest sub-question, in UTF-16 units. */
const MAX_LENGTH = 500;
/** Prefix of a text without JSON that is read, in UTF-16 units. */
const MAX_READ = 100_000;
/** Number of items of a list that are read. */
const MAX_ITEMS = 50;

const NUMBERED = /^\s*(?:[-*•–]|\(?\d{1,2}[.):]|(?:sub-?)?q(?:uestion)?\s*\d{1,2}[.:)])\s+(\S.*)$/i;

/**
 * Returns at most `parts` sub-questions, distinct ignoring case. References must be to earlier
 * sub-questions of the list; they are renumbered if repetitions are removed, and others are
 * dropped.
 */
export function distinctSubQuestions(raw: readonly string[], parts: number): string[] {
  return placedSubQuestions(raw, parts).map(({ text }) => text);
}

/** Returns the same, each with its position in `raw`. */
export function placedSubQuestions(
  raw: readonly string[],
  parts: number,
): { readonly text: string; readonly place: number }[] {
  const list: { readonly text: string; readonly place: number }[] = [];
  const places = new Map<string, number>();
  /** Numbers in the list, by the number that the model counted. */
  const numbers = new Map<number, number>();
  for (const [index, text] of raw.slice(0, MAX_ITEMS).entries()) {
    if (list.length === parts) break;
    const clean = renumbered(withoutMarker(text), reference => numbers.get(reference));
    if (clean.length > MAX_LENGTH || !/[\p{L}\p{N}]/u.test(clean.replace(/#\d+/g, ''))) continue;
    const key = clean.toLowerCase();
    const known = places.get(key);
    if (known === undefined) places.set(key, list.push({ text: clean, place: index }));
    numbers.set(index + 1, known ?? list.length);
  }
  return list;
}

/**
 * Returns the texts of `{ "subqueries": [...] }`, of a bare list, or of a list of `{ "question":
 * ... }`; undefined if there are none. Never throws.
 */
export function subQuestionsInJson(json: unknown): string[] | undefined {
  const fields = isFields(json) ? json : {};
  const listed = Array.isArray(fields['subqueries'])
    ? fields['subqueries']
    : Object.values(fields).find(Array.isArray);
  const items = Array.isArray(json) ? json : listed;
  const texts = (items ?? []).slice(0, MAX_ITEMS).flatMap((item: unknown) => {
    if (typeof item === 'string') return [item];
    return isFields(item)
      ? Object.values(item)
          .filter((value): value is string => typeof value === 'string')
          .slice(0, 1)
      : [];
  });
  return distinctSubQuestions(texts, 1).length > 0 ? texts : undefined;
}

/** Returns the items of a numbered or bulleted list; prose has none. Never throws. */
export function subQuestionsInLines(text: string): string[] {
  const lines = withoutThinking(text)
    .slice(0, MAX_READ)
    .split(/\r?\n|\r/);
  return lines.flatMap(line =>
    line.length <= 2 * MAX_LENGTH ? (NUMBERED.exec(line)?.[1] ?? []) : [],
  );
}

/** Removes the list marker and surrounding quotation marks. */
function withoutMarker(text: string): string {
  const short = text
    .slice(0, 2 * MAX_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  const bare = (NUMBERED.exec(short)?.[1] ?? short).trim();
  return /^(["“'])[^"“”']*(["”'])$/.test(bare) ? bare.slice(1, -1).trim() : bare;
}
