/** Answers a question as `section-reader` does, for readers that hand questions over. */

import type { Call } from '../core/trace/call.ts';
import type { Answer, Citation, ContextText, Evidence } from '../core/trace/trace.ts';
import { askedForm, askedParts } from '../language/english/question/asked-form.ts';
import type { SectionModel } from '../models/section-reader/section-checkpoint.ts';
import type { SearchEngine } from '../search/engine.ts';
import { stated } from './confidence.ts';
import type { Reading } from './fact-answer.ts';
import { INSUFFICIENT } from './reader.ts';
import { answerQuestion, isCompared } from './sections/answer-parts.ts';
import { passageOf } from './sections/passage.ts';
import { readSections, type Sections } from './sections/section-units.ts';
import { citationOf } from './shown-passages.ts';
import { shownSentences } from './shown-sentences.ts';

/** Reason of an abstention from a question whose answer is a passage. */
export const PASSAGE_ANSWERS =
  'The passage that answers is shown: how and why have no answer of a few words.';
/** Reason of an abstention from a comparison. */
export const UNCOMPARED =
  'The evidence is shown; it does not state values of both things that compare.';

/** Answers as `section-reader` does. */
export async function readSectionAnswer(reading: Reading): Promise<Answer> {
  const { question, context, evidence, kit, call } = reading;
  if (evidence.length === 0) return unanswered(INSUFFICIENT);
  const sections = await shownSections(context, evidence, kit.engine, call);
  const cite = (units: readonly number[]): Citation[] =>
    units.flatMap(index => citationOf(sections.units[index]!.sentence, evidence) ?? []);
  const withPassage = (reason: string): Answer => {
    const citations = cite(passageOf(askedForm(question.text).subject, sections));
    return citations.length === 0
      ? unanswered(INSUFFICIENT)
      : { ...unanswered(reason), sides: [{ claim: question.text, citations }] };
  };
  const parts = askedParts(question.text).map(askedForm);
  if (parts.some(({ form }) => form === 'manner')) return withPassage(PASSAGE_ANSWERS);
  const answer = answerQuestion(question.text, sections, await shippedModel());
  if (!answer) return parts.some(isCompared) ? withPassage(UNCOMPARED) : unanswered(INSUFFICIENT);
  const { text, units, form, share, others } = answer;
  return {
    ...{ kind: 'answered', text, citations: cite(units), support: share },
    ...(await stated(form, share, others)),
  };
}

const unanswered = (reason: string): Extract<Answer, { readonly kind: 'abstained' }> => ({
  ...{ kind: 'abstained', reason, support: 0 },
});

/** Reads the sentences that a context shows, with the sections that they stand in. */
export async function shownSections(
  context: ContextText,
  evidence: readonly Evidence[],
  engine: SearchEngine,
  call: Call,
): Promise<Sections> {
  const shown = await shownSentences(context, engine, call);
  const ids = [...new Set(shown.map(({ documentId }) => documentId))];
  return readSections(shown, await engine.read('document', ids, call), evidence);
}

/** Loads the weights on first use: no other reader pays for them. */
const shippedModel = async (): Promise<SectionModel> =>
  (await import('../models/section-reader/shipped.ts')).shippedSections();
