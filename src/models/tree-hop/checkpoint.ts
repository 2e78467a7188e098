/**
 * A TreeHop model as a file of ours: safetensors with the published names, and metadata that says
 * what it was trained for and on.
 */
import { InputError } from '../../core/errors.ts';
import { readSafetensors, writeSafetensors } from '../safetensors/safetensors.ts';
import { type TreeHopParameters, treeHopParameters } from './parameters.ts';
import { type TreeHopShape, tensorShapes } from './shape.ts';

export interface Checkpoint {
  readonly parameters: TreeHopParameters;
  /** Metadata beside the sizes: `encoder`, `trainedOn`, `step`, ...; empty for files of others. */
  readonly provenance: Readonly<Record<string, string>>;
}

const FORMAT = 'treehop';

const sizesOf = ({ d, g, m, nMlp, heads }: TreeHopShape): Record<string, string> => ({
  d: String(d),
  g: String(g),
  m: String(m),
  nMlp: String(nMlp),
  nHead: String(heads),
});

/** The bytes of a file. Names of the format and of sizes in `provenance` are overwritten. */
export function writeCheckpoint({ parameters, provenance }: Checkpoint): Uint8Array {
  const tensors = tensorShapes(parameters).map(
    ({ name, shape }) => [name, { shape, data: parameters.tensors.get(name)! }] as const,
  );
  return writeSafetensors({
    metadata: { ...provenance, format: FORMAT, ...sizesOf(parameters) },
    tensors: new Map(tensors),
  });
}

/**
 * A model from a file of ours, or from the `model.safetensors` of the published one. Throws
 * `InputError`: 'bad-safetensors', 'not-tree-hop', or 'bad-checkpoint' where the metadata says
 * other sizes than the tensors have.
 */
export function readCheckpoint(bytes: Uint8Array): Checkpoint {
  const { metadata, tensors } = readSafetensors(bytes);
  const parameters = treeHopParameters(tensors);
  if (metadata['format'] !== FORMAT) return { parameters, provenance: metadata };
  const sizes = sizesOf(parameters);
  for (const [name, size] of Object.entries(sizes)) {
    if (metadata[name] !== size)
      throw new InputError('bad-checkpoint', `The size "${name}" in the metadata`, {
        expected: `${size}, as the tensors have it`,
        received: metadata[name] ?? 'none',
      });
  }
  const provenance = Object.fromEntries(
    Object.entries(metadata).filter(([name]) => name !== 'format' && !Object.hasOwn(sizes, name)),
  );
  return { parameters, provenance };
}

/** The `config.json` beside a published `model.safetensors`. */
export const publishedConfig = ({
  d,
  g,
  m,
  nMlp,
  heads,
}: TreeHopShape): Readonly<Record<string, number>> => ({
  x_size: d,
  g_size: g,
  mlp_size: m,
  n_mlp: nMlp,
  dropout: 0,
  n_head: heads,
});
