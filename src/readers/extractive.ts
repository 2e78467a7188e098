/**
 * `extractive`: answers without a model by one of yes, no, an entity or a date, or abstains.
 * Deterministic.
 *
 * A baseline: it uses the form of the question and shared names and words, and no meaning. Yes and
 * no follow from the form of the question alone (reports are assumed to agree unless the question
 * asks whether they disagree), so that a yes carries little information.
 */
import { type Member, member } from '../core/naming/family.ts';
import type { Asked } from '../language/asked.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import { readQuestion } from '../planning/metadata/extractor.ts';
import { sourceNames } from '../planning/sources.ts';
import { dateAnswer } from './date-answer.ts';
import { abstained, cited, type Stated, supported } from './draft.ts';
import { entityAnswer } from './entity-answer.ts';
import { questionSupport } from './question-support.ts';
import { INSUFFICIENT, type Reader, type Reading, readerOf } from './reader.ts';
import { bestOfEachPart, saidSentences } from './shown-sentences.ts';

/**
 * Chosen on the MultiHop-RAG dev half by five-fold cross-validation: the threshold with the best
 * balance of refused null questions and answered others in the other four folds, median over the
 * folds; default strategy, retriever and context. `multihop learn support-threshold multihop-rag`
 * prints it.
 */
export const SUPPORT_THRESHOLD = 0.4;

const MAX_CITATIONS = 4;

export const extractive: Member<Reader> = member({
  name: 'extractive',
  summary:
    'Yes, no, an entity or a date by rules over the shown sentences; abstains below a support threshold; a baseline',
  paper: 'ours',
  cost: 'no model',
  parameters: [
    {
      name: 'support',
      type: 'number',
      default: SUPPORT_THRESHOLD,
      min: 0,
      max: 1.01,
      summary: 'abstain below this support (0: always answer)',
    },
  ],
  create: ({ support: least }, name) =>
    readerOf(name, async reading => {
      const { question, context, evidence, kit, call } = reading;
      const sources = await sourceNames(kit.engine, call);
      const asked = await readQuestion(question.text, kit.engine, call);
      const { support } = questionSupport(asked.text, context, evidence, sources);
      const draft = await draftAnswer(asked, reading, sources);
      return draft ? supported(draft, support, least) : abstained(INSUFFICIENT, support);
    }),
});

async function draftAnswer(
  { text: question, sought }: Asked,
  { context, evidence, kit, call }: Reading,
  sources: readonly string[],
): Promise<Stated | undefined> {
  const sentences = await saidSentences(context, kit.engine, call);
  const support = sentenceSupport(
    question,
    sentences.map(({ text }) => text),
  );
  const draft = (text: string, among: Iterable<number>): Stated => {
    const best = [...bestOfEachPart(sentences, support, among).values()]
      .sort((a, b) => support[b]! - support[a]! || a - b)
      .slice(0, MAX_CITATIONS);
    return { text, citations: cited(best, sentences, evidence) };
  };
  const { kind } = sought;
  if (kind === 'time') {
    const date = dateAnswer(question, evidence, sentences, support);
    if (date) return draft(date.text, [date.sentence]);
  }
  if (kind === 'verdict')
    return draft(asksForDisagreement(question) ? 'No' : 'Yes', sentences.keys());
  const entity = entityAnswer(sought, context, evidence, sentences, sources);
  return entity && draft(entity.text, entity.sentences);
}

/** Returns true for "Was there an inconsistency between the two reports?". */
function asksForDisagreement(question: string): boolean {
  return /\b(?:inconsisten\w+|contradict\w*|discrepan\w+|conflict(?:s|ed|ing)? with|disagree\w*)\b/i.test(
    question,
  );
}
