/** The other data sets of the fact-lanes report: the same constants, at equal tokens. */
import { factLanesRow, rowOf, SYSTEMS, type SystemRow } from './fact-lanes-systems.ts';

const BGE = 'bge-small-en-v1.5';

export interface GeneralitySetting {
  /** Its data set. */
  readonly id: string;
  readonly says: string;
  /** The first is what the table compares. */
  readonly measures: readonly string[];
  /** The unit that the first measure counts. */
  readonly counts: string;
}

const SENTENCES = ['SentenceRecall', 'EvidenceRecall', 'ContextTokens', 'Documents'];
/**
 * Gold titles of these corpora name one document each, so that recall by document is recall by
 * title.
 */
const DOCUMENTS = ['EvidenceRecall', 'ContextTokens', 'Documents'];

export const GENERALITY: readonly GeneralitySetting[] = [
  {
    id: 'hotpotqa',
    says: 'HotpotQA, ten paragraphs a question',
    measures: SENTENCES,
    counts: 'gold sentences',
  },
  {
    id: '2wikimultihopqa',
    says: '2WikiMultiHopQA, ten paragraphs a question',
    measures: SENTENCES,
    counts: 'gold sentences',
  },
  {
    id: 'hotpotqa-pooled',
    says: 'HotpotQA, one pooled corpus',
    measures: DOCUMENTS,
    counts: 'gold titles',
  },
  {
    id: '2wikimultihopqa-open',
    says: '2WikiMultiHopQA, one open corpus',
    measures: DOCUMENTS,
    counts: 'gold titles',
  },
  {
    id: 'musique',
    says: 'MuSiQue, twenty paragraphs a question',
    measures: DOCUMENTS,
    counts: 'gold paragraphs',
  },
  {
    id: 'musique-pooled',
    says: 'MuSiQue, one pooled corpus',
    measures: DOCUMENTS,
    counts: 'gold paragraphs',
  },
];

export const GENERALITY_TOKENS: readonly number[] = [128, 256, 510];

/** Words that a paragraph has at least, or nearly: room for so many items. */
const LEAST = { paragraph: 40, sentence: 10 };

interface Given {
  readonly system: string;
  readonly strategy: (items: number, tokens: number) => string;
  readonly retriever: string;
  readonly unit: 'paragraph' | 'sentence';
  readonly context: string;
}

const strategyOf = (system: string): Given['strategy'] => SYSTEMS[system]!.strategy;
const whole = (system: string, strategy: string, retriever: string): Given => ({
  ...{ system, strategy: strategyOf(strategy), retriever, unit: 'paragraph', context: 'whole' },
});

/**
 * Paragraphs are shown whole: they are short. Once more cut to their best sentences, and once
 * searched as sentences.
 */
const GIVEN: readonly Given[] = [
  whole('fixed-top-k, words', 'fixed-top-k', 'lexical'),
  {
    ...whole('fixed-top-k, words, cut to 2 sentences', 'fixed-top-k', 'lexical'),
    context: 'sentences(perDocument=2)',
  },
  {
    ...{
      system: 'fixed-top-k over sentences, words',
      strategy: strategyOf('fixed-top-k'),
      retriever: 'lexical(unit=sentence)',
    },
    ...{ unit: 'sentence', context: 'sentences(perDocument=5)' },
  },
  whole('fixed-top-k, words and lsa', 'fixed-top-k', 'fused(lexical, dense(lsa))'),
  whole('fixed-top-k, hybrid(lsa)', 'fixed-top-k', 'hybrid(lsa, unit=document)'),
  whole('iterative', 'iterative', 'lexical'),
  whole('iterative(drift)', 'iterative(drift)', 'lexical'),
  whole('budgeted-agent', 'budgeted-agent', 'lexical'),
  whole('efficient-rag', 'efficient-rag', 'lexical'),
  whole('decomposition', 'decomposition', 'lexical'),
  whole('query-decomposition', 'query-decomposition', 'lexical'),
  whole('slot-agent', 'slot-agent', 'lexical'),
  whole('multi-meta-rag', 'multi-meta-rag', 'lexical'),
  whole('ir-cot', 'ir-cot', 'lexical'),
  whole('iter-retgen', 'iter-retgen', 'lexical'),
];

/** By vectors of whole paragraphs, as TreeHop was trained. */
const EMBEDDED: readonly Given[] = [
  whole('fixed-top-k, bge', 'fixed-top-k', `dense(${BGE})`),
  {
    ...whole('tree-hop', 'fixed-top-k', `dense(${BGE})`),
    strategy: items => `tree-hop(k=${Math.max(5, Math.ceil(items / 2))})`,
  },
];

/**
 * The vectors that are searched: none but those fitted on the corpus, or an embedder's of
 * paragraphs or of sentences, which have to be made.
 */
export const VECTORS = ['none', 'paragraphs', 'sentences'] as const;
export type Vectors = (typeof VECTORS)[number];

/** TreeHop's own template; sentences have the usual one. */
export const templateOf = (vectors: Vectors): readonly string[] =>
  vectors === 'paragraphs' ? ['--template', 'title-context'] : [];

/** Fewer later hops: none, one. */
const HOPS: readonly string[] = ['bridge=off', 'rounds=1'];

export function generalityRows(vectors: Vectors): SystemRow[] {
  const ours = { none: ['lsa', 'words'], paragraphs: [], sentences: ['bge'] }[vectors];
  const others = { none: GIVEN, paragraphs: EMBEDDED, sentences: [] }[vectors];
  return [
    ...ours.flatMap(by => GENERALITY_TOKENS.map(tokens => factLanesRow({ by, tokens }))),
    ...(vectors === 'none' ? HOPS : []).flatMap(settings =>
      GENERALITY_TOKENS.map(tokens => factLanesRow({ by: 'words', tokens, settings })),
    ),
    ...others.flatMap(given => GENERALITY_TOKENS.map(tokens => givenRow(given, tokens))),
  ];
}

function givenRow({ strategy, unit, ...given }: Given, tokens: number): SystemRow {
  const items = Math.ceil(tokens / LEAST[unit]);
  return rowOf({ ...given, tokens, strategy: strategy(items, tokens), cut: tokens });
}
