/**
 * Predicts the type of a question from its text alone.
 *
 * On MultiHop-RAG the opening word alone separates inference from the yes/no types. That is a
 * property of the benchmark and may not generalise: only reports and answer forms may depend on it.
 * `null` is never predicted, because only the evidence can show whether the corpus contains an
 * answer.
 */

export type PredictedType = 'comparison' | 'inference' | 'temporal';

const TEMPORAL = [
  /\b(?:before|after|between|following|since|prior to)\b[^?]*\b(?:reports?|articles?|publication|published|reported|coverage|story)\b/i,
  /\bremain(?:ed|s)? consistent\b|\bchanges? in\b|\bconsisten(?:t|cy)\b|\binconsisten(?:t|cy)\b/i,
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}\b|\b\d{4}-\d{2}-\d{2}\b/i,
];
const YES_NO_OPENING =
  /^\W*(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)\b/i;
const OPEN_OPENING = /^\W*(?:who|whom|whose|which|what|where|when|how|considering)\b/i;

export function predictQuestionType(question: string): PredictedType {
  // "Who ... after the report of October 7?" asks for an entity: the form of the answer decides.
  if (OPEN_OPENING.test(question)) return 'inference';
  if (TEMPORAL.some(pattern => pattern.test(question))) return 'temporal';
  return YES_NO_OPENING.test(question) ||
    /\b(?:while|compared|contrast|both|differ|align)\b/i.test(question)
    ? 'comparison'
    : 'inference';
}

/** Returns true if the question can be answered by yes or no. */
export function asksYesOrNo(question: string): boolean {
  if (OPEN_OPENING.test(question)) return false;
  // "After the report of ..., did ...?": the auxiliary verb opens the last clause.
  return (
    YES_NO_OPENING.test(question) ||
    /,\s*(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would)\b[^,]*\?\s*$/i.test(
      question,
    ) ||
    predictQuestionType(question) !== 'inference'
  );
}
