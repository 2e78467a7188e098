/**
 * Implements what remote embedders share: prefixes, requests of bounded size, validation, metering.
 */
import { defined } from '../core/defined.ts';
import { InputError, type PortError } from '../core/errors.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import type { Embedder, EmbeddingRole } from '../models/embedder.ts';
import { sha256 } from '../platform/sha256.ts';
import { checkedVectors } from './checked-answer.ts';
import { CutTexts, textOf } from './cut-texts.ts';
import { RefusedError } from './fault.ts';
import { fitted } from './fitted-text.ts';
import { embeddingTraits, NO_PREFIXES, type Prefixes } from './known-models.ts';
import { bytesOf, type MeteredResult, metered, SPECIAL_TOKENS_PER_TEXT } from './metered.ts';
import { refusesContent } from './refused-parameter.ts';
import { RequestSize, type Requests, requestBatches } from './request-batches.ts';
import { type OnNote, warnProcess } from './request-parameters.ts';

export interface RemoteEmbedderOptions {
  /** Dimensions if known; otherwise one request for a single letter determines them. */
  readonly dimensions?: number | undefined;
  /** Prefixes of texts; by default those of a known model, else none. */
  readonly prefixes?: Partial<Prefixes> | undefined;
  /** Receives a note on what the model refuses, once; by default a process warning. */
  readonly onNote?: OnNote | undefined;
}

export interface RemoteEmbeddingModel {
  /** Provider and model, without settings that leave the vectors unchanged. */
  readonly name: string;
  readonly label: string;
  readonly model: string;
  readonly textsPerRequest: number;
  readonly requestsAtOnce: number;
  request(texts: readonly string[], as: EmbeddingRole, call: Call): Promise<MeteredResult<unknown>>;
}

export interface RemoteEmbedder extends Embedder {
  /** Number of texts that were cut, because the server takes no longer ones. */
  readonly truncated: { readonly texts: number };
}

/** Providers refuse empty texts; a space is the nearest accepted one. */
const EMPTY = ' ';
/** Size limit of a request; few providers allow much more. */
const BYTES_PER_REQUEST = 512 * 1024;

export async function remoteEmbedder(
  remote: RemoteEmbeddingModel,
  options: RemoteEmbedderOptions,
): Promise<RemoteEmbedder> {
  const { label } = remote;
  const prefixes = {
    ...NO_PREFIXES,
    ...embeddingTraits(remote.model)?.prefixes,
    ...options.prefixes,
  };
  checkDimensions(options.dimensions);
  const { onNote = warnProcess } = options;
  const size = new RequestSize(remote.textsPerRequest, label, onNote);
  const cuts = new CutTexts(label, onNote);
  const embed = async (
    texts: readonly string[],
    as: EmbeddingRole,
    call: Call,
    dimensions?: number,
  ): Promise<Float32Array[]> => {
    const full = texts.map(text => `${prefixes[as]}${text === '' ? EMPTY : text.toWellFormed()}`);
    const limits = { texts: size.texts, bytes: BYTES_PER_REQUEST, alone: size.isLong };
    const request = async (some: readonly string[]): Promise<Float32Array[]> => {
      const bytes = bytesOf(some);
      const atMost = bytes + SPECIAL_TOKENS_PER_TEXT * some.length;
      const raw = await metered(call, 'embedder', as, atMost, bytes, () =>
        remote.request(some, as, call),
      );
      return checkedVectors(raw, { port: 'embedder', label, count: some.length, dimensions });
    };
    const originalOf = (text: string): string => texts[full.indexOf(text)]!;
    const requests = new EmbeddingRequests(request, as, call, { originalOf, cuts });
    const parts = await inParallel(
      requestBatches(full, limits),
      remote.requestsAtOnce,
      ([start, end]) => size.halved(full.slice(start, end), call, requests),
    );
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
    truncated: cuts,
    embed: (texts, as, call) => embed(texts, as, call, dimensions),
  };
}

interface RefusedTexts {
  /** Returns a text without the prefix that the model is given. */
  readonly originalOf: (text: string) => string;
  readonly cuts: CutTexts;
}

/** The requests of one call, and what becomes of texts that are refused alone. */
class EmbeddingRequests implements Requests<Float32Array> {
  readonly request: Requests<Float32Array>['request'];
  private readonly as: EmbeddingRole;
  private readonly call: Call;
  private readonly texts: RefusedTexts;
  private takesEmpty: Promise<unknown> | undefined;

  constructor(
    request: Requests<Float32Array>['request'],
    as: EmbeddingRole,
    call: Call,
    texts: RefusedTexts,
  ) {
    this.request = request;
    this.as = as;
    this.call = call;
    this.texts = texts;
  }

  async alone(text: string, error: RefusedError): Promise<Float32Array> {
    const { call, request } = this;
    const { originalOf, cuts } = this.texts;
    const fit = await fitted(text, error, call, request);
    const original = originalOf(text);
    const document = call.documentOf?.(original);
    const vector = fit?.result ?? (await this.empty(error.ofText(textOf(original, document))));
    cuts.add(original, defined({ document, kept: fit?.kept, error }));
    return vector;
  }

  async mayRefuseOne(error: RefusedError): Promise<boolean> {
    if (!refusesContent(error)) return false;
    this.takesEmpty ??= this.empty(error);
    await this.takesEmpty;
    return true;
  }

  /** Returns the vector of an empty text. Throws `error` for a query, or if that is refused too. */
  private async empty(error: PortError): Promise<Float32Array> {
    if (this.as === 'query') throw error;
    try {
      return (await this.request([EMPTY]))[0]!;
    } catch (other) {
      throw other instanceof RefusedError ? error : other;
    }
  }
}

function checkDimensions(dimensions: number | undefined): void {
  if (dimensions === undefined || (Number.isInteger(dimensions) && dimensions >= 1)) return;
  throw new InputError('bad-dimensions', 'Invalid dimensions of an embedder', {
    expected: 'a whole number of at least 1',
    received: `${dimensions}`,
  });
}
