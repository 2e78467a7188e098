/** Tries a model with a sentence, and tells how fast it is. */
import { PortError } from '../../core/errors.ts';
import { freeCall } from '../../core/trace/call.ts';
import { embedChecked } from '../../models/embedder.ts';
import { checkScores } from '../../models/reranker.ts';
import { monotonicClock } from '../../platform/clock.ts';
import type { Kind, Models } from '../model-servers.ts';
import { type ResolveOptions, resolveModel } from '../resolve-model.ts';

export interface TriedModel {
  readonly id: string;
  readonly loadMs: number;
  /** Milliseconds to the first text, or to the result. */
  readonly firstMs: number;
  readonly tokensPerSecond?: number;
  readonly dimensions?: number;
  /** The sentence of a language model. */
  readonly text?: string;
}

/** Kinds that a sentence can try. */
export const TRIED: readonly Kind[] = ['model', 'embedder', 'reranker'];

const QUESTION = 'What is the capital of France?';
const TEXTS = ['Paris is the capital of France.', 'Mitochondria make energy for cells.'];
const TOKENS = 48;

type Loaded<K extends Kind> = Models[K] & { close?(): Promise<void> };

/** Throws the errors of the model, and `PortError` for a result that it cannot mean. */
export async function triedModel(
  kind: Kind,
  name: string,
  options: ResolveOptions & { readonly signal: AbortSignal },
): Promise<TriedModel> {
  const began = monotonicClock();
  const model = await resolveModel(kind, name, options);
  const loadMs = monotonicClock() - began;
  const call = freeCall(options.signal);
  try {
    if ('generate' in model) return { loadMs, ...(await written(model, call)) };
    if ('embed' in model) return { loadMs, ...(await embedded(model, call)) };
    return { loadMs, ...(await scored(model as Models['reranker'], call)) };
  } finally {
    await (model as Loaded<Kind>).close?.();
  }
}

type Tried = Omit<TriedModel, 'loadMs'>;
type FreeCall = ReturnType<typeof freeCall>;

async function written(model: Models['model'], call: FreeCall): Promise<Tried> {
  const began = monotonicClock();
  let first: number | undefined;
  const { text, usage } = await model.generate(
    {
      role: 'answer',
      messages: [{ role: 'user', text: `${QUESTION} Answer in a full sentence.` }],
      maxTokens: TOKENS,
    },
    call,
    () => {
      first ??= monotonicClock();
    },
  );
  const ended = monotonicClock();
  const firstMs = (first ?? ended) - began;
  // The first token comes with the prompt.
  const seconds = (ended - (first ?? began)) / 1000;
  const tokensPerSecond = seconds > 0 ? Math.max(0, usage.output - 1) / seconds : 0;
  return { id: model.id, firstMs, tokensPerSecond, text };
}

async function embedded(model: Models['embedder'], call: FreeCall): Promise<Tried> {
  const began = monotonicClock();
  const [question] = await embedChecked(model, [QUESTION], 'query', call);
  const firstMs = monotonicClock() - began;
  const [near, far] = await embedChecked(model, TEXTS, 'passage', call);
  const likeness = (vector: Float32Array): number =>
    vector.reduce((sum, value, at) => sum + value * question![at]!, 0);
  checkOrder('embedder', model.id, likeness(near!), likeness(far!));
  return { id: model.id, firstMs, dimensions: model.dimensions };
}

async function scored(model: Models['reranker'], call: FreeCall): Promise<Tried> {
  const began = monotonicClock();
  const scores = await model.score(QUESTION, TEXTS, call);
  checkScores(model, scores, TEXTS.length);
  checkOrder('reranker', model.id, scores[0]!, scores[1]!);
  return { id: model.id, firstMs: monotonicClock() - began };
}

function checkOrder(port: string, id: string, near: number, far: number): void {
  if (near > far) return;
  throw new PortError(port, 'wrong-order', `The model ${id} takes an unrelated text for nearer`, {
    expected: `"${TEXTS[0]}" above "${TEXTS[1]}" for "${QUESTION}"`,
    received: `${near.toFixed(3)} and ${far.toFixed(3)}`,
    hint: 'Its file is damaged, or it is a model for another task.',
  });
}
