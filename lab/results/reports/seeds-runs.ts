/** The runs of the report on the five documents: one step a row, by rules and with a model. */
import { join } from 'node:path';
import { BOTH_CONTROLS } from '../control-tables.ts';
import type { Given, Row } from '../report.ts';
import { ALIKE, isRecorded, type Run, unpacked } from './seeds-kept.ts';
import { SETTINGS, TEMPLATE } from './settings.ts';

const run = (
  label: string,
  dataSet: string,
  row: Omit<Row, 'label'>,
  more: Pick<Run, 'measures'> & Partial<Run> & { readonly set?: string },
): Run => {
  const { set = dataSet, ...rest } = more;
  const name = `${set}.${label}${more.asks ? '-model' : ''}`;
  return { name, dataSet, rows: [{ ...row, label }], ...rest };
};

const NEWS = 'multihop-rag';
const PASSAGES = 'lexical(unit=passage)';
const SEARCHED = { context: 'headers', reader: 'evidence-only' };
const BGE = 'bge-small-en-v1.5';
const cut = (size: number, overlap: number): string[] => [
  ...['--chunker', `tokens(size=${size}, overlap=${overlap})`],
];
/** Precision, recall and F1 after the last hop; papers differ in what a null question counts. */
const afterHops = (nulls: string): string[] =>
  ['Precision', 'Recall', 'F1'].map(name => `Hop${name}@10(nulls=${nulls})`);
/** Calls and tokens that tables of cost read. */
const CALLS = ['ModelCalls', 'ModelTokens'];

/** The same run by rules and with the model. */
const twice = (make: (asks: boolean) => Run): Run[] => [make(false), make(true)];

const decompositions = [3, 4, 5].flatMap(parts =>
  twice(asks =>
    run(
      `decomposition-${parts}`,
      NEWS,
      {
        strategy: `query-decomposition(parts=${parts}, integration=sub-contexts, pool=1000000)`,
        retriever: PASSAGES,
        ...SEARCHED,
      },
      { measures: [...afterHops('zero'), ...CALLS], words: cut(300, 60), sample: 50, asks },
    ),
  ),
);

const BM25 = 'lexical(bm25(stop=english), unit=passage)';
const filtered = (label: string, extractor: string, more: Partial<Run>, retriever = BM25): Run =>
  run(
    label,
    NEWS,
    { strategy: `multi-meta-rag(extractor=${extractor})`, retriever, ...SEARCHED },
    { measures: ['Hits@4', 'PassageRecall@10', 'PassageF1@10'], ...more },
  );
const RERANKED = `reranked(dense(${BGE}, unit=passage), ms-marco-MiniLM-L-12-v2)`;
const filters = ({ data }: Given): Run[] => {
  const words = ['--filters', join(data, NEWS, 'query_metadata_filters.dev.json')];
  return [
    filtered('filter-none', 'none', {}),
    filtered('filter-gpt', 'replayed', { words }),
    filtered('filter-model', 'model', { asks: true }),
    filtered('filter-bge', 'replayed', { words, sample: 50, embeds: true }, RERANKED),
  ];
};

const irCot = Object.entries({
  'ir-cot-5': 'profile=original, k=5',
  'ir-cot-10': 'profile=original, k=10',
  'ir-cot-text': 'profile=comparison-text, k=10',
}).flatMap(([label, settings]) =>
  twice(asks =>
    run(
      label,
      NEWS,
      {
        strategy: `ir-cot(${settings})`,
        retriever: 'dense(all-MiniLM-L6-v2, unit=passage)',
        ...SEARCHED,
      },
      {
        measures: [...afterHops('one'), 'Hops', ...CALLS],
        words: cut(1000, 200),
        sample: 50,
        embeds: true,
        asks,
      },
    ),
  ),
);

const HOPS = [1, 2, 3, 4, 5];
const fiveHops: Run = run(
  'five-hops',
  NEWS,
  { strategy: 'tree-hop(k=5, hops=5, pruning=argsort)', retriever: `dense(${BGE})`, ...SEARCHED },
  {
    type: 'inference_query',
    measures: HOPS.flatMap(r => [
      ...[`HopPrecision@${r}`, `HopRecall@${r}`, `HopF1@${r}(of-means)`],
    ]),
    words: TEMPLATE,
    embeds: true,
  },
);

