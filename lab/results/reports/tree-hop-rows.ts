/** The rows of the TreeHop report, and the paper's figures (arXiv 2504.20114, Tables 1 to 4). */

type Variant = 'full' | 'no-q' | 'no-c' | 'no-gate';

const treeHop = (k: number, hops: number, ...more: readonly string[]): string =>
  `tree-hop(${[`k=${k}`, `hops=${hops}`, ...(more.some(word => word.startsWith('pruning=')) ? [] : ['pruning=rank']), ...more].join(', ')})`;

/** The row that ablations are taken from. */
export const UNABLATED: string = treeHop(5, 2);
/** The same, its layers cut by the score of the whole path: ours. */
export const BY_PATH: string = treeHop(5, 2, 'pruning=path');
/** The same as the first, hits that the passage above names before all others: ours. */
export const BY_BRIDGE: string = treeHop(5, 2, 'bridge=rank');
/** The rows among which the settings of two hops are chosen, by cross-validation. */
export const CHOICES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [5, 10].flatMap(k => {
    const [plain, path] = [treeHop(k, 2), treeHop(k, 2, 'pruning=path')];
    return [
      [`k=${k}: by score or by path`, [plain, path]],
      [`k=${k}: by score, by path or by bridge`, [plain, path, treeHop(k, 2, 'bridge=rank')]],
    ];
  }),
);
/** h = q - c: nothing is trained. */
export const WITHOUT_GATE: string = treeHop(5, 2, 'variant=no-gate');
export const BY_BRIDGE_ALONE: string = treeHop(5, 2, 'bridge=rank', 'variant=no-gate');

export const ROWS: readonly string[] = [
  ...[treeHop(5, 1), UNABLATED, treeHop(5, 3), treeHop(10, 1), treeHop(10, 2)],
  ...[treeHop(5, 2, 'pruning=argsort'), treeHop(5, 3, 'pruning=argsort'), WITHOUT_GATE],
  ...[BY_PATH, treeHop(10, 2, 'pruning=path')],
  ...[BY_BRIDGE, treeHop(10, 2, 'bridge=rank'), BY_BRIDGE_ALONE],
];
/** Without those that stand beside figures of the paper alone. */
export const OUR_ROWS: readonly string[] = ROWS.filter(row => !/hops=[13]|argsort/.test(row));

export interface Ablation {
  readonly says: string;
  readonly strategy: string;
  readonly published: (data: PublishedName) => Pair;
}

const pruning = (says: string, strategy: string, row: keyof Published['prunings']): Ablation => ({
  says,
  strategy,
  published: data => PUBLISHED[data].prunings[row],
});

export const PRUNING_ABLATIONS: readonly Ablation[] = [
  pruning('both', UNABLATED, 'both'),
  pruning('without redundancy pruning', treeHop(5, 2, 'redundancy=false'), 'no redundancy'),
  pruning('without layer-wise pruning', treeHop(5, 2, 'pruning=off'), 'no layer-wise'),
  pruning('without both', treeHop(5, 2, 'pruning=off', 'redundancy=false'), 'none'),
];

/**
 * A layer of ten queries with ten hits, or of five with five, none pruned: no row keeps more than
 * this of a question.
 */
export const DEPTH = 30;

type Pair = readonly [recall: number, k: number];
export interface Published {
  readonly name: string;
  readonly direct: { readonly 5: number; readonly 10: number };
  /** By strategy. */
  readonly rows: Readonly<Record<string, Pair>>;
  readonly terms: Readonly<Record<Variant, number>>;
  readonly prunings: Readonly<Record<'both' | 'no redundancy' | 'no layer-wise' | 'none', Pair>>;
}
export type PublishedName = '2wiki' | 'musique' | 'multihop_rag';

/**
 * Recall in percent and K. Layer-wise pruning was in all likelihood the released code's, which is
 * `argsort` here.
 */
export const PUBLISHED: Readonly<Record<PublishedName, Published>> = {
  '2wiki': {
    name: '2WikiMultiHopQA',
    direct: { 5: 49.3, 10: 53.2 },
    rows: rowsOf([49.3, 53.2], [61.6, 8.6], [65.4, 11.8], [57.9, 17.2]),
    terms: { full: 61.6, 'no-c': 57.5, 'no-q': 54.6, 'no-gate': 49.3 },
    prunings: {
      both: [61.6, 8.6],
      'no redundancy': [57.4, 10],
      'no layer-wise': [80.2, 18.4],
      none: [80.2, 30],
    },
  },
  musique: {
    name: 'MuSiQue',
    direct: { 5: 45.4, 10: 53.8 },
    rows: rowsOf([45.4, 53.8], [48.0, 8.1], [48.1, 11.0], [55.7, 15.3]),
    terms: { full: 48.0, 'no-c': 47.1, 'no-q': 46.3, 'no-gate': 45.4 },
    prunings: {
      both: [48.0, 8.1],
      'no redundancy': [46.4, 10],
      'no layer-wise': [53.6, 14.5],
      none: [53.6, 30],
    },
  },
  multihop_rag: {
    name: 'MultiHop-RAG',
    direct: { 5: 48.6, 10: 67.8 },
    rows: rowsOf([48.6, 67.8], [57.9, 7.0], [61.1, 8.4], [72.8, 13.1]),
    terms: { full: 57.9, 'no-c': 51.9, 'no-q': 50.8, 'no-gate': 48.6 },
    prunings: {
      both: [57.9, 7.0],
      'no redundancy': [52.8, 10],
      'no layer-wise': [61.3, 9.7],
      none: [61.3, 30],
    },
  },
};

/** Hops=1 is Direct-R. */
function rowsOf(
  [at5, at10]: readonly [number, number],
  at5hops2: Pair,
  at5hops3: Pair,
  at10hops2: Pair,
): Record<string, Pair> {
  return {
    [treeHop(5, 1)]: [at5, 5],
    [treeHop(10, 1)]: [at10, 10],
    [treeHop(5, 2)]: at5hops2,
    [treeHop(5, 3)]: at5hops3,
    [treeHop(10, 2)]: at10hops2,
  };
}
