/** The data sets of TreeHop's tables: every question searches the whole corpus. */
import type { Evaluation } from '../report.ts';

export interface Setting {
  /** The heading. */
  readonly id: string;
  readonly evaluated: Pick<Evaluation, 'dataSet' | 'type'>;
  /** The paper's name of the data set. */
  readonly published?: '2wiki' | 'musique' | 'multihop_rag';
  /** Documents are longer than a passage: searched by passage too. */
  readonly passages?: boolean;
}

export const SETTINGS: readonly Setting[] = [
  {
    id: '2wikimultihopqa-open',
    evaluated: { dataSet: '2wikimultihopqa-open' },
    published: '2wiki',
  },
  { id: 'hotpotqa-pooled', evaluated: { dataSet: 'hotpotqa-pooled' } },
  { id: 'musique-pooled', evaluated: { dataSet: 'musique-pooled' }, published: 'musique' },
  {
    id: 'multihop-rag-inference',
    evaluated: { dataSet: 'multihop-rag', type: 'inference_query' },
    published: 'multihop_rag',
    passages: true,
  },
];

/** TreeHop's `Title:`, `Source:` and `Context:` lines. */
export const TEMPLATE: readonly string[] = ['--template', 'title-context'];

/** Recall by its three definitions. */
export const DEFINITIONS = {
  micro: (k: number): string => `TitleRecall@${k}(micro)`,
  macro: (k: number): string => `TitleRecall@${k}(macro)`,
  id: (k: number): string => `ParagraphRecall@${k}`,
} as const;
export type DefinitionName = keyof typeof DEFINITIONS;
export const HEADINGS: Readonly<Record<DefinitionName, string>> = {
  micro: 'by title, micro (TreeHop)',
  macro: 'by title, macro',
  id: 'by document id, micro',
};
