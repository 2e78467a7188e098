/** Readers with and without a language model over the same frozen evidence. */
import { join } from 'node:path';
import { BOOTSTRAP } from '../../../src/evaluation/resamples.ts';
import { thisPackage } from '../../../src/platform/package-root.ts';
import { BY_HEART } from '../../models/by-heart.ts';
import { SETS } from '../../models/question-sets.ts';
import { answersIn, CASCADE, type ReadAnswer, type Shown } from '../../models/read-answers.ts';
import { recordedModel } from '../../models/recorded.ts';
import type { Block, Given, Report } from '../report.ts';
import { percent, table } from '../tables.ts';
import { versionOf } from '../versions.ts';
import { FATES, fateOf, isLostByForm, meanDifference, meanOf, scoreAt } from './models-figures.ts';

/** The rows, by reader and the evidence that it is shown. */
export const RULES = 'combined-reader';
export const MODEL = 'generative(form=short)';
interface Row {
  readonly label: string;
  readonly reader: string;
  readonly shown: Shown;
}
const SIDES: readonly Row[] = [
  { label: 'rules', reader: RULES, shown: 'own' },
  { label: 'model', reader: MODEL, shown: 'own' },
  { label: 'both', reader: CASCADE, shown: 'own' },
];
const CONTROLS: readonly Row[] = [
  { label: 'model, no evidence', reader: BY_HEART, shown: 'own' },
  { label: 'rules, swapped evidence', reader: RULES, shown: 'swapped' },
  { label: 'both, swapped evidence', reader: CASCADE, shown: 'swapped' },
];
/** All rows. */
export const ROWS: readonly Row[] = [...SIDES, ...CONTROLS];
const THRESHOLDS = [0, 0.7] as const;

/** The file in the work folder that `models report` writes. */
export const answersFile = (work: string): string => join(work, 'answers.jsonl');

const INTRODUCTION = `The reader without a language model (rules: \`combined-reader\`), Qwen2.5-Coder-1.5B-Instruct (Q4_K_M)
behind \`lab/models/serve_gguf.py\` (model: \`generative(form=short)\`), and both (\`cascade\`: the rules
where they are sure from 0.7 on, else the model with their candidates, chosen by fitted weights) read
the same evidence: what \`fact-lanes(tokens=510)\` kept, frozen in \`lab/models/recorded\`. The model's
replies are recorded there too, so that \`npm run lab -- models report\` prints this report without a
model. Weights and prompts are chosen on other questions; the weights on replies of the model in the
process, to prompts that mentioned yes and no to every question. Each set has its own measure; an answer that is withheld counts
0, and where the corpus holds no answer, none is right. Weights state a probability for \`cascade\`
alone: no threshold withholds an answer of the model alone. Intervals are 95 % over questions,
resampled within each set.`;

const CONTROLS_TEXT = `*No evidence*: the question alone, what the model knows by heart. *Swapped evidence*: that of another
question of the same type.`;

/** The readers read one question after the other, so that the second finds a prompt begun. */
const COST_TEXT = `*Model* reads after *both* and finds its passages known: its seconds are too few.`;

export const report = ({ work }: Given): Report => {
  const answers = answersIn(answersFile(work));
  const block =
    (render: (all: Answers) => string): Block =>
    () =>
      answers.length === 0 ? undefined : render(new Answers(answers));
  return {
    folder: 'models',
    title: 'Readers with and without a language model',
    introduction: INTRODUCTION,
    evaluations: [],
    sections: [
      ...THRESHOLDS.map(least => ({
        heading: `Scores at --answer-at ${least}`,
        blocks: [block(all => scoreTable(all, SIDES, least)), block(all => gainText(all, least))],
      })),
      ...THRESHOLDS.map(least => ({
        heading: `What became of the answers at --answer-at ${least}`,
        blocks: [
          ...(least > 0 ? [block(all => fateTable(all, least))] : []),
          block(all => shownText(all, least)),
        ],
      })),
      {
        heading: 'Controls at --answer-at 0',
        blocks: [block(all => scoreTable(all, CONTROLS, 0)), () => CONTROLS_TEXT],
      },
      { heading: 'Cost', blocks: [block(costTable), () => COST_TEXT] },
    ],
    figures: () => ({ manifest: manifestOf(), ...figuresOf(new Answers(answers)) }),
  };
};

/** The answers by set and row; the three sides are compared over the questions that all have. */
class Answers {
  readonly sets: readonly string[];
  private readonly all: readonly ReadAnswer[];
  constructor(all: readonly ReadAnswer[]) {
    this.all = all;
    this.sets = Object.keys(SETS).filter(name => all.some(({ set }) => set === name));
  }

  of(name: string, row: Row): ReadAnswer[] {
    const read = this.read(name, row);
    if (!SIDES.includes(row)) return read;
    const common = SIDES.map(side => new Set(this.read(name, side).map(({ id }) => id)));
    return read.filter(({ id }) => common.every(ids => ids.has(id)));
  }

  private read(name: string, { reader, shown }: Row): ReadAnswer[] {
    return this.all.filter(
      each => each.set === name && each.reader === reader && each.shown === shown,
    );
  }

