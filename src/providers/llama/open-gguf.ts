/** Opens GGUF models by the names of the command line: `gguf:PATH` and `hf:ORG/NAME:FILE`. */
import { InputError, PortError } from '../../core/errors.ts';
import type { LoadLibrary } from '../../platform/optional-package.ts';
import type { Kind, Models } from '../model-servers.ts';
import { type GgufOptions, said } from './gguf-model.ts';
import { ggufNameOf, hubUri } from './gguf-name.ts';
import { loadLlama } from './llama-library.ts';
import { samplingOf } from './sampling.ts';

/** Loaded with the first model: commands read this list alone. */
const OPENS: { readonly [K in Kind]?: (options: GgufOptions) => Promise<Models[K]> } = {
  model: async options => (await import('./gguf-language-model.ts')).ggufLanguageModel(options),
  embedder: async options => (await import('./gguf-embedder.ts')).ggufEmbedder(options),
  reranker: async options => (await import('./gguf-reranker.ts')).ggufReranker(options),
};

export interface NamedGguf {
  readonly name: string;
  readonly scheme: 'gguf' | 'hf';
  readonly rest: string;
}

interface OpenOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly threads?: number | undefined;
  readonly load?: LoadLibrary | undefined;
  readonly modelOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the forms of names that GGUF files have for models of a kind. */
export const ggufForms = (kind: Kind): readonly string[] =>
  OPENS[kind] ? ['gguf:PATH', 'hf:ORG/NAME:FILE'] : [];

/** Throws `InputError` for a name of no file, and the errors of opening it. */
export async function openNamedGguf<K extends Kind>(
  kind: K,
  named: NamedGguf,
  { env, threads, load, modelOptions: options }: OpenOptions,
): Promise<Models[K]> {
  const open = OPENS[kind] as ((options: GgufOptions) => Promise<Models[K]>) | undefined;
  if (!open)
    throw new InputError('bad-model', `GGUF files are no ${kind}`, { received: `"${named.name}"` });
  const { file, settings } = ggufNameOf(named.rest);
  // Wrong options surface before a large file is read.
  samplingOf(options);
  const models = env['MULTIHOP_MODELS'];
  const path = named.scheme === 'hf' ? await downloaded(kind, file, models, load) : file;
  return open({ threads, ...settings, file: path, models, load, options });
}

/** Returns the path of a file of the hub that is on this machine: `multihop models` brings it. */
async function downloaded(
  kind: Kind,
  rest: string,
  models: string | undefined,
  load: LoadLibrary | undefined,
): Promise<string> {
  const uri = hubUri(rest);
  const library = await loadLlama(kind, load);
  try {
    return await library.resolveModelFile(uri, { ...placeOf(models), download: false, cli: false });
  } catch (error) {
    throw new InputError('not-downloaded', `The model "hf:${rest}" is not on this machine`, {
      cause: error,
      expected: `its file in ${models ?? 'the folder of node-llama-cpp'}`,
      hint: `Download it: multihop models "hf:${rest}" --download`,
    });
  }
}

const placeOf = (models: string | undefined): object =>
  models === undefined ? {} : { directory: models };

export interface DownloadOptions extends OpenOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that are there and all of them. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Downloads the file of `hf:ORG/NAME:FILE`, unless it is there. Throws `PortError`. */
export async function downloadGguf(name: string, options: DownloadOptions): Promise<void> {
  if (!name.startsWith('hf:'))
    throw new InputError('bad-model', 'Only files of the hub are downloaded', {
      expected: 'hf:ORG/NAME:FILE',
      received: `"${name.slice(0, 80)}"`,
    });
  const uri = hubUri(ggufNameOf(name.slice(3)).file);
  const library = await loadLlama('model', options.load);
  try {
    await library.resolveModelFile(uri, {
      ...placeOf(options.env['MULTIHOP_MODELS']),
      cli: false,
      signal: options.signal,
      onProgress: ({ downloadedSize, totalSize }: Downloaded) =>
        options.onProgress(downloadedSize, totalSize),
    });
  } catch (error) {
    options.signal.throwIfAborted();
    throw new PortError('model', 'not-downloaded', `The model "${name}" cannot be downloaded`, {
      cause: error,
      received: said(error),
      hint: 'Check its name and the network; a gated model needs HF_TOKEN.',
    });
  }
}

interface Downloaded {
  readonly downloadedSize: number;
  readonly totalSize: number;
}
