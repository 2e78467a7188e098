/** The data sets and the rows of the report on graphs. */
import { join } from 'node:path';
import { defined } from '../../../src/core/defined.ts';
import { languageModel } from '../../../src/models/ports.ts';
import { strategies } from '../../../src/strategies/strategies.ts';
import { SEARCH_UNITS } from '../graph-tables.ts';
import type { Given, Row } from '../report.ts';
import { GENERALITY } from './generality-settings.ts';

/** A row as it is declared. */
export interface Declared {
  /** The part of the name of its steps. */
  readonly step: string;
  readonly strategy: string;
  /** Its evidence is sentences, not paragraphs. */
  readonly sentences?: boolean;
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
export const DIRECT_R = 'Direct-R (bge)';
export const FACT_LANES = 'fact-lanes';

/** The first items of one search, which all other rows are measured against. */
const PLAIN: readonly Declared[] = [
  { step: 'bm25', strategy: 'fixed-top-k(k=5)', label: BM25 },
  { step: 'direct-r', strategy: 'fixed-top-k(k=5)', label: DIRECT_R, retriever: `dense(${BGE})` },
];

/** Without a model both integrations leave the answer to the reader: one row. */
export const CHAIN = 'chain (rules), AnsInt and CxtInt';

/** The strategies of the goal, without a model at their defaults. */
const OF_GOAL: readonly Declared[] = [
  { step: 'naive', strategy: 'naive' },
  { step: 'naive-decomposition', strategy: 'naive(decomposition=true)' },
  { step: 'longrag-units', strategy: 'longrag-units', graph: true },
  { step: 'longrag-dual', strategy: 'longrag-dual' },
  { step: 'bridge-claims', strategy: 'bridge-claims', sentences: true },
  { step: 'chain', strategy: 'chain', label: CHAIN, sentences: true, graph: true },
  { step: 'hipporag1', strategy: 'hipporag1', graph: true },
  { step: 'hipporag2', strategy: 'hipporag2', graph: true },
];

const OTHERS: readonly Declared[] = [
  {
    step: 'ir-cot',
    strategy: 'ir-cot(thoughts=extracted, answer=reader)',
    label: 'ir-cot (rules)',
  },
  {
    step: 'iter-retgen',
    strategy: 'iter-retgen(thoughts=extracted, answer=reader)',
    label: 'iter-retgen (rules)',
  },
  {
    step: 'iter-retgen-3',
    label: 'iter-retgen(iterations=3) (rules)',
    strategy: 'iter-retgen(iterations=3, thoughts=extracted, answer=reader)',
  },
  { step: 'fact-lanes', strategy: FACT_LANES, sentences: true },
];

export const DECLARED: readonly Declared[] = [
  ...PLAIN,
  ...OF_GOAL.map(row => ({ ...row, goal: true })),
  ...OTHERS,
];

const FULL_CHAIN = 'full';
export const WITHOUT_GRAPH = 'no graph';
/** Changes of `chain`, as the paper has them. */
const ABLATED: Readonly<Record<string, string>> = {
  'no rewriting': 'rewriting=false',
  'no EC edges': 'entity=false',
  'no SA edges': 'adjacent=false',
  [WITHOUT_GRAPH]: 'graph=false',
};
const CONTEXTS = 'integration=contexts';

/**
 * Searches each sub-question before and after it is rewritten; the sub-questions of MuSiQue are its
 * own, which have gold documents of their own.
 */
export const probed = ({ id }: Pick<GraphSet, 'id'>): Declared => ({
  step: 'ablation-sub-questions',
  strategy: `chain(${CONTEXTS}, ${id === MUSIQUE ? 'split=replayed, ' : ''}probe=true)`,
  sentences: true,
  label: 'sub-questions',
});

/** Questions of a set that ablations ask, at most. */
export const ABLATION_QUESTIONS = 200;

const ablated = (label: string, strategy: string): Declared => ({
  step: `ablation-${label.replaceAll(/,? /g, '-').toLowerCase()}`,
  strategy,
  label,
  sentences: true,
  graph: true,
});

export const ABLATIONS: readonly Declared[] = [
  [FULL_CHAIN, `chain(${CONTEXTS})`] as const,
  ...Object.entries(ABLATED).map(
    ([label, change]) => [label, `chain(${CONTEXTS}, ${change})`] as const,
  ),
].map(([label, strategy]) => ablated(label, strategy));

/** Edges of similarity need an embedder: the chain with and without them searches by one. */
export const ABLATIONS_EMBEDDED: readonly Declared[] = [
  [`${FULL_CHAIN}, over bge`, `chain(${CONTEXTS})`] as const,
  ['no SS edges, over bge', `chain(${CONTEXTS}, semantic=false)`] as const,
].map(([label, strategy]) => ({ ...ablated(label, strategy), retriever: `dense(${BGE})` }));

/** A strategy that would use a language model is named by what does its work here. */
export const labelOf = ({ label, strategy }: Declared): string => {
  const byRules = strategies.create(strategy).needs?.some(({ port }) => port === languageModel);
  return label ?? (byRules ? `${strategy} (rules)` : strategy);
};

export interface GraphSet {
  /** Its data set, if `dataSet` names none. */
  readonly id: string;
  /** A format of folders: `files` names the folder. */
  readonly dataSet?: string;
  /** Relevance alone is judged: nothing is answered. */
  readonly ranked?: boolean;
  readonly heading: string;
  readonly says: string;
  /** The share of gold sentences that are shown, where the set has gold sentences. */
  readonly sentences?: string;
  /** Documents are longer than a passage. */
  readonly long?: boolean;
  readonly reader: string;
  /** From Wikipedia, like the sets of the papers. */
  readonly wikipedia?: boolean;
  readonly questions: number;
  /** The size of the seeded sample; all questions if missing. */
  readonly sample?: number;
  /** The words that name files with gold sentences. */
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
      ? [{ id, says, ...wikipedia, wikipedia: true, reader: 'open-reader', files }]
      : [];
  }),
  {
    id: 'multihop-rag',
    heading: 'MultiHop-RAG',
    sentences: 'FactRecall',
    long: true,
    says: 'MultiHop-RAG, dev half: a sample of its questions, drawn by seed; 609 articles of news',
    reader: 'combined-reader',
    questions: 1330,
    sample: 400,
  },
];

