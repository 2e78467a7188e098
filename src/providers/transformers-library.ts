/**
 * Declares the used part of `@huggingface/transformers`, an optional peer dependency, and loads it
 * with the first local model.
 */
import { defined } from '../core/defined.ts';
import { InputError, PortError } from '../core/errors.ts';
import {
  type LoadLibrary,
  loadPackage,
  type OptionalPackage,
} from '../platform/optional-package.ts';
import { sha256 } from '../platform/sha256.ts';
import { lastPart } from './known-models.ts';
import { checkDtype, isDynamic, openModelFolder } from './model-folder.ts';

export interface EncodedText {
  readonly input_ids: number[];
  readonly attention_mask: number[];
  readonly token_type_ids?: number[];
}

export interface Tokenizer {
  (
    text: string,
    options: { text_pair?: string | null; add_special_tokens?: boolean; return_tensor: false },
  ): EncodedText;
  readonly pad_token_id?: number | undefined;
  readonly model_max_length?: number;
  /**
   * Formats a conversation; chat models only. Throws without a template, or for an unknown role.
   */
  apply_chat_template?(
    messages: readonly { readonly role: string; readonly content: string }[],
    options: { tokenize: false; add_generation_prompt: true },
  ): string;
}

export interface LibraryTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number> | BigInt64Array;
  to(type: 'float32'): LibraryTensor;
}

export interface LoadedModel {
  (
    inputs: Readonly<Record<string, LibraryTensor>>,
  ): Promise<Readonly<Record<string, LibraryTensor | undefined>>>;
  dispose(): Promise<unknown>;
}

type TokenIds = number | readonly number[] | null | undefined;

/** A model whose classes have names. */
export interface ClassifyingModel extends LoadedModel {
  readonly config?: { readonly id2label?: Readonly<Record<string, string>> };
}

/** A model that generates text. */
export interface GeneratingModel extends LoadedModel {
  generate(options: Readonly<Record<string, unknown>>): Promise<LibraryTensor>;
  readonly config: { readonly max_position_embeddings?: number; readonly eos_token_id?: TokenIds };
  readonly generation_config?: { readonly eos_token_id?: TokenIds } | null;
}

export interface StreamerOptions {
  readonly skip_prompt: boolean;
  readonly skip_special_tokens: boolean;
  readonly callback_function: (text: string) => void;
  readonly token_callback_function: (tokens: readonly bigint[]) => void;
}

interface Pretrained<T> {
  from_pretrained(model: string, options: Readonly<Record<string, unknown>>): Promise<T>;
}

export interface TransformersLibrary {
  readonly AutoTokenizer: Pretrained<Tokenizer>;
  readonly AutoModel: Pretrained<LoadedModel>;
  readonly AutoModelForSequenceClassification: Pretrained<LoadedModel>;
  readonly AutoModelForQuestionAnswering: Pretrained<LoadedModel>;
  readonly AutoModelForTokenClassification: Pretrained<ClassifyingModel>;
  readonly AutoModelForCausalLM: Pretrained<GeneratingModel>;
  readonly TextStreamer: new (tokenizer: Tokenizer, options: StreamerOptions) => object;
  readonly InterruptableStoppingCriteria: new () => { interrupt(): void };
  /** Random generator that all models share. */
  readonly random?: { seed(seed: number): void };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => LibraryTensor;
}

const PACKAGE: OptionalPackage = {
  name: '@huggingface/transformers',
  user: 'Local models',
  more: ' (without network for its native part: ONNXRUNTIME_NODE_INSTALL=skip npm install @huggingface/transformers)',
};

export interface LocalModelOptions {
  /** A hub id `ORG/NAME`, or with `folder` the model's name. */
  readonly model: string;
  /** Folder that holds the model; nothing is downloaded then. */
  readonly folder?: string | undefined;
  /** Revision of a hub model; "main" by default. */
  readonly revision?: string | undefined;
  /** Threads of the model; as many as cores by default. */
  readonly threads?: number | undefined;
  /** Type of the weights; "q8" otherwise. */
  readonly dtype?: string | undefined;
  readonly load?: LoadLibrary | undefined;
}

