/** What is used of `@huggingface/transformers`, an optional peer that is loaded when the first local model is. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PortError } from '../../errors.ts';
import { type Dtype, openModelFolder } from './model-folder.ts';
import { quoted } from './secret.ts';

export interface EncodedText {
  readonly input_ids: number[];
  readonly attention_mask: number[];
  readonly token_type_ids?: number[];
}

export interface Tokenizer {
  (text: string, options: { text_pair?: string | null; add_special_tokens?: boolean; return_tensor: false }): EncodedText;
  readonly pad_token_id?: number | undefined;
  readonly model_max_length?: number;
}

export interface LibraryTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number> | BigInt64Array;
  to(type: 'float32'): LibraryTensor;
}

export interface LoadedModel {
  (inputs: Readonly<Record<string, LibraryTensor>>): Promise<Readonly<Record<string, LibraryTensor | undefined>>>;
  dispose(): Promise<unknown>;
}

interface Pretrained<T> {
  from_pretrained(model: string, options: Readonly<Record<string, unknown>>): Promise<T>;
}

export interface TransformersLibrary {
  readonly AutoTokenizer: Pretrained<Tokenizer>;
  readonly AutoModel: Pretrained<LoadedModel>;
  readonly AutoModelForSequenceClassification: Pretrained<LoadedModel>;
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => LibraryTensor;
}

export type LoadLibrary = () => Promise<unknown>;

const PACKAGE = '@huggingface/transformers';

/** The package as multihop itself finds it; failing that, as the working folder does, so that a command from npx or of a checkout finds a project's own. */
async function importPackage(): Promise<unknown> {
  try {
    // The name stands in a variable so that neither types nor bundler look for a package that need not be there.
    return await import(PACKAGE);
  } catch (error) {
    if (!isMissing(error)) throw error;
    let path: string;
    try {
      path = createRequire(join(process.cwd(), 'package.json')).resolve(PACKAGE);
    } catch {
      throw error;
    }
    return import(pathToFileURL(path).href);
  }
}

function isMissing(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND/.test((error as NodeJS.ErrnoException).code ?? '') && message.includes(PACKAGE);
}

/** Throws `PortError('missing-package')` saying what to install. */
export async function loadLibrary(port: string, load: LoadLibrary = importPackage): Promise<TransformersLibrary> {
  try {
    return (await load()) as TransformersLibrary;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw isMissing(error)
      ? new PortError(port, 'missing-package', `Local models need the package ${PACKAGE}`, {
          cause: error,
          hint: `Run: npm install ${PACKAGE} (without network for its native part: ONNXRUNTIME_NODE_INSTALL=skip npm install ${PACKAGE})`,
        })
      : new PortError(port, 'broken-package', `The package ${PACKAGE} cannot be loaded`, {
          cause: error,
          received: quoted(message),
          hint: `Install it again: npm install ${PACKAGE}`,
        });
  }
}

export interface LocalModelOptions {
  /** A hub id `ORG/NAME`, or with `folder` the model's name. */
  readonly model: string;
  /** The folder that holds the model; nothing is downloaded then. */
  readonly folder?: string | undefined;
  /** Of a hub model; "main" otherwise. */
  readonly revision?: string | undefined;
  /** Threads of the model's arithmetic; as many as there are cores otherwise. */
  readonly threads?: number | undefined;
  readonly load?: LoadLibrary | undefined;
}

export interface LocalModel {
  readonly library: TransformersLibrary;
  readonly tokenizer: Tokenizer;
  readonly model: LoadedModel;
  /** Of the files, or of the hub's id and revision. */
  readonly fingerprint: string;
}

/** Loads tokenizer and weights. Throws `InputError` for the folder, `PortError` for library, network or weights. */
export async function loadModel(
  port: string,
  kind: 'AutoModel' | 'AutoModelForSequenceClassification',
  options: LocalModelOptions,
  dtype: Dtype,
): Promise<LocalModel> {
  // The folder first: what is wrong with it should not wait for a large package.
  const folder = options.folder === undefined ? undefined : await openModelFolder(options.folder, dtype);
  const library = await loadLibrary(port, options.load);
  const from = folder?.path ?? options.model;
  const where = folder ? { local_files_only: true } : { revision: options.revision ?? 'main' };
  // Threads that spin while they wait halve the speed of a machine that is shared.
  const session = { ...(options.threads === undefined ? {} : { intraOpNumThreads: options.threads }), extra: NO_SPINNING };
  try {
    const tokenizer = await library.AutoTokenizer.from_pretrained(from, where);
    const model = await library[kind].from_pretrained(from, { ...where, dtype, device: 'cpu', session_options: session });
    return { library, tokenizer, model, fingerprint: folder?.fingerprint ?? `hub-${options.model}-${options.revision ?? 'main'}` };
  } catch (error) {
    throw new PortError(port, 'not-loaded', `The model "${from}" cannot be loaded`, {
      cause: error,
      received: (error instanceof Error ? error.message : String(error)).slice(0, 300),
      hint: folder ? 'One of its files is damaged or of another kind: copy the model again.' : 'Check its name and the network.',
    });
  }
}

const NO_SPINNING = { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } };
