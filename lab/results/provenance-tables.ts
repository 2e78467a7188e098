/** Blocks of cross-validated figures, as the weights that ship record them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from './report.ts';
import { ROOT } from './steps.ts';
import { percent, table } from './tables.ts';

const provenanceOf = <T>(path: string): T =>
  (JSON.parse(readFileSync(join(ROOT, 'src/models', path), 'utf8')) as { provenance: T })
    .provenance;

type Figures = Readonly<Record<string, number>>;

interface Fitted {
  readonly retriever: string;
  readonly dataset?: string;
  readonly heldOut: Figures;
}

/** Evidence by weights that saw neither the question nor its facts, one retriever a line. */
export const crossValidatedEvidence: Block = () => {
  const fitted = Object.values(
    provenanceOf<Readonly<Record<string, Fitted>>>('fact-ranker/fact-ranker.json'),
  ).filter(({ dataset }) => dataset === 'multihop-rag');
  const measures = ['FactRecall', 'AllFacts', 'GroundedRecall', 'GroundedEM'];
  return table(
    ['cross-validated by fact', ...measures],
    fitted.map(({ retriever, heldOut }) => [
      retriever,
      ...measures.map(name => percent(heldOut[name])),
    ]),
  );
};

type Answered = Readonly<Record<string, string | number>> & { readonly row: string };

/** Answers by weights of the reader that saw neither the question nor its facts. */
export const crossValidatedAnswers: Block = () => {
  const { heldOut } = provenanceOf<{ heldOut: readonly Answered[] }>(
    'fact-reader/fact-reader.json',
  );
  const measures = [
    ...['QaAccuracy(official)', 'QaAccuracy(strict)', 'AbstainedNull', 'RefusedAnswerable'],
    'TypeF1(macro)',
  ];
  return table(
    ['cross-validated by fact, fact-reader', ...measures],
    heldOut.map(answered => [
      answered.row,
      ...measures.map(name => percent(answered[name] as number | undefined)),
    ]),
  );
};

type Controls = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

const interval = ([mean, low, high, ...wide]: readonly number[]): string => {
  const bounds = [[low, high], wide].filter(([lower]) => lower !== undefined);
  return [percent(mean), ...bounds.map(pair => `[${pair.map(percent).join(', ')}]`)].join(' ');
};

/** The reader beside its controls, by weights that saw neither the question nor its facts. */
export const crossValidatedControls: Block = () => {
  const { heldOutControls } = provenanceOf<{ heldOutControls: Controls }>(
    'fact-reader/fact-reader.json',
  );
  const types = ['all', 'comparison', 'inference', 'null', 'temporal'];
  return table(
    ['cross-validated by fact, fact-reader', ...types],
    Object.entries(heldOutControls).map(([row, figures]) => [
      row,
      ...types.map(type => (figures[type] ? interval(figures[type]) : '–')),
    ]),
  );
};

interface SetFigures {
  readonly name: string;
  readonly questions: number;
  readonly GroundedRecall: number;
}
interface Chained {
  readonly train: readonly { readonly questions: number }[];
  readonly heldOut: readonly SetFigures[];
  readonly elsewhere: readonly SetFigures[];
}

/** Evidence on train questions that were held out, with and without their own data set. */
export const leaveOneSetOut: Block = () => {
  const { train, heldOut, elsewhere } = provenanceOf<Readonly<Record<string, Chained>>>(
    'fact-ranker/fact-ranker.json',
  )['open-words']!;
  return table(
    ['train set', 'its questions', 'held out', 'fitted on all sets', 'fitted on the others'],
    heldOut.map(({ name, questions, GroundedRecall }, at) => [
      ...[name, String(train[at]!.questions), String(questions)],
      ...[GroundedRecall, elsewhere[at]!.GroundedRecall].map(percent),
    ]),
  );
};
