/** The data sets and the rows of the report on graphs: each row beside the search that it starts from. */
import { strategies } from '../../../src/strategies/strategies.ts';
import type { Row } from '../report.ts';
import { GENERALITY } from './generality-settings.ts';

/** The unit that a strategy searches where its retriever's is the document. */
export type SearchedUnit = 'document' | 'passage' | 'sentence';

/** A row as it is declared; it stands in the report once the family knows its name. */
export interface Declared {
  /** The part of the name of its steps. */
  readonly step: string;
  readonly strategy: string;
  readonly unit: SearchedUnit;
  /** A strategy of the goal: its Recall@5 may not lie below that of its own search. */
  readonly goal?: boolean;
  /** It reads edges between documents, sentences or entities. */
  readonly graph?: boolean;
  /** Another retriever than `lexical`; embeds if it names a model. */
  readonly retriever?: string;
  readonly label?: string;
}

const BGE = 'bge-small-en-v1.5';
export const BM25 = 'BM25';
export const DIRECT_R = 'Direct-R, bge';
export const FACT_LANES = 'fact-lanes';

/** The first items of one search, which all other rows are measured against. */
const PLAIN: readonly Declared[] = [
  { step: 'bm25', strategy: 'fixed-top-k(k=5)', unit: 'document', label: BM25 },
  {
    ...{ step: 'direct-r', strategy: 'fixed-top-k(k=5)', unit: 'document', label: DIRECT_R },
    retriever: `dense(${BGE})`,
  },
];

/** The strategies of the goal, without a model at their defaults. */
const OF_GOAL: readonly Declared[] = [
  { step: 'naive', strategy: 'naive', unit: 'passage' },
  { step: 'naive-decomposition', strategy: 'naive(decomposition=true)', unit: 'passage' },
  { step: 'longrag-units', strategy: 'longrag-units', unit: 'document', graph: true },
  { step: 'longrag-dual', strategy: 'longrag-dual', unit: 'passage' },
  { step: 'bridge-claims', strategy: 'bridge-claims', unit: 'sentence' },
  {
    ...{ step: 'chain-answers', strategy: 'chain(integration=answers)' },
    ...{ unit: 'sentence', graph: true },
  },
  {
    ...{ step: 'chain-contexts', strategy: 'chain(integration=contexts)' },
    ...{ unit: 'sentence', graph: true },
  },
  { step: 'hipporag1', strategy: 'hipporag1', unit: 'passage', graph: true },
  { step: 'hipporag2', strategy: 'hipporag2', unit: 'passage', graph: true },
];

const OTHERS: readonly Declared[] = [
  {
    ...{ step: 'ir-cot', strategy: 'ir-cot(thoughts=extracted, answer=reader)' },
    ...{ unit: 'passage', label: 'ir-cot' },
  },
  {
    ...{ step: 'iter-retgen', strategy: 'iter-retgen(thoughts=extracted, answer=reader)' },
    ...{ unit: 'passage', label: 'iter-retgen' },
  },
  { step: 'fact-lanes', strategy: FACT_LANES, unit: 'sentence' },
];

export const DECLARED: readonly Declared[] = [
  ...PLAIN,
  ...OF_GOAL.map(row => ({ ...row, goal: true })),
  ...OTHERS,
];

export const FULL_CHAIN = 'full';
export const NO_REWRITING = 'no rewriting';
/** Changes of `chain`, as the paper has them. */
const ABLATED: Readonly<Record<string, string>> = {
  [NO_REWRITING]: 'chain(integration=contexts, rewrite=off)',
  'no EC edges': 'chain(integration=contexts, edges=semantic-adjacent)',
  'no SS edges': 'chain(integration=contexts, edges=entity-adjacent)',
  'no SA edges': 'chain(integration=contexts, edges=entity-semantic)',
  'no graph': 'chain(integration=contexts, edges=none)',
};

/** Questions of a set that ablations ask, at most. */
export const ABLATION_QUESTIONS = 200;

export const ABLATIONS: readonly Declared[] = [
  [FULL_CHAIN, 'chain(integration=contexts)'] as const,
  ...Object.entries(ABLATED),
].map(([label, strategy]) => ({
  ...{ step: label.replaceAll(' ', '-').toLowerCase(), strategy, label },
  ...{ unit: 'sentence', graph: true },
}));

/** Tells whether this version has the strategy, with these parameters. */
export function known({ strategy }: Pick<Declared, 'strategy'>): boolean {
  try {
    strategies.create(strategy);
    return true;
  } catch {
    return false;
  }
}

export const labelOf = ({ label, strategy }: Declared): string => label ?? strategy;

export interface GraphSet {
  /** Its data set. */
  readonly id: string;
  readonly heading: string;
  readonly says: string;
  /** The share of gold sentences that are shown, where the set has gold sentences. */
  readonly sentences?: string;
  /** Documents are longer than a passage. */
  readonly long?: boolean;
  readonly reader: string;
  /** Of Wikipedia, as the sets of the papers. */
  readonly wikipedia?: boolean;
  readonly questions: number;
  /** The size of the seeded sample; all questions if missing. */
  readonly sample?: number;
  /** As in the report `generality`: the words that name files with gold sentences. */
  readonly files?: (typeof GENERALITY)[number]['files'];
}

export const MUSIQUE = 'musique-pooled';
type Named = Pick<GraphSet, 'heading' | 'sentences' | 'questions'>;
const WIKIPEDIA: Readonly<Record<string, Named>> = {
  '2wikimultihopqa-open': { heading: '2WikiMultiHopQA open', questions: 189 },
  'hotpotqa-pooled': { heading: 'HotpotQA pooled', sentences: 'SentenceRecall', questions: 235 },
  [MUSIQUE]: { heading: 'MuSiQue pooled', questions: 100 },
};

export const SETS: readonly GraphSet[] = [
  ...GENERALITY.flatMap(({ id, says, files }): GraphSet[] => {
    const wikipedia = WIKIPEDIA[id];
    return wikipedia
      ? [
          {
            id,
            says,
            ...wikipedia,
            wikipedia: true,
            reader: 'open-reader',
            ...(files ? { files } : {}),
          },
        ]
      : [];
  }),
  {
    ...{ id: 'multihop-rag', heading: 'MultiHop-RAG', sentences: 'FactRecall', long: true },
    says: 'MultiHop-RAG, dev half: a sample of its questions, drawn by seed; 609 articles of news',
    ...{ reader: 'combined-reader', questions: 1330, sample: 400 },
  },
];

/** Paragraphs are shown whole; of sentences, and of long documents, the best five a document. */
const CUT = 'sentences(perDocument=5)';

/** The row by which the system is asked and read. */
export const rowOf = (declared: Declared, { long, reader }: GraphSet): Row => ({
  ...{ label: labelOf(declared), strategy: declared.strategy },
  retriever: declared.retriever ?? (declared.strategy === FACT_LANES ? SENTENCES : 'lexical'),
  ...{ context: long || declared.unit === 'sentence' ? CUT : 'whole', reader },
});

const SENTENCES = 'lexical(unit=sentence)';

/** The search alone that each row starts from, by unit: deep, so that five documents are found. */
export const SEARCHES: readonly (Row & { readonly unit: SearchedUnit })[] = (
  ['document', 'passage', 'sentence'] as const
).map(unit => ({
  ...{ label: `search by ${unit}`, unit, strategy: 'fixed-top-k(k=100)' },
  retriever: unit === 'document' ? 'lexical' : `lexical(unit=${unit})`,
  ...{ context: 'headers', reader: 'evidence-only' },
}));

/** The step of searches alone. */
export const SEARCH_STEP = 'searches';