const EM = 'RetrievalConditionedEM(paper)';
const policies = Object.entries({
  'fixed-top-k': 'fixed-top-k(k=2)',
  iterative: 'iterative',
  decomposition: 'decomposition',
  'budgeted-agent': 'budgeted-agent(tokens=620, calls=4)',
  'budgeted-agent-360': 'budgeted-agent(tokens=360, calls=3)',
  'budgeted-agent-500': 'budgeted-agent(tokens=500, calls=3)',
  'budgeted-agent-760': 'budgeted-agent(tokens=760, calls=4)',
  'budgeted-agent-900': 'budgeted-agent(tokens=900, calls=5)',
  'equal-budget-top-k': 'equal-budget-top-k(tokens=620)',
}).map(([label, strategy]) =>
  run(
    label,
    NEWS,
    { strategy, retriever: 'lexical(s1)', context: 'lead', reader: 'extractive' },
    {
      measures: [
        ...[EM, EM.replace('EM', 'F1'), 'EvidenceRecall', 'Retrievals', 'ContextTokens'],
        ...['Documents', ...[1, 2, 4, 6, 8].map(k => `EvidenceRecall@${k}`), 'ReciprocalRank'],
      ],
    },
  ),
);

const claims = (label: string, settings: string, more: Partial<Run>): Run =>
  run(
    label,
    NEWS,
    {
      strategy: `bridge-claims(${settings})`,
      retriever: 'lexical(unit=sentence)',
      context: 'sentences(perDocument=5)',
      // The type that a reader states would stand for that of the strategy.
      reader: label.endsWith('types')
        ? 'evidence-only'
        : more.asks
          ? 'generative'
          : 'combined-reader',
    },
    { measures: ['QaAccuracy(official)', 'QaAccuracy(strict)', ...TYPES], ...more },
  );
const TYPES = ['EvidenceRecall', 'TypeF1(weighted)'];
const study: readonly Run[] = [
  claims('bridge-types', 'profile=paper', { sample: 200 }),
  claims('bridge-types', 'profile=paper', { sample: 50, asks: true }),
  claims('bridge-claims', 'profile=paper', { sample: 400 }),
  claims('bridge-claims-0', 'profile=paper, bridges=0', { sample: 400 }),
  ...(
    [
      [50, true],
      [50, false],
      [200, false],
    ] as const
  ).map(([sample, asks]) =>
    run(
      `naive-${sample}`,
      NEWS,
      {
        strategy: 'naive(k=6)',
        retriever: PASSAGES,
        context: 'whole',
        reader: asks ? 'generative' : 'combined-reader',
      },
      {
        measures: ['QaAccuracy(official)', 'QaAccuracy(strict)', ...CALLS],
        sample,
        asks,
        words: BOTH_CONTROLS,
      },
    ),
  ),
  claims('bridge-claims', 'profile=paper', { sample: 50, asks: true }),
  claims('bridge-claims-0', 'profile=paper, bridges=0', { sample: 50, asks: true }),
];

/** Settings of `chain`, and the baselines of its paper. */
const CHAINS: Readonly<Record<string, string>> = {
  naive: 'naive',
  'naive-decomposition': 'naive(decomposition=true)',
  'iter-retgen': 'iter-retgen(iterations=3)',
  'longrag-dual': 'longrag-dual',
  hipporag1: 'hipporag1',
  'chain-answers': 'chain',
  'chain-answers-unwritten': 'chain(rewriting=false)',
  'chain-contexts': 'chain(integration=contexts)',
  'chain-unwritten': 'chain(integration=contexts, rewriting=false)',
  'chain-no-entity': 'chain(integration=contexts, entity=false)',
  'chain-no-semantic': 'chain(integration=contexts, semantic=false)',
  'chain-no-adjacent': 'chain(integration=contexts, adjacent=false)',
  'chain-no-graph': 'chain(integration=contexts, graph=false)',
};
const MUSIQUE = 'musique';
/** Questions that the model is asked: edges on MuSiQue alone. */
const asked = (set: string, label: string): number | undefined =>
  set === MUSIQUE ? (/no-|longrag|hippo/.test(label) ? 50 : 100) : /no-/.test(label) ? 0 : 50;