/** Domains for which nothing of these strategies was chosen. */
export const LEFT_OUT: readonly GraphSet[] = [
  ['obliqa', 'ObliQA: financial regulation', 'ObliQA, a sample of its questions; passages', 673],
  ['lihua-world', 'LiHua-World: chats', 'LiHua-World, its questions; sessions of chats', 286],
].map(([id, heading, says, questions]) =>
  defined({
    id: id as string,
    heading: heading as string,
    says: `${says} are documents`,
    dataSet: 'beir',
    reader: 'evidence-only',
    ranked: true,
    questions: questions as number,
    files: ({ data }: Given) => ['--folder', join(data, id as string)],
    sample: (questions as number) > 300 ? 200 : undefined,
  }),
);

/** Paragraphs are shown whole; of sentences, and of long documents, the best five a document. */
const CUT = 'sentences(perDocument=5)';

/** The row by which the system is asked and read. */
export const rowOf = (declared: Declared, { long, reader }: GraphSet): Row => ({
  label: labelOf(declared),
  strategy: declared.strategy,
  retriever: declared.retriever ?? (declared.strategy === FACT_LANES ? SENTENCES : 'lexical'),
  context: long || declared.sentences ? CUT : 'whole',
  reader,
});

const SENTENCES = 'lexical(unit=sentence)';

/** The search alone that rows start from, by unit: deep, so that five documents are found. */
export const SEARCHES: readonly Row[] = SEARCH_UNITS.map(unit => ({
  label: `search by ${unit}`,
  strategy: 'fixed-top-k(k=100)',
  retriever: unit === 'document' ? 'lexical' : `lexical(unit=${unit})`,
  context: 'headers',
  reader: 'evidence-only',
}));
