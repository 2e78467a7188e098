/**
 * What all embedders behind a provider share: prefixes, requests of bounded size, checks, metering.
 */
import { InputError } from '../../errors.ts';
import type { Embedder, EmbeddingRole } from '../../models/embedder.ts';
import { type Call, freeCall } from '../../trace/call.ts';
import { sha256 } from '../sha256.ts';
import { checkedVectors } from './checked-answer.ts';
import { embeddingTraits, NO_PREFIXES, type Prefixes } from './known-models.ts';
import { type Answered, bytesOf, MARKS_PER_TEXT, metered } from './metered.ts';
import { inParallel, requestBatches } from './request-batches.ts';

export interface RemoteEmbedderOptions {
  /** Known beforehand; otherwise one request asks for the vector of a letter. */
  readonly dimensions?: number | undefined;
  /** What texts begin with; of a model that is known by its name otherwise, else nothing. */
  readonly prefixes?: Partial<Prefixes> | undefined;
}

export interface RemoteEmbeddingModel {
  /** Provider and model, without what may change and leave the vectors as they are. */
  readonly name: string;
  readonly who: string;
  readonly model: string;
  readonly textsPerRequest: number;
  readonly requestsAtOnce: number;
  request(texts: readonly string[], as: EmbeddingRole, call: Call): Promise<Answered<unknown>>;
}

/** No provider takes much more in one request. */
const BYTES_PER_REQUEST = 512 * 1024;

export async function remoteEmbedder(
  remote: RemoteEmbeddingModel,
  options: RemoteEmbedderOptions,
): Promise<Embedder> {
  const { who } = remote;
  const prefixes = {
    ...NO_PREFIXES,
    ...embeddingTraits(remote.model)?.prefixes,
    ...options.prefixes,
  };
  checkDimensions(options.dimensions);
  const embed = async (
    texts: readonly string[],
    as: EmbeddingRole,
    call: Call,
    dimensions?: number,
  ): Promise<Float32Array[]> => {
    // Providers refuse an empty text; a space is the nearest thing that they take.
    const full = texts.map(text => `${prefixes[as]}${text === '' ? ' ' : text.toWellFormed()}`);
    const batches = requestBatches(full, {
      texts: remote.textsPerRequest,
      bytes: BYTES_PER_REQUEST,
    });
    const parts = await inParallel(batches, remote.requestsAtOnce, async ([start, end]) => {
      const some = full.slice(start, end);
      const bytes = bytesOf(some);
      const raw = await metered(
        call,
        'embedder',
        as,
        bytes + MARKS_PER_TEXT * some.length,
        bytes,
        () => remote.request(some, as, call),
      );
      return checkedVectors(raw, { port: 'embedder', who, count: some.length, dimensions });
    });
    return parts.flat();
  };
  const dimensions = options.dimensions ?? (await embed(['a'], 'passage', freeCall()))[0]!.length;
  const mark =
    prefixes.query + prefixes.passage === ''
      ? ''
      : `-${sha256(JSON.stringify([prefixes.query, prefixes.passage])).slice(0, 8)}`;
  return {
    id: `${remote.name}@${dimensions}${mark}`,
    dimensions,
    embed: (texts, as, call) => embed(texts, as, call, dimensions),
  };
}

function checkDimensions(dimensions: number | undefined): void {
  if (dimensions === undefined || (Number.isInteger(dimensions) && dimensions >= 1)) return;
  throw new InputError('bad-dimensions', 'The dimensions of an embedder', {
    expected: 'a whole number from 1 on',
    received: `${dimensions}`,
  });
}
