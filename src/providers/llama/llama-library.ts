/** Declares the used part of `node-llama-cpp`, an optional peer dependency, and loads it. */
import {
  type LoadLibrary,
  loadPackage,
  type OptionalPackage,
} from '../../platform/optional-package.ts';
import type { ModelPort } from '../fault.ts';

export type Token = number;

/** Text of a conversation whose special tokens are apart from what people wrote. */
export interface LlamaText {
  tokenize(tokenizer: unknown): Token[];
}

export interface ChatWrapper {
  generateContextState(options: { readonly chatHistory: readonly unknown[] }): {
    readonly contextText: LlamaText;
  };
}

export interface EvaluateOptions {
  readonly temperature: number;
  readonly seed?: number | undefined;
  readonly topK?: number | undefined;
  readonly topP?: number | undefined;
  readonly minP?: number | undefined;
  readonly grammarEvaluationState?: object | undefined;
}

export interface LlamaSequence {
  readonly nextTokenIndex: number;
  readonly contextTokens: readonly Token[];
  eraseContextTokenRanges(
    ranges: readonly { readonly start: number; readonly end: number }[],
  ): Promise<void>;
  evaluate(tokens: readonly Token[], options: EvaluateOptions): AsyncGenerator<Token, void, void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
}

interface Disposable {
  dispose(): Promise<void>;
}

export interface LlamaContext extends Disposable {
  getSequence(): LlamaSequence;
}

export interface EmbeddingContext extends Disposable {
  getEmbeddingFor(tokens: readonly Token[]): Promise<{ readonly vector: readonly number[] }>;
}

export interface RankingContext extends Disposable {
  /** Returns the sigmoid of the model's logit. */
  rank(query: readonly Token[], document: readonly Token[]): Promise<number>;
  calculateInputLength(query: readonly Token[], document: readonly Token[]): number;
}

export interface ContextSettings {
  readonly contextSize: number;
  readonly batchSize?: number;
  readonly threads?: number | undefined;
}

/** The head of a GGUF file. */
export interface GgufMetadata {
  readonly general?: {
    readonly architecture?: string;
    readonly name?: string;
    readonly license?: string;
    readonly size_label?: string;
  };
  readonly tokenizer?: { readonly chat_template?: string };
  readonly [architecture: string]: unknown;
}

export interface GgufFileInfo {
  readonly metadata: GgufMetadata;
}

export interface LlamaModel extends Disposable {
  readonly trainContextSize: number;
  readonly embeddingVectorSize: number;
  readonly tokenizer: unknown;
  readonly fileInfo: GgufFileInfo;
  readonly fileInsights: { readonly supportsRanking?: boolean };
  readonly tokens: { readonly bos: Token | null; readonly eos: Token | null };
  tokenize(text: string, specialTokens?: boolean, options?: 'trimLeadingSpace'): Token[];
  detokenize(tokens: readonly Token[], special?: boolean, before?: readonly Token[]): string;
  createContext(
    settings: ContextSettings & {
      readonly sequences: number;
      readonly flashAttention?: boolean;
      readonly experimentalKvCacheKeyType?: string | undefined;
      readonly experimentalKvCacheValueType?: string | undefined;
    },
  ): Promise<LlamaContext>;
  createEmbeddingContext(settings: ContextSettings): Promise<EmbeddingContext>;
  createRankingContext(
    settings: ContextSettings & { readonly template?: string | undefined },
  ): Promise<RankingContext>;
}

export interface Llama extends Disposable {
  /** The kind of the processor that computes; false for the CPU. */
  readonly gpu: string | false;
  /** Cores that are of use to it. */
  readonly cpuMathCores: number;
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: unknown): Promise<object>;
}

export interface LlamaLibrary {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<Llama>;
  readGgufFileInfo(path: string, options: { readonly logWarnings: false }): Promise<GgufFileInfo>;
  resolveModelFile(uri: string, options: Readonly<Record<string, unknown>>): Promise<string>;
  resolveChatWrapper(model: LlamaModel, options: { readonly warningLogs: false }): ChatWrapper;
  readonly JinjaTemplateChatWrapper: new (options: {
    readonly template: string;
    readonly tokenizer: unknown;
  }) => ChatWrapper;
  readonly LlamaGrammarEvaluationState: new (options: {
    readonly model: LlamaModel;
    readonly grammar: object;
  }) => object;
}

/** Systems for which npm brings packages for graphics processors too. */
const BULKY = ['linux-x64', 'win32-x64'];

/** Says how to leave out what a machine without a graphics processor has no use for. */
function packageFor(system: string): OptionalPackage {
  const slim = `npm install --omit=optional node-llama-cpp @node-llama-cpp/${system.replace('win32', 'win')}`;
  const more = ` (on a machine without a graphics processor, to leave out 610 MB of CUDA and Vulkan: ${slim})`;
  return {
    name: 'node-llama-cpp',
    user: 'GGUF models',
    more: BULKY.includes(system) ? more : '',
  };
}

/** Throws `PortError('missing-package' | 'broken-package')`. */
export const loadLlama = async (
  port: ModelPort,
  load: LoadLibrary | undefined,
): Promise<LlamaLibrary> =>
  (await loadPackage(
    port,
    packageFor(`${process.platform}-${process.arch}`),
    load,
  )) as LlamaLibrary;
