/** Rows over a graph by other settings than their defaults, each less its default. */
import { cellsOf, lessRow, RECALL } from '../graph-tables.ts';
import { type Block, type Evaluation, type Given, type Section, text } from '../report.ts';
import { table } from '../tables.ts';
import { DECLARED, type Declared, type GraphSet, labelOf, SETS } from './graphs-rows.ts';
import { evaluationOf, RANKED, rowIn } from './graphs-steps.ts';

/** By strategy: the settings that are tried beside the default, and what each tries. */
const TRIED: Readonly<Record<string, readonly (readonly [settings: string, says: string])[]>> = {
  hipporag1: [
    ['blend=half', 'the walk counts as much as the search, whatever the names'],
    ['blend=walk', 'the walk alone'],
    ['steps=2', 'a second walk from the best sentence of the first, as IR-CoT does'],
    ['synonyms=false', 'no edges between names that may mean one entity'],
  ],
  hipporag2: [
    ['passages=0', 'the walk starts at names alone'],
    ['synonyms=false', 'no edges between names that may mean one entity'],
    ['hubs=1', 'names in more than a tenth of the passages stay'],
  ],
  'longrag-units': [['order=unit', 'documents stand unit by unit, as the paper groups them']],
};

const VARIANTS: readonly (Declared & { readonly of: string; readonly says: string })[] =
  Object.entries(TRIED).flatMap(([of, tried]) =>
    tried.map(([settings, says], at) => ({
      step: `variant-${of}-${at + 1}`,
      strategy: `${of}(${settings})`,
      of,
      says,
    })),
  );

/** One step a variant and set. */
export const variantEvaluations = (request: Given): Evaluation[] =>
  SETS.flatMap(set =>
    VARIANTS.map(declared => evaluationOf(set, declared, request, { measures: RANKED })),
  );

/** Recall of each variant, and its difference from the default on the same questions. */
const variantTable =
  (set: GraphSet): Block =>
  results => {
    const lines = VARIANTS.flatMap(declared => {
      const row = rowIn(results, set, declared);
      const whole = DECLARED.find(candidate => candidate.strategy === declared.of)!;
      const against = rowIn(results, set, whole);
      if (!row || !against) return [];
      const less = lessRow(row, against)?.text ?? '–';
      return [[labelOf(declared), ...cellsOf(row, RANKED), less]];
    });
    const columns = ['row', ...RANKED, `${RECALL} less the default`];
    return lines.length === 0 ? undefined : `${set.heading}:\n\n${table(columns, lines)}`;
  };

const NOTE = `Settings beside the defaults, on the same questions. The defaults were chosen among these, and more,
with dev questions of these four sets in view.

${VARIANTS.map(({ strategy, says }) => `- \`${strategy}\`: ${says}`).join('\n')}`;

export const variantSection = (): Section => ({
  heading: 'Other settings of the rows over a graph',
  blocks: [text(NOTE), ...SETS.map(variantTable)],
});
