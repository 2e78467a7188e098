/** `multihop treehop`: published checkpoints into files of ours and back. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { parseJson } from '../../documents/records/json-text.ts';
import { isFields } from '../../documents/records/record.ts';
import { writeSafetensors } from '../../models/safetensors/safetensors.ts';
import {
  type Checkpoint,
  publishedConfig,
  readCheckpoint,
  writeCheckpoint,
} from '../../models/tree-hop/checkpoint.ts';
import { treeHopParameters } from '../../models/tree-hop/parameters.ts';
import { parameterCount, type TreeHopShape, tensorShapes } from '../../models/tree-hop/shape.ts';
import { readStateDict } from '../../models/tree-hop/state-dict.ts';
import { readBytes, replaceFile } from '../../platform/replace-file.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Command, CommandContext } from '../command.ts';
import type { OptionValues } from '../option.ts';

const CONFIG = 'config.json';
/** A ZIP archive, as PyTorch writes since 1.6. */
const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

const TASKS: Readonly<Record<string, (context: CommandContext) => Promise<number>>> = {
  import: importCheckpoint,
  export: exportCheckpoint,
};

const EXPORT_FORMATS = ['safetensors', 'published'];

/** Options of one task. */
const OF_TASK: Readonly<Record<string, string>> = {
  config: 'import',
  encoder: 'import',
  format: 'export',
};

export const command: Command = {
  positionals: [
    { name: 'TASK', summary: Object.keys(TASKS).join(', ') },
    { name: 'FILE', summary: 'for import a .pt or .safetensors, for export a checkpoint' },
  ],
  options: [
    {
      name: 'out',
      value: 'PATH',
      access: 'writes',
      required: true,
      summary: 'the checkpoint; for --format published a folder',
    },
    {
      name: 'config',
      value: 'FILE',
      access: 'read',
      summary:
        'import: the config.json of a published model; by default the config.json in the folder of the file',
    },
    {
      name: 'encoder',
      value: 'NAME',
      summary: 'import: the embedder that it was trained for, as --embedder names it',
    },
    {
      name: 'format',
      value: 'NAME',
      default: EXPORT_FORMATS[0]!,
      summary: `export: ${EXPORT_FORMATS.join(', ')}`,
    },
  ],
  notes: ['--json prints { out, parameters, d, g, m, nMlp, heads, provenance }.'],
  examples: [
    {
      line: 'multihop treehop import model.safetensors --encoder bge-m3 --out tree-hop.safetensors',
      says: 'a published checkpoint',
    },
    {
      line: 'multihop treehop export tree-hop.safetensors --format published --out folder',
      says: 'model.safetensors and config.json',
    },
  ],
  async run(context) {
    const [name] = context.positionals;
    const task = TASKS[name!];
    if (task === undefined)
      throw new InputError('unknown-task', `There is nothing to do with TreeHop called "${name}"`, {
        expected: Object.keys(TASKS).join(', '),
      });
    for (const [option, reader] of Object.entries(OF_TASK))
      if (reader !== name && context.options.flag(option))
        throw new InputError('option-not-for-task', `treehop ${name} takes no --${option}`, {
          expected: `it with treehop ${reader}`,
        });
    return task(context);
  },
};

/**
 * A file of ours from a `.pt` or a `model.safetensors`; the content decides which it is. Throws
 * `InputError`.
 */
async function importCheckpoint({ positionals, options, output }: CommandContext): Promise<number> {
  const [path, out] = [positionals[1]!, freshFile(options.text('out')!)];
  const bytes = readBytes(path);
  const read = (): Checkpoint =>
    isArchive(bytes)
      ? { parameters: treeHopParameters(readStateDict(bytes)), provenance: {} }
      : readCheckpoint(bytes);
  const { parameters, provenance } = read();
  const config = options.text('config') ?? besideConfig(path);
  if (config !== undefined) checkConfig(config, parameters);
  const encoder = options.text('encoder') ?? provenance['encoder'];
  if (encoder === undefined)
    output.warn(
      `Nothing says for which embedder of ${parameters.d} dimensions it was trained; no run takes it until its checkpoint does. Import it again with --encoder NAME.`,
    );
  const trained = encoder === undefined ? provenance : { ...provenance, encoder };
  const imported = { ...trained, importedFrom: sha256(bytes) };
  replaceFile(out, writeCheckpoint({ parameters, provenance: imported }));
  report({ output }, out, { parameters, provenance: imported });
  return 0;
}

/** Throws `InputError`. */
async function exportCheckpoint({ positionals, options, output }: CommandContext): Promise<number> {
  const [path, out] = [positionals[1]!, options.text('out')!];
  const format = formatOf(options);
  const checkpoint = readCheckpoint(readBytes(path));
  const { parameters } = checkpoint;
  if (format === 'safetensors') replaceFile(freshFile(out), writeCheckpoint(checkpoint));
  else {
    const [model, config] = [join(out, 'model.safetensors'), join(out, CONFIG)].map(freshFile);
    const tensors = tensorShapes(parameters).map(
      ({ name, shape }) => [name, { shape, data: parameters.tensors.get(name)! }] as const,
    );
    replaceFile(
      model!,
      writeSafetensors({ metadata: { format: 'pt' }, tensors: new Map(tensors) }),
    );
    replaceFile(config!, `${JSON.stringify(publishedConfig(parameters), undefined, 2)}\n`);
  }
  report({ output }, out, checkpoint);
  return 0;
}

/** Throws `InputError('bad-value')`. */
function formatOf(options: OptionValues): string {
  const format = options.text('format') ?? EXPORT_FORMATS[0]!;
  if (EXPORT_FORMATS.includes(format)) return format;
  throw new InputError('bad-value', 'The option --format', {
    expected: `one of ${EXPORT_FORMATS.join(', ')}`,
    received: `"${format}"`,
  });
}

function freshFile(path: string): string {
  if (!existsSync(path)) return path;
  throw new InputError('file-exists', `There is a file ${JSON.stringify(path)} already`, {
    expected: 'a new name for --out',
  });
}

function besideConfig(path: string): string | undefined {
  const beside = join(dirname(path), CONFIG);
  return existsSync(beside) ? beside : undefined;
}

/**
 * Throws `InputError('bad-config')` where the config of the published layout says other sizes than
 * the tensors have.
 */
function checkConfig(path: string, shape: TreeHopShape): void {
  const config = parseJson(new TextDecoder().decode(readBytes(path)), path);
  if (!isFields(config))
    throw new InputError('bad-config', `${JSON.stringify(path)} is no JSON object`);
  for (const [name, size] of Object.entries(publishedConfig(shape))) {
    // Dropout changes neither the loss nor the update: the released code never applies it.
    if (name === 'dropout' || config[name] === undefined || config[name] === size) continue;
    throw new InputError('bad-config', `"${name}" in ${JSON.stringify(path)}`, {
      expected: `${size}, as the tensors have it`,
      received: JSON.stringify(config[name]),
    });
  }
}

function report(
  { output }: Pick<CommandContext, 'output'>,
  out: string,
  { parameters, provenance }: Checkpoint,
): void {
  const { d, g, m, nMlp, heads } = parameters;
  const count = parameterCount(parameters);
  if (output.json) output.object({ out, parameters: count, d, g, m, nMlp, heads, provenance });
  else
    output.line(
      `${out}: ${count.toLocaleString('en')} parameters (d ${d}, g ${g}, mlp ${m}, ${nMlp} blocks, ${heads} heads)`,
    );
}