export interface BatchedModelOptions extends LocalModelOptions {
  /**
   * Texts in one batch. By default 1 for weights whose activations are quantised per batch (q8,
   * int8, uint8), so that what a text gives never depends on its neighbours; 16 otherwise.
   */
  readonly batch?: number | undefined;
}

export interface LocalModel<M extends LoadedModel = LoadedModel> {
  readonly library: TransformersLibrary;
  readonly tokenizer: Tokenizer;
  readonly model: M;
  /** Fingerprint of the files, or the hub's id and revision. */
  readonly fingerprint: string;
  /** Returns an id of the model and of what else changes its results. */
  idOf(...marks: readonly unknown[]): string;
  close(): Promise<void>;
}

type ModelClass =
  | 'AutoModel'
  | 'AutoModelForSequenceClassification'
  | 'AutoModelForQuestionAnswering'
  | 'AutoModelForTokenClassification'
  | 'AutoModelForCausalLM';

/**
 * Loads tokenizer and weights. Throws `InputError` for the folder, `PortError` for library, network
 * or weights.
 */
export async function loadModel<K extends ModelClass>(
  port: string,
  kind: K,
  options: LocalModelOptions,
): Promise<LocalModel<Awaited<ReturnType<TransformersLibrary[K]['from_pretrained']>>>> {
  const dtype = checkDtype(options.dtype ?? 'q8');
  // Checks the folder first, so that its faults show before a large package loads.
  const folder =
    options.folder === undefined ? undefined : await openModelFolder(options.folder, dtype);
  const library = (await loadPackage(port, PACKAGE, options.load)) as TransformersLibrary;
  const from = folder?.path ?? options.model;
  const where = folder ? { local_files_only: true } : { revision: options.revision ?? 'main' };
  // Disables spinning: waiting threads would halve the speed of a shared machine.
  const session = defined<object>({ intraOpNumThreads: options.threads, extra: NO_SPINNING });
  try {
    const tokenizer = await library.AutoTokenizer.from_pretrained(from, where);
    const maker = library[kind] as Pretrained<
      Awaited<ReturnType<TransformersLibrary[K]['from_pretrained']>>
    >;
    const model = await maker.from_pretrained(from, {
      ...where,
      dtype,
      device: 'cpu',
      session_options: session,
    });
    const fingerprint = folder?.fingerprint ?? `hub-${options.model}-${options.revision ?? 'main'}`;
    return {
      library,
      tokenizer,
      model,
      fingerprint,
      idOf(...marks) {
        const text = marks.length === 0 ? fingerprint : JSON.stringify([fingerprint, ...marks]);
        return `${lastPart(options.model)}@${dtype}-${sha256(text).slice(0, 12)}`;
      },
      close: async () => void (await model.dispose()),
    };
  } catch (error) {
    throw new PortError(port, 'not-loaded', `The model "${from}" cannot be loaded`, {
      cause: error,
      received: (error instanceof Error ? error.message : String(error)).slice(0, 300),
      hint: folder
        ? 'One of its files is damaged or of another kind: copy the model again.'
        : 'Check its name and the network.',
    });
  }
}

/** Returns the size of batches. Throws `InputError('bad-batch' | 'bad-dtype')`. */
export function batchSize({ batch, dtype = 'q8' }: BatchedModelOptions): number {
  const size = batch ?? (isDynamic(checkDtype(dtype)) ? 1 : 16);
  if (Number.isInteger(size) && size >= 1) return size;
  throw new InputError('bad-batch', 'Invalid batch size', {
    expected: 'a whole number of at least 1',
    received: `${size}`,
  });
}

const NO_SPINNING = {
  session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } },
};
