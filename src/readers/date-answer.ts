/**
 * Answers with the date in the best supporting sentence, or with the day on which its document was
 * published.
 */
import { publishedDay } from '../core/corpus/document.ts';
import type { Evidence } from '../core/trace/trace.ts';
import { findDates } from '../language/english/values/dates.ts';
import type { SaidSentence } from './shown-sentences.ts';

/** Returns the date as written, and the index of its sentence. */
export function dateAnswer(
  question: string,
  evidence: readonly Evidence[],
  sentences: readonly SaidSentence[],
  support: readonly number[],
): { readonly text: string; readonly sentence: number } | undefined {
  const questionDays = new Set(findDates(question).map(({ day }) => day));
  const order = [...sentences.keys()].sort((a, b) => support[b]! - support[a]! || a - b);
  for (const sentence of order) {
    const { text, said } = sentences[sentence]!;
    const date = said.dates.find(({ day }) => !questionDays.has(day));
    if (date) return { text: text.slice(date.start, date.end), sentence };
  }
  const best = order[0];
  if (best === undefined) return undefined;
  const item = evidence.find(({ id }) => id === sentences[best]!.id);
  const day = item ? publishedDay(item.metadata) : '';
  return day === '' ? undefined : { text: day, sentence: best };
}
