/**
 * `extractive`: answers without a model by one of yes, no, an entity or a date, or abstains.
 * Deterministic.
 *
 * A baseline: it uses the form of the question and shared names and words, and no meaning. Yes and
 * no follow from the form of the question alone (reports are assumed to agree unless the question
 * asks whether they disagree), so that a yes carries little information.
 */
import { type Member, member } from '../core/naming/family.ts';
import type { Call } from '../core/trace/call.ts';
import type { Answer, Citation, ContextText, Evidence, Question } from '../core/trace/trace.ts';
import { askedQuestion } from '../language/english/question/asked-question.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import { sourceNames } from '../planning/sources.ts';
import type { Kit } from '../strategies/strategy.ts';
import { dateAnswer } from './date-answer.ts';
import { entityAnswer } from './entity-answer.ts';
import { questionSupport } from './question-support.ts';
import { INSUFFICIENT, type Reader } from './reader.ts';
import { citationOf } from './shown-passages.ts';
import { type ShownSentence, shownSentences } from './shown-sentences.ts';

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
  create(settings, name) {
    const threshold = settings.support;
    return {
      name,
      async read(question, context, evidence, kit, call) {
        if (evidence.length === 0) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
        const sources = await sourceNames(kit.engine, call);
        const { support } = questionSupport(question.text, context, evidence, sources);
        const draft = await draftAnswer(question, context, evidence, kit, call, sources);
        if (draft === undefined) return { kind: 'abstained', reason: INSUFFICIENT, support };
        if (support < threshold)
          return { kind: 'abstained', reason: INSUFFICIENT, support, withheld: draft };
        return { kind: 'answered', ...draft, support } satisfies Answer;
      },
    };
  },
});

interface Draft {
  readonly text: string;
  readonly citations: readonly Citation[];
}

async function draftAnswer(
  question: Question,
  context: ContextText,
  evidence: readonly Evidence[],
  kit: Pick<Kit, 'engine'>,
  call: Call,
  sources: readonly string[],
): Promise<Draft | undefined> {
  const sentences = await shownSentences(context, kit.engine, call);
  const support = sentenceSupport(
    question.text,
    sentences.map(({ text }) => text),
  );
  const draft = (text: string, among: readonly number[]): Draft => ({
    text,
    citations: citationsFrom(sentences, support, among, evidence),
  });
  const { kind } = askedQuestion(question.text);
  if (kind === 'time') {
    const date = dateAnswer(question.text, evidence, sentences, support);
    if (date) return draft(date.text, [date.sentence]);
  }
  if (kind === 'verdict')
    return draft(asksForDisagreement(question.text) ? 'No' : 'Yes', [...sentences.keys()]);
  const entity = entityAnswer(question.text, context, evidence, sentences, sources);
  return entity ? draft(entity.text, entity.sentences) : undefined;
}

/** Returns true for "Was there an inconsistency between the two reports?". */
function asksForDisagreement(question: string): boolean {
  return /\b(?:inconsisten\w+|contradict\w*|discrepan\w+|conflict(?:s|ed|ing)? with|disagree\w*)\b/i.test(
    question,
  );
}

/** Cites the best supporting sentence of each document among the given ones, the best first. */
function citationsFrom(
  sentences: readonly ShownSentence[],
  support: readonly number[],
  among: readonly number[],
  evidence: readonly Evidence[],
): Citation[] {
  const best = new Map<number, number>();
  for (const index of among) {
    const before = best.get(sentences[index]!.part);
    if (before === undefined || support[index]! > support[before]!)
      best.set(sentences[index]!.part, index);
  }
  return [...best.values()]
    .sort((a, b) => support[b]! - support[a]! || a - b)
    .slice(0, MAX_CITATIONS)
    .flatMap(index => citationOf(sentences[index]!, evidence) ?? []);
}
