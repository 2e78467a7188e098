/**
 * Paragraphs of all questions, for those whose own context is not known: each gets one of ten, its
 * gold among others of the pool.
 */
import {
  paragraphKey,
  type TrainingParagraph,
  type TrainingQuestion,
} from '../training-question.ts';

/** Paragraphs of one context, as 2WikiMultiHopQA and HotpotQA have them. */
const CONTEXT = 10;

export interface ParagraphPool {
  readonly titled: readonly TrainingParagraph[];
  readonly untitled: readonly TrainingParagraph[];
}

/**
 * The distinct paragraphs of the questions. Those without a title stand apart: that alone would
 * tell a negative from a positive.
 */
export function poolOf(questions: readonly TrainingQuestion[]): ParagraphPool {
  const all = [
    ...new Map(
      questions.flatMap(({ paragraphs }) =>
        paragraphs.map(each => [paragraphKey(each), each] as const),
      ),
    ).values(),
  ];
  return {
    titled: all.filter(({ title }) => title !== ''),
    untitled: all.filter(({ title }) => title === ''),
  };
}

/**
 * The gold paragraphs and as many others of the pool as make ten, none of a gold title. So the
 * chance of a passage that was found already to be a negative stays that of a question with its own
 * context; with the whole pool it would be none.
 */
export function contextOf(
  gold: readonly TrainingParagraph[],
  { titled, untitled }: ParagraphPool,
  random: () => number,
): TrainingParagraph[] {
  const context = [...gold];
  const keys = new Set(gold.map(paragraphKey));
  const titles = new Set(gold.map(({ title }) => title).filter(title => title !== ''));
  const from = gold.some(({ title }) => title === '') ? untitled : titled;
  // A small pool may not have as many: the tries end.
  for (
    let tries = 0;
    context.length < CONTEXT && tries < 20 * CONTEXT && from.length > 0;
    tries++
  ) {
    const paragraph = from[Math.floor(random() * from.length)]!;
    if (keys.has(paragraphKey(paragraph)) || titles.has(paragraph.title)) continue;
    keys.add(paragraphKey(paragraph));
    context.push(paragraph);
  }
  return context;
}
