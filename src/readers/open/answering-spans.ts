/** Drops spans that cannot answer: objects of the asked verb, and steps towards an answer. */

import { verbStems } from '../../language/english/words/verb-forms.ts';
import type { OpenReading } from './reading.ts';
import type { SpanCandidate } from './span-features.ts';

/** Words between a verb and the name that is its object. */
const TO_OBJECT = /^\s+(?:(?:the|a|an|its|his|her|their)\s+)?$/iu;
/** Words between a name and the participle that says what was done to it. */
const TO_PARTICIPLE =
  /^(?:,|,?\s+(?:which|that))?\s+(?:(?:is|are|was|were|be|been|being|has been|have been|had been)\s+)?$/iu;

/**
 * Returns the spans that may be the subject of the verb that the question asks by. "Who founded the
 * company that ...?" asks for the subject of "founded": in "Ann founded Hale Drives" and "Hale
 * Drives was founded by Ann" the company is its object, so a thing on the way and never the answer.
 * Returns all spans if the question asks by no verb, or if none is left.
 */
export function subjectsOfVerb<T extends Pick<SpanCandidate, 'sentence' | 'mention'>>(
  { asked, sentences }: Pick<OpenReading, 'asked' | 'sentences'>,
  spans: readonly T[],
): readonly T[] {
  if (asked.verb === '') return spans;
  const stems = new Set(verbStems(asked.verb.toLowerCase()));
  const subjects = spans.filter(
    ({ sentence, mention }) => !isObject(sentences[sentence]!.text, mention, stems),
  );
  return subjects.length > 0 ? subjects : spans;
}

function isObject(
  text: string,
  { start, end }: SpanCandidate['mention'],
  stems: ReadonlySet<string>,
): boolean {
  for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
    const after = index + word.length;
    const before = after <= start;
    if (!before && index < end) continue;
    const between = before ? text.slice(after, start) : text.slice(end, index);
    if (!(before ? TO_OBJECT : TO_PARTICIPLE).test(between)) continue;
    if (!verbStems(word.toLowerCase()).some(stem => stems.has(stem))) continue;
    if (before || /^\s+by\b/iu.test(text.slice(after))) return true;
  }
  return false;
}

/** The part of a span that is read here. */
type Ended = Pick<SpanCandidate, 'match' | 'features'>;

/**
 * Returns the spans at ends of chains. The answer to a nested question stands in a sentence that a
 * name joins to what describes it, or in one that reaches as much of the question as any. A
 * sentence that only repeats words of a description ("last year's winner") is neither, and a thing
 * of another type than the asked one is a thing on the way. Returns all spans if none is left, and
 * for questions that nest nothing.
 */
export function endsOfChains<T extends Ended>(
  { asked }: Pick<OpenReading, 'asked'>,
  spans: readonly T[],
): readonly T[] {
  if (!asked.nested) return spans;
  const fitting = spans.filter(({ match }) => match >= 0);
  const reached = fitting.map(({ features }) => features.get('joint:end') ?? 0);
  const most = reached.reduce((best, each) => Math.max(best, each), 0);
  const ends = fitting.filter(
    ({ features }, at) =>
      reached[at] === most || features.has('joint:gain') || features.has('joint:bridge'),
  );
  return ends.length > 0 ? ends : spans;
}