  scores(set: string, row: Row, least: number): number[] {
    return this.of(set, row).map(each => scoreAt(each, least));
  }
}

function scoreTable(all: Answers, rows: readonly Row[], least: number): string {
  const lines = all.sets.map(set => [
    `${set}, ${SETS[set]!.measure}`,
    ...rows.map(row => {
      const scores = all.scores(set, row, least);
      return scores.length === 0 ? '–' : `${percent(meanOf(scores))} (${scores.length})`;
    }),
    ...(rows === SIDES ? [percent(meanOf(bestOf(all, set, least)))] : []),
  ]);
  const means = rows.map(row =>
    percent(meanOf(all.sets.flatMap(set => meanOf(all.scores(set, row, least)) ?? []))),
  );
  const best = percent(meanOf(all.sets.flatMap(set => meanOf(bestOf(all, set, least)) ?? [])));
  return table(
    [
      'set, measure (questions)',
      ...rows.map(({ label }) => label),
      ...(rows === SIDES ? ['the better of rules and model for each question'] : []),
    ],
    [...lines, ['mean over sets', ...means, ...(rows === SIDES ? [best] : [])]],
  );
}

function bestOf(all: Answers, set: string, least: number): number[] {
  const [rules, model] = [SIDES[0]!, SIDES[1]!].map(row => all.scores(set, row, least));
  return rules!.map((score, at) => Math.max(score, model![at] ?? 0));
}

/** States the gain of both over the better of the two alone. */
function gainText(all: Answers, least: number): string {
  const [rules, model, both] = SIDES as readonly [Row, Row, Row];
  const meanOver = (row: Row): number =>
    meanOf(all.sets.map(set => meanOf(all.scores(set, row, least)) ?? 0)) ?? 0;
  const better = meanOver(rules) >= meanOver(model) ? rules : model;
  const gain = meanDifference(
    all.sets.map(set => [all.scores(set, both, least), all.scores(set, better, least)] as const),
  );
  if (!gain) return '';
  const points = (value: number): string => `${value < 0 ? '−' : '+'}${percent(Math.abs(value))}`;
  return `Both less the better one alone (${better.label}), on the mean over the sets: ${points(gain.value)} points [${points(gain.low)}, ${points(gain.high)}].`;
}

function fateTable(all: Answers, least: number): string {
  const lines = all.sets.flatMap(set =>
    SIDES.map(row => {
      const fates = all.of(set, row).map(each => fateOf(each, least));
      return [set, row.label, ...FATES.map(fate => String(fates.filter(f => f === fate).length))];
    }),
  );
  return table(['set', 'reader', ...FATES], lines, ['reader']);
}

/** Counts the right ones of the answers shown, and the questions without an answer that get one. */
function shownText(all: Answers, least: number): string {
  const lines = SIDES.map(row => {
    const every = all.sets.flatMap(set => all.of(set, row));
    const fates = every.map(each => fateOf(each, least));
    const right = fates.filter(fate => fate === 'right').length;
    const shown = right + fates.filter(fate => fate === 'wrong').length;
    const lost = every.filter(isLostByForm).length;
    const none = every.filter(({ answerable }) => !answerable);
    const answered = none.filter(each => ['right', 'wrong'].includes(fateOf(each, least))).length;
    return [
      row.label,
      `${percent(right / Math.max(1, shown))} of ${shown}`,
      `${answered} of ${none.length}`,
      percent(lost / Math.max(1, every.length)),
    ];
  });
  const columns = ['reader', 'right of those shown', 'answered without an answer', 'lost by form'];
  return table(columns, lines);
}

function costTable(all: Answers): string {
  const lines = ROWS.map(row => {
    const every = all.sets.flatMap(set => all.of(set, row));
    const calls = every.map(({ spent }) => spent.modelCalls ?? 0);
    const tokens = every.map(({ spent }) => spent.modelTokens ?? 0);
    const ms = every.map(each => each.ms).sort((a, b) => a - b);
    const at = (share: number): string =>
      ms.length === 0 ? '–' : (ms[Math.floor(share * (ms.length - 1))]! / 1000).toFixed(1);
    return [
      row.label,
      String(every.length),
      (meanOf(calls) ?? 0).toFixed(2),
      String(Math.round(meanOf(tokens) ?? 0)),
      at(0.5),
      at(0.95),
    ];
  });
  const columns = ['reader', 'questions', 'calls', 'tokens', 'seconds, p50', 'seconds, p95'];
  return table(columns, lines);
}

/** Names what was measured; holds no times and no paths. */
const manifestOf = (): object => ({
  multihop: thisPackage().version,
  node: process.version,
  model: recordedModel(),
  sources: versionOf('src', 'lab/models'),
  bootstrap: BOOTSTRAP,
});

function figuresOf(all: Answers): object {
  return Object.fromEntries(
    all.sets.map(set => [
      set,
      Object.fromEntries(
        ROWS.map(row => [
          row.label,
          THRESHOLDS.map(least => Number((meanOf(all.scores(set, row, least)) ?? 0).toFixed(4))),
        ]),
      ),
    ]),
  );
}