/** Without a model both integrations answer alike, and edges of similarity need vectors. */
const byRules = (id: string, label: string): boolean =>
  !(label in ALIKE) && (id === MUSIQUE || label !== 'chain-no-semantic');
/** Rules in place of thoughts, where the strategy does not choose them itself. */
const ruled = (strategy: string): string =>
  strategy.replace('iterations=3', 'iterations=3, thoughts=extracted, answer=reader');

const own = ({ data }: Given): Run[] =>
  [MUSIQUE, '2wikimultihopqa', 'hotpotqa'].flatMap(id => {
    const words = ['--passages', 'own'];
    const measures = ['AnswerEM(hotpot)', 'AnswerF1(hotpot)'];
    // Edges of similarity need vectors, by which the paper searches; a claim asks of them here.
    const embeds = id === MUSIQUE;
    const chain = (label: string, strategy: string, asks: boolean): Run =>
      run(
        label,
        id,
        {
          strategy: asks ? strategy : ruled(strategy),
          retriever: embeds ? `dense(${BGE})` : 'lexical',
          context: strategy.startsWith('chain') ? 'sentences(perDocument=5)' : 'whole',
          reader: asks ? 'generative' : 'open-reader',
        },
        asks
          ? { measures: [...measures, ...CALLS], words, embeds, asks, sample: asked(id, label)! }
          : { measures, words, embeds },
      );
    const all = Object.entries(CHAINS);
    const questions = join(data, MUSIQUE, 'musique_ans.dev.jsonl');
    const replayed = id === MUSIQUE;
    return [
      run(
        'sub-questions',
        id,
        {
          strategy: `chain(integration=contexts, ${replayed ? 'split=replayed, ' : ''}probe=true)`,
          retriever: 'lexical',
          ...SEARCHED,
        },
        {
          measures: ['', 'number=2', 'number=2, rewritten=true'].map(
            which => `SubQuestionRecall@2${which && `(${which})`}`,
          ),
          words: [...words, ...cut(200, 0), ...(replayed ? ['--sub-questions', questions] : [])],
        },
      ),
      ...all.filter(([label]) => byRules(id, label)).map(each => chain(...each, false)),
      ...all.filter(([label]) => asked(id, label) !== 0).map(each => chain(...each, true)),
    ];
  });

const onTreeHopSets = (label: string, strategy: string, retriever = `dense(${BGE})`): Run[] =>
  SETTINGS.filter(({ published }) => published).map(({ id, evaluated }) =>
    run(
      label,
      evaluated.dataSet,
      { strategy, retriever, ...SEARCHED },
      {
        ...evaluated,
        set: id,
        measures: [ALL_TITLES, 'Documents'],
        words: TEMPLATE,
        embeds: true,
      },
    ),
  );
export const ALL_TITLES = 'TitleRecall@1000(micro)';
const THOUGHTS = 'thoughts=extracted, answer=reader';
/** Rows of TreeHop's Table 2 that its own report lacks. */
const rivals: readonly Run[] = [
  ...[2, 3].flatMap(n =>
    onTreeHopSets(`iter-retgen-${n}`, `iter-retgen(iterations=${n}, k=5, ${THOUGHTS})`),
  ),
  ...onTreeHopSets('efficient-rag', 'efficient-rag(k=5)'),
];

/** All runs; those of models in the order of their cost. */
export function runs(request: Given): readonly Run[] {
  const all = [
    ...decompositions,
    ...filters(request),
    ...irCot,
    fiveHops,
    ...rivals,
    ...policies,
    ...study,
    ...own(request),
  ];
  return all.map(each =>
    each.asks && isRecorded(each.name)
      ? { ...each, files: () => unpacked(each.name, request) }
      : each,
  );
}
