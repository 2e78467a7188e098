/**
 * Splits learnt from held-out questions: questions written of mentions are only learnt, and none of
 * them shows a held-out hop.
 */
import { questionFolds } from './question-folds.ts';
import type { TrainingExample, TrainingSet } from './training-set.ts';

export interface QuestionSplit {
  /** Indices of the examples. */
  readonly learnt: readonly number[];
  readonly heldOut: readonly number[];
}

export const isMention = ({ dataset }: TrainingExample): boolean => dataset === 'mentions';

/**
 * One fold of the published questions held out, in the folds that they have without mentions. A
 * question of a mention is left out of both parts where its pair is a hop of a held-out question,
 * told by titles: a title may have several texts. Throws `InputError('bad-folds')`.
 */
export function questionSplit(
  { examples, paragraphs }: Pick<TrainingSet, 'examples' | 'paragraphs'>,
  {
    folds,
    seed,
    fold = 0,
  }: { readonly folds: number; readonly seed: number; readonly fold?: number },
): QuestionSplit {
  const published = [...examples.keys()].filter(index => !isMention(examples[index]!));
  const of = questionFolds(
    published.map(index => examples[index]!),
    folds,
    seed,
  );
  const heldOut = published.filter((_, at) => of[at] === fold);
  const nameOf = (row: number): string => paragraphs[row]!.title.toLowerCase() || `\0${row}`;
  const hopsOf = ({ records }: TrainingExample): string[] =>
    records.flatMap(({ path, positive }) =>
      path.length === 0 ? [] : [`${nameOf(path.at(-1)!)}\0${nameOf(positive)}`],
    );
  const hidden = new Set(heldOut.flatMap(index => hopsOf(examples[index]!)));
  const mentions = [...examples.keys()].filter(
    index => isMention(examples[index]!) && !hopsOf(examples[index]!).some(hop => hidden.has(hop)),
  );
  return { learnt: [...published.filter((_, at) => of[at] !== fold), ...mentions], heldOut };
}
