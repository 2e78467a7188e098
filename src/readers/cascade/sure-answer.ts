/** Tells whether an answer of the reader without a model stands, so that no model is asked. */
import type { Answer } from '../../core/trace/trace.ts';
import { readQuestion } from '../../planning/metadata/extractor.ts';
import type { Reading } from '../reader.ts';

export const isSure = (answer: Answer, least: number): boolean =>
  answer.kind === 'answered' && answer.probability !== undefined && answer.probability >= least;

/**
 * Tells whether an answer is sure and the question is one that rules read: it asks one thing, by
 * words of a value, and denies nothing. Probabilities are fitted on such questions.
 */
export async function stands(
  answer: Answer,
  least: number,
  { question, kit, call }: Pick<Reading, 'question' | 'kit' | 'call'>,
): Promise<boolean> {
  if (!isSure(answer, least) || DENIES.test(question.text)) return false;
  const { values } = await readQuestion(question.text, kit.engine, call);
  return values.length === 1 && values[0]!.form !== 'manner';
}

/** Words that turn a question around; "not only" and "not-for-profit" do not. */
export const DENIES: RegExp =
  /(?<![\p{L}-])(?:not(?! only)|never|nicht|nie|pas|jamais|nunca|niet|nooit|não|non|не)(?![\p{L}-])|n['’]t(?!\p{L})/iu;
