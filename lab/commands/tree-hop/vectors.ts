/**
 * The vectors that `tree-hop` trains on: of questions and paragraphs, through the cache,
 * with progress.
 */

import type { CommandContext } from '../../../src/cli/command.ts';
import { duration, type Progress } from '../../../src/cli/progress.ts';
import { InputError } from '../../../src/core/errors.ts';
import { freeCall } from '../../../src/core/trace/call.ts';
import type { Embedder, EmbeddingRole } from '../../../src/models/embedder.ts';
import { monotonicClock } from '../../../src/platform/clock.ts';
import { textTemplates } from '../../../src/search/vectors/text-templates.ts';
import type { Models } from '../../../src/session/models.ts';
import type { TrainingSet } from '../../learning/tree-hop/training-set.ts';
import type { TrainingVectors } from '../../learning/tree-hop/training-vectors.ts';
import { withModels } from '../learn/task.ts';

/** Texts that are embedded in one call; the cache keeps them in smaller pieces. */
const PIECE = 256;

export interface Embedded {
  readonly vectors: TrainingVectors;
  readonly encoder: Encoder;
}

export interface Encoder {
  /** `Embedder.id`: the model and whatever else changes its vectors. */
  readonly id: string;
  /** The canonical name of the vector space, as `--embedder` gave it. */
  readonly name: string;
  readonly dimensions: number;
}

/**
 * Embeds paragraphs and questions. Throws `InputError('missing-option')`, and what models throw.
 */
export async function embedTrainingSet(
  context: CommandContext,
  set: TrainingSet,
  template: string,
): Promise<Embedded> {
  const { options, output, signal } = context;
  const name = options.text('embedder');
  if (name === undefined)
    throw new InputError('missing-option', '--embedder NAME is missing', {
      expected: 'whose vectors the model is for',
    });
  const { query } = textTemplates.create(template);
  const started = monotonicClock();
  let worked = 0;
  const embedAll = async (models: Models, progress: Progress): Promise<Embedded> => {
    const [encoder] = await models.forIngest(['passage']);
    const { embedder } = encoder!;
    const texts = passageTexts(set, template);
    const total = texts.length + set.examples.length;
    const tell = (done: number): void => progress.update({ count: done, done, total, worked });
    const paragraphs = await embedded(embedder, texts, 'passage', signal, tell);
    const questions = await embedded(
      embedder,
      set.examples.map(({ text }) => query(text)),
      'query',
      signal,
      done => tell(texts.length + done),
    );
    if (models.truncated > 0)
      output.warn(`${models.truncated} texts were longer than the model reads`);
    progress.end();
    output.note(
      `Vectors of ${total.toLocaleString('en')} texts (${worked.toLocaleString('en')} paragraphs embedded now) in ${duration(monotonicClock() - started)}`,
    );
    const { id, dimensions } = embedder;
    return {
      vectors: { d: dimensions, questions, paragraphs },
      encoder: { id, dimensions, name: encoder!.name },
    };
  };
  return withModels(context, 'texts', embedAll, texts => void (worked += texts));
}

/** Returns the paragraphs as the template presents them to the embedder. */
function passageTexts({ paragraphs }: TrainingSet, template: string): string[] {
  const { passage } = textTemplates.create(template);
  return paragraphs.map(({ title, text }, row) => {
    const id = String(row);
    return passage(
      { id, title, text, metadata: {} },
      { id, documentId: id, start: 0, end: text.length, text },
    );
  });
}

async function embedded(
  embedder: Embedder,
  texts: readonly string[],
  as: EmbeddingRole,
  signal: AbortSignal,
  tell: (done: number) => void,
): Promise<Float32Array> {
  const all = new Float32Array(texts.length * embedder.dimensions);
  for (let first = 0; first < texts.length; first += PIECE) {
    const vectors = await embedder.embed(texts.slice(first, first + PIECE), as, freeCall(signal));
    for (const [at, vector] of vectors.entries())
      all.set(vector, (first + at) * embedder.dimensions);
    tell(Math.min(first + PIECE, texts.length));
  }
  return all;
}
