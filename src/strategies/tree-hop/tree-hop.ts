/**
 * `tree-hop`: each passage that a layer expands updates the vector of the query, and the next layer
 * searches all new vectors; no text is generated. Paper: TreeHop (arXiv 2504.20114). Model calls:
 * 0; the updater is a small local model. Stops after its hops, or when a layer has nothing to
 * expand. A layer is one call, which is not begun if it would exceed the limit on retrievals.
 */

import { Selection } from '../../context/selection.ts';
import { InputError } from '../../core/errors.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { required } from '../../core/port.ts';
import { LAYER_PRUNINGS } from '../../core/ranking/layer-pruning.ts';
import { distinctDocuments } from '../../core/ranking/ranking.ts';
import type { Hop } from '../../core/trace/trace.ts';
import { queryUpdater } from '../../models/ports.ts';
import type { QueryUpdater } from '../../models/query-updater.ts';
import { VECTORS } from '../../search/ports/vectors-port.ts';
import { searchAll } from '../../search/retriever.ts';
import { HopDraft } from '../hop-draft.ts';
import { SEARCH_DEPTH, type Strategy } from '../strategy.ts';
import { completed } from '../usual-settings.ts';
import { BRIDGES, type Bridge, boundHits } from './bridges.ts';
import {
  candidatesOf,
  keepNew,
  type LayerSettings,
  MEAN_RAW,
  nextLayer,
  type QueryPooling,
  queryOf,
  rootBranch,
} from './layers.ts';

interface TreeHopSettings extends LayerSettings {
  readonly hops: number;
  readonly bridge: Bridge;
  readonly variant: string;
  readonly model: string;
  readonly 'query-pooling': QueryPooling;
  readonly 'last-update': boolean;
}

const TRAINED = 'trained';

export const treeHop: Member<Strategy> = member({
  name: 'tree-hop',
  summary:
    'A trained model computes the vectors of the next queries, one for each passage that a layer of the tree expands',
  paper: 'TreeHop, arXiv 2504.20114',
  cost: 'one search in hop 1, up to k in each hop after it (with pruning); 0 model calls; needs vectors of the embedder that its checkpoint was trained for',
  parameters: completed([
    { name: 'k', type: 'integer', max: 10_000, summary: 'hits of each search that are considered' },
    {
      name: 'hops',
      type: 'integer',
      default: 2,
      min: 1,
      max: 50,
      shown: true,
      summary: 'layers of the tree; the question is the first',
    },
    {
      name: 'pruning',
      type: 'text',
      default: 'rank',
      choices: LAYER_PRUNINGS,
      shown: true,
      summary:
        'which hits of a layer are expanded: the best (rank), each passage once (rank-unique), the best by the sum over their path (path), as in the released code (argsort), all (off)',
    },
    {
      name: 'layer',
      type: 'integer',
      default: 0,
      min: 0,
      max: 10_000,
      summary: 'hits of a layer that are expanded, at most; 0: k',
    },
    {
      name: 'redundancy',
      type: 'flag',
      default: true,
      summary: 'do not expand passages of earlier hops again',
    },
    {
      name: 'bridge',
      type: 'text',
      default: 'off',
      choices: BRIDGES,
      summary: `which hits of a later search come first: those with the best scores (off), or of its first ${SEARCH_DEPTH} those whose titles the passage above mentions and the question does not (rank)`,
    },
    {
      name: 'variant',
      type: 'text',
      default: TRAINED,
      choices: [TRAINED, 'full', 'no-q', 'no-c', 'no-gate'],
      summary: 'the trained model, or an ablation of a term of h = q - c + gate',
    },
    {
      name: 'model',
      type: 'text',
      default: 'tree-hop',
      port: 'query-updater',
      summary: 'id of a query updater of the run',
    },
    {
      name: 'query-pooling',
      type: 'text',
      default: 'normalised',
      choices: ['normalised', MEAN_RAW],
      summary:
        'the question as the engine embeds it, of length 1; or as in the released evaluation (mean-raw), if the model supports it',
    },
    {
      name: 'last-update',
      type: 'flag',
      default: false,
      summary:
        'also compute the unused queries after the last hop, as the released code does: for timing only',
    },
  ]),
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
            hop === 0 || read.bridge !== 'off' ? Math.max(read.k, SEARCH_DEPTH) : read.k,
            call,
          );
          const bound =
            hop === 0 || read.bridge === 'off'
              ? []
              : await boundHits(branches, searches, question, kit, call);
          const candidates = candidatesOf(branches, searches, seen, read, bound);
          const draft = new HopDraft(selection, hop, searches);
          await keepNew(candidates, draft, seen);
          yield draft.closed();
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

/** Bounds the tree: without pruning each layer is `k` times as large as the one before. */
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
