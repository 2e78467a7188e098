/**
 * `tree-hop(k=5, hops=2, pruning=rank)`: each passage that a layer keeps moves the query's vector
 * on, and the next layer is searched with all the new vectors at once; no text is written and no
 * language model asked.
 *
 * Paper: TreeHop (arXiv 2504.20114). Model calls: 0; the update is a model
 * of some millions of weights on this machine. Stops after its hops, or when a layer has nothing
 * left to expand. A layer is searched in one call: where it would exceed the run's limit on
 * retrievals, it is not begun.
 *
 * The trace holds the tree (see `passageTree`): a search of a later hop names the hit that it grew
 * from and the hash of its vector, and each of the first k hits of a search is kept or rejected:
 * - duplicate: kept before this layer, so it is not expanded;
 * - below-top-k: the layer had k better ones;
 * - repeated: expanded all the same, but evidence already, through another branch or without
 *   redundancy pruning;
 * - budget: expanded all the same, but the run's budget had no room for it.
 */
import { Selection } from '../context/selection.ts';
import { InputError } from '../errors.ts';
import { required } from '../models/port.ts';
import { queryUpdater } from '../models/ports.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import { type Member, member } from '../naming/family.ts';
import { LAYER_PRUNINGS } from '../ranking/layer-pruning.ts';
import { distinctDocuments } from '../ranking/ranking.ts';
import { searchAll } from '../retrieval/retriever.ts';
import { VECTORS } from '../retrieval/vectors-port.ts';
import type { Hop } from '../trace/trace.ts';
import { SEARCH_DEPTH, type Strategy } from './strategy.ts';
import {
  candidatesOf,
  keepNew,
  type LayerSettings,
  MEAN_RAW,
  nextLayer,
  type QueryPooling,
  queryOf,
  rootBranch,
} from './tree-layers.ts';

interface TreeHopSettings extends LayerSettings {
  readonly hops: number;
  readonly variant: string;
  readonly model: string;
  readonly 'query-pooling': QueryPooling;
  readonly 'last-update': boolean;
}

const TRAINED = 'trained';

export const treeHop: Member<Strategy> = member({
  name: 'tree-hop',
  summary:
    'Vectors of next queries from a trained model: one for each passage that a layer of the tree keeps',
  paper: 'TreeHop, arXiv 2504.20114',
  cost: 'one search in hop 1, up to k in each hop after it (with pruning); 0 model calls; needs vectors of the embedder that its checkpoint was trained for',
  parameters: [
    {
      name: 'k',
      type: 'integer',
      default: 5,
      min: 1,
      max: 10_000,
      shown: true,
      summary: 'hits of each search that are looked at',
    },
    {
      name: 'hops',
      type: 'integer',
      default: 2,
      min: 1,
      max: 50,
      shown: true,
      summary: 'layers of the tree; the first is that of the question',
    },
    {
      name: 'pruning',
      type: 'text',
      default: 'rank',
      choices: LAYER_PRUNINGS,
      shown: true,
      summary:
        'which hits of a layer go on: the best (rank), each passage once (rank-unique), the best by the sum over their path (path), as the released code has it (argsort), all (off)',
    },
    {
      name: 'layer',
      type: 'integer',
      default: 0,
      min: 0,
      max: 10_000,
      summary: 'how many hits of a layer go on, at most; 0: k of them',
    },
    {
      name: 'redundancy',
      type: 'flag',
      default: true,
      summary: 'what was kept in an earlier hop is not expanded again',
    },
    {
      name: 'variant',
      type: 'text',
      default: TRAINED,
      choices: [TRAINED, 'full', 'no-q', 'no-c', 'no-gate'],
      summary: 'the model as it was trained, or with a term of h = q - c + gate left out',
    },
    {
      name: 'model',
      type: 'text',
      default: 'tree-hop',
      port: 'query-updater',
      summary: 'which of the run’s query updaters',
    },
    {
      name: 'query-pooling',
      type: 'text',
      default: 'normalised',
      choices: ['normalised', MEAN_RAW],
      summary:
        'the question as the engine embeds it, of length 1; or as the released evaluation does (mean-raw), where the model can',
    },
    {
      name: 'last-update',
      type: 'flag',
      default: false,
      summary:
        'compute the queries after the last hop too, which nobody asks, as the released code does: for times alone',
    },
  ],
  create(read, name) {
    checkSize(read);
    const need = required(queryUpdater, read.model);
    return {
      name,
      needs: [need],
      requires: () => ({ ports: [VECTORS], vectorSearch: 'any' }),
      async *hops(question, kit, call) {
        const model = variantOf(kit.resource(need), read.variant);
        const selection = new Selection(kit.context, call);
        const seen = new Set<string>();
        let branches = [await rootBranch(question, kit, model, read['query-pooling'], call)];
        for (let hop = 0; hop < read.hops; hop++) {
          const queries = branches.map(branch => queryOf(branch, question));
          const searches = await searchAll(
            kit.retriever,
            queries,
            hop === 0 ? Math.max(read.k, SEARCH_DEPTH) : read.k,
            call,
          );
          const candidates = candidatesOf(branches, searches, seen, read);
          const before = selection.all.length;
          const rejected = await keepNew(candidates, searches, hop, selection, seen);
          yield { searches, kept: selection.all.slice(before), rejected };
          const expanded = candidates.filter(candidate => candidate.expanded);
          if (expanded.length === 0 && hop + 1 < read.hops) return { why: 'exhausted' };
          if (hop + 1 < read.hops || read['last-update'])
            branches = await nextLayer(branches, expanded, hop, kit, model, call);
        }
        return { why: 'completed' };
      },
      ranking: (hops: readonly Hop[]) => distinctDocuments(hops.flatMap(({ kept }) => kept)),
    };
  },
});

/** Without layer-wise pruning each layer is `k` times as large as the one before it. */
const MOST_HITS = 100_000;

function checkSize({ k, hops, pruning }: TreeHopSettings): void {
  if (pruning !== 'off' || k ** hops <= MOST_HITS) return;
  throw new InputError(
    'tree-too-large',
    `The tree of tree-hop(k=${k}, hops=${hops}, pruning=off) may have ${k} to the power of ${hops} hits`,
    {
      expected: `at most ${MOST_HITS.toLocaleString('en')}`,
      hint: 'Take fewer hops, or prune the layers.',
    },
  );
}

function variantOf(updater: QueryUpdater, variant: string): QueryUpdater {
  if (variant === TRAINED) return updater;
  const ablated = updater.ablated?.(variant);
  if (ablated) return ablated;
  throw new InputError(
    'unknown-variant',
    `The query updater "${updater.id}" has no variant "${variant}"`,
    {
      expected: `variant=${TRAINED}`,
    },
  );
}
