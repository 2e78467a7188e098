/** TreeHop as the port of models that move a query on. */
import { InputError } from '../../core/errors.ts';
import type { SearchMode } from '../../core/search-mode.ts';
import type { Call } from '../../core/trace/call.ts';
import type { QueryUpdater } from '../query-updater.ts';
import type { Checkpoint } from './checkpoint.ts';
import { TREE_HOP_VARIANTS, type TreeHopVariant } from './shape.ts';
import { prepareTreeHop, type TreeHop } from './tree-hop.ts';

export interface TreeHopUpdaterOptions {
  /** `tree-hop` when missing. */
  readonly id?: string;
  /**
   * The id of the embedder that it was trained for; `encoder` of the checkpoint's provenance when
   * missing.
   */
  readonly space?: string;
  /** `variant` of the checkpoint's provenance when missing, else the full model. */
  readonly variant?: TreeHopVariant;
  /**
   * The mean of the encoder's token vectors of a question, not normalised: what the released
   * evaluation starts from.
   */
  readonly publishedQuery?: QueryUpdater['publishedQuery'];
  /** 'plain' never uses WebAssembly; what comes out is the same. */
  readonly mode?: SearchMode;
}

export const DEFAULT_UPDATER = 'tree-hop';

/**
 * The weights are packed when first used, once a variant. Throws `InputError`: 'unknown-encoder',
 * 'unknown-variant'.
 */
export function treeHopUpdater(
  checkpoint: Checkpoint,
  options: TreeHopUpdaterOptions = {},
): QueryUpdater {
  const { parameters, provenance } = checkpoint;
  const { id = DEFAULT_UPDATER, space = provenance['encoder'], mode = 'auto' } = options;
  if (space === undefined || space === '')
    throw new InputError(
      'unknown-encoder',
      `Nothing says which embedder the TreeHop model "${id}" was trained for`,
      {
        expected: 'the id of an embedder as "encoder" in the metadata of the checkpoint',
        hint: 'A model moves queries only among vectors of the embedder that it was trained for.',
      },
    );
  const variant = checkedVariant(options.variant ?? provenance['variant'] ?? 'full');
  const { publishedQuery } = options;
  let prepared: TreeHop | undefined;
  const variants = new Map<TreeHopVariant, QueryUpdater>();
  return {
    id,
    space,
    dimensions: parameters.d,
    publishedQuery,
    async update(queries, passages, call: Call) {
      call.signal.throwIfAborted();
      prepared ??= prepareTreeHop(parameters, { variant, mode });
      const next = prepared.update(
        inRows(queries, parameters.d, id),
        inRows(passages, parameters.d, id),
      );
      return queries.map((_, row) => next.subarray(row * parameters.d, (row + 1) * parameters.d));
    },
    ablated: other => {
      const known = TREE_HOP_VARIANTS.find(name => name === other);
      if (known !== undefined && !variants.has(known))
        variants.set(known, treeHopUpdater(checkpoint, { ...options, variant: known }));
      return known && variants.get(known);
    },
  };
}

function checkedVariant(requested: string): TreeHopVariant {
  const variant = TREE_HOP_VARIANTS.find(name => name === requested);
  if (variant) return variant;
  throw new InputError('unknown-variant', 'The variant of a TreeHop model', {
    expected: TREE_HOP_VARIANTS.join(', '),
    received: requested,
  });
}

function inRows(vectors: readonly Float32Array[], d: number, id: string): Float32Array {
  const rows = new Float32Array(vectors.length * d);
  for (const [row, vector] of vectors.entries()) {
    if (vector.length !== d)
      throw new InputError(
        'wrong-dimensions',
        `The TreeHop model "${id}" was given another embedder's vector`,
        {
          expected: `${d} dimensions`,
          received: `${vector.length} dimensions`,
        },
      );
    rows.set(vector, row * d);
  }
  return rows;
}
