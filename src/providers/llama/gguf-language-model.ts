/** Implements local language models: GGUF files run in the process by `node-llama-cpp`. */
import { PortError } from '../../core/errors.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Completion, LanguageModel, Prompt } from '../../models/language-model.ts';
import { withDeadline } from '../local-deadline.ts';
import { StoppedText } from '../stopped-text.ts';
import { type ChatTokens, chatTokens, startsInThought } from './chat-tokens.ts';
import { type GgufOptions, type OpenGguf, openGguf, said } from './gguf-model.ts';
import { stepTokens } from './gguf-path.ts';
import { Grammars } from './llama-grammar.ts';
import type { LlamaContext, Token } from './llama-library.ts';
import { type Sampling, samplingOf } from './sampling.ts';
import { SequencePool, type Turn } from './sequence-pool.ts';
import { TokenText } from './token-text.ts';

export interface GgufLanguageModel extends LanguageModel {
  readonly contextTokens: number;
  countTokens(prompt: Pick<Prompt, 'messages'>): number;
  /** Totals of the tokens of prompts, and of those among them that were computed before. */
  readonly read: { readonly tokens: number; readonly reused: number };
  close(): Promise<void>;
}

/** Holds the prompts and answers of this project; more costs memory for each conversation. */
const CONTEXT_TOKENS = 8192;
/** A strategy asks in few roles, whose prompts begin alike. */
const SEQUENCES = 3;

/**
 * Returns a language model that runs in the process. Replies to prompts with a schema follow it.
 * Decodes greedily without a temperature: equal prompts have equal texts, whatever was asked
 * before. Throws `InputError` for the file and `PortError` for library, weights and memory.
 *
 * @example
 * <!-- not run: needs a model -->
 *
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { ggufLanguageModel } from 'multihop/providers';
 *
 * const model = await ggufLanguageModel({ file: 'qwen2.5-1.5b-instruct-q4_k_m.gguf' });
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * await ask('Who built the engine?', { engine, reader: 'generative', resources: { model } });
 * await model.close();
 * ```
 */
export async function ggufLanguageModel(options: GgufOptions): Promise<GgufLanguageModel> {
  const gguf = await openGguf('model', options);
  const sampling = samplingOf(options.options);
  const { model, llama } = gguf;
  const most = options.contextTokens ?? CONTEXT_TOKENS;
  const contextTokens = Math.min(most, model.trainContextSize);
  const step = await stepTokens(gguf.path, llama.gpu !== false);
  const count = options.sequences ?? SEQUENCES;
  const context = await contextOf(gguf, { ...options, contextTokens, step, count });
  const { cacheType = 'f16' } = options;
  const id = idOf(gguf, cacheType, sampling);
  const sequences = Array.from({ length: count }, () => context.getSequence());
  const tokensOf = chatTokens(gguf);
  const read = { tokens: 0, reused: 0 };
  const parts: Parts = {
    gguf,
    tokensOf,
    step,
    contextTokens,
    read,
    sampling,
    label: `The model ${id}`,
    pool: new SequencePool(sequences, step),
    grammars: new Grammars(llama),
  };
  return {
    id,
    contextTokens,
    read,
    countTokens: prompt => tokensOf(prompt).length,
    startsInThought: () => startsInThought(gguf),
    generate: (prompt, call, onText) => generated(parts, prompt, call, onText),
    async close() {
      await context.dispose();
      await gguf.close();
    },
  };
}

/** Names the file and what else changes its texts. */
function idOf(gguf: OpenGguf, cacheType: string, sampling: Sampling): string {
  const marks = [
    ...(cacheType === 'f16' ? [] : [{ cacheType }]),
    ...(Object.keys(sampling).length === 0 ? [] : [sampling]),
  ];
  return gguf.idOf(...marks);
}

interface Parts {
  readonly gguf: OpenGguf;
  readonly tokensOf: ChatTokens;
  readonly pool: SequencePool;
  readonly grammars: Grammars;
  readonly step: number;
  readonly contextTokens: number;
  readonly read: { tokens: number; reused: number };
  /** Holds for all replies; without it prompts have their own temperature and seed. */
  readonly sampling: Sampling;
  readonly label: string;
}

interface ContextOptions extends GgufOptions {
  readonly contextTokens: number;
  readonly step: number;
  readonly count: number;
}

