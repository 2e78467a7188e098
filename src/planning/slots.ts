/**
 * Derives slots from a question: the sources that it names, or pairs of a source and the day that
 * follows it, each of which evidence must fill.
 */
import type { Filter } from '../core/corpus/filter.ts';
import { findDates } from '../language/english/values/dates.ts';
import { findMentions } from '../language/mentions.ts';

export interface Slot {
  readonly label: string;
  readonly filter: Filter;
}

/**
 * Greatest distance from a source's name to the date after it, in UTF-16 units ("The Verge report
 * published on October 7, 2023").
 */
const DATE_REACH = 60;

/**
 * Returns one slot for each distinct source in order of mention; with `dates`, one for each
 * distinct pair of a source and the day that follows it.
 */
export function findSlots(question: string, sources: readonly string[], dates: boolean): Slot[] {
  const slots = new Map<string, Slot>();
  const days = dates ? findDates(question) : [];
  const mentions = findMentions(question, sources);
  for (const [index, { name, end }] of mentions.entries()) {
    const reach = Math.min(end + DATE_REACH, mentions[index + 1]?.start ?? question.length);
    const day = days.find(date => date.start >= end && date.start < reach)?.day;
    const bySource: Filter = { op: 'eq', field: 'source', value: name };
    const label = day ? `${name}, ${day}` : name;
    const filter: Filter = day
      ? { op: 'and', filters: [bySource, { op: 'eq', field: 'published_at', value: day }] }
      : bySource;
    if (!slots.has(label)) slots.set(label, { label, filter });
  }
  return [...slots.values()];
}