async function contextOf(gguf: OpenGguf, options: ContextOptions): Promise<LlamaContext> {
  const { contextTokens, count, cacheType = 'f16' } = options;
  const type = cacheType === 'f16' ? undefined : cacheType.toUpperCase();
  try {
    return await gguf.model.createContext({
      contextSize: contextTokens,
      sequences: count,
      batchSize: options.step,
      threads: gguf.threads,
      // Reads prompts a tenth faster, with the same memory.
      flashAttention: true,
      experimentalKvCacheKeyType: type,
      experimentalKvCacheValueType: type,
    });
  } catch (error) {
    await gguf.close();
    throw new PortError('model', 'not-loaded', `The model ${gguf.name} finds no room to compute`, {
      cause: error,
      received: said(error),
      hint: `It keeps ${count} conversations of ${contextTokens} tokens. Keep less: gguf:FILE?context=4096&sequences=1.`,
    });
  }
}

async function generated(
  parts: Parts,
  prompt: Prompt,
  call: Call,
  onText?: (piece: string) => void,
): Promise<Completion> {
  call.signal.throwIfAborted();
  const tokens = checkedTokens(parts, prompt);
  const grammar = prompt.schema && (await parts.grammars.of(prompt.schema.schema));
  // An abandoned call ends with its next step: drops its text until then.
  const state = { over: false };
  const shown = onText && ((piece: string) => state.over || onText(piece));
  const text = new StoppedText(prompt.stop ?? [], shown);
  let reused = 0;
  const work = parts.pool.run(tokens, async turn => {
    ({ reused } = turn);
    if (!state.over) await readPrompt(parts, tokens, turn, state);
    return state.over ? 0 : writeText({ parts, tokens, turn, grammar, prompt, text, state });
  });
  try {
    const output = await withDeadline(work, call, parts.label, () => (state.over = true));
    const cut = output >= prompt.maxTokens && !text.stopped;
    const usage = { input: tokens.length, output, reused };
    return { text: text.text, usage, finish: cut ? 'length' : 'stop' };
  } catch (error) {
    state.over = true;
    throw call.signal.aborted ? call.signal.reason : failure(error, parts.label);
  }
}

/** Returns the tokens of the prompt. Throws `PortError('context-full')` if there are too many. */
function checkedTokens({ tokensOf, contextTokens, label }: Parts, prompt: Prompt): Token[] {
  const tokens = tokensOf(prompt);
  if (tokens.length + prompt.maxTokens <= contextTokens) return tokens;
  throw new PortError('model', 'context-full', `${label} cannot read a prompt of this length`, {
    expected: `at most ${contextTokens} tokens including the completion`,
    received: `${tokens.length} and ${prompt.maxTokens} of the completion`,
    hint: 'A longer context takes more memory: gguf:FILE?context=16384.',
  });
}

/** Computes the prompt in steps, between which an abort ends it, up to the last of them. */
async function readPrompt(
  { step, read }: Parts,
  tokens: readonly Token[],
  { sequence, reused, computed }: Turn,
  state: { readonly over: boolean },
): Promise<void> {
  read.tokens += tokens.length;
  read.reused += reused;
  for (let at = reused; at + step < tokens.length && !state.over; at += step) {
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + step));
    computed(at + step);
  }
}

interface Writing {
  readonly parts: Parts;
  readonly tokens: readonly Token[];
  readonly turn: Turn;
  readonly grammar: object | undefined;
  readonly prompt: Prompt;
  readonly text: StoppedText;
  readonly state: { readonly over: boolean };
}

/** Returns the number of tokens that were written. */
async function writeText(writing: Writing): Promise<number> {
  const { parts, tokens, turn, grammar, prompt, text, state } = writing;
  const { library, model } = parts.gguf;
  const { sequence } = turn;
  const rest = tokens.slice(sequence.nextTokenIndex);
  const letters = new TokenText(model);
  let output = 0;
  if (prompt.maxTokens < 1) return output;
  for await (const token of sequence.evaluate(rest, {
    temperature: prompt.temperature ?? 0,
    seed: prompt.seed,
    ...parts.sampling,
    grammarEvaluationState: grammar && new library.LlamaGrammarEvaluationState({ model, grammar }),
  })) {
    output++;
    text.push(letters.push(token));
    if (text.stopped || state.over || output >= prompt.maxTokens) break;
  }
  text.push(letters.end());
  text.end();
  return output;
}

function failure(error: unknown, label: string): unknown {
  if (PortError.is(error)) return error;
  return new PortError('model', 'failed', `${label} failed`, { received: said(error) });
}
