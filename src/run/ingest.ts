/** Stores documents in an engine, in batches, with progress. */
import type { Document, Ingestible, IngestibleRecord, Metadata } from '../core/corpus/document.ts';
import { outlineProblem, statedOutline } from '../core/corpus/outline.ts';
import { InputError } from '../core/errors.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../search/embedded-engine.ts';
import type { Engine, Stored } from '../search/engine.ts';

/** A file or a line that a reader of documents skipped. */
export interface SkippedDocument {
  readonly type: 'skipped';
  readonly path: string;
  /** From 1, where the format has lines. */
  readonly line?: number;
  readonly reason: string;
}

/** An event of a reader of documents, such as `readDocuments` of `multihop/formats`. */
export type ReadEvent =
  | { readonly type: 'document'; readonly document: Document }
  | SkippedDocument;

export interface IngestOptions extends Pick<EmbeddedOptions, 'chunker'> {
  /** The engine to store in; a new one in memory if missing. */
  readonly engine?: Engine;
  /** Documents per write; a finished batch is stored. */
  readonly batch?: number;
  readonly signal?: AbortSignal;
}

/** Totals after a batch: documents read, and how many were added, changed, unchanged or removed. */
export interface IngestEvent extends Stored {
  readonly type: 'stored';
  readonly documents: number;
}

/**
 * Yields after each batch, and what a reader of documents skipped, and returns the engine. Throws
 * `InputError` for an invalid document and for two documents of one id; earlier batches stay
 * stored.
 */
export async function* ingestEvents<T extends Ingestible | ReadEvent>(
  documents: Iterable<T> | AsyncIterable<T>,
  options: IngestOptions = {},
): AsyncGenerator<IngestEvent | Extract<T, SkippedDocument>, Engine, void> {
  const { engine = new EmbeddedEngine({ chunker: options.chunker }) } = options;
  yield* storedEvents(documents, engine, options);
  return engine;
}

/** Yields as `ingestEvents`, whatever documents are put into. */
export async function* storedEvents<T extends Ingestible | ReadEvent>(
  documents: Iterable<T> | AsyncIterable<T>,
  engine: Pick<Engine, 'put'>,
  options: Pick<IngestOptions, 'batch' | 'signal'>,
): AsyncGenerator<IngestEvent | Extract<T, SkippedDocument>, void, void> {
  if (typeof documents === 'string')
    throw new InputError('bad-documents', 'The documents', {
      expected: 'a list or stream of texts or documents',
      received: 'one text',
    });
  const writes = new BatchedWrites(engine, options);
  const seen = new Map<string, number>();
  let index = 0;
  for await (const input of documents) {
    options.signal?.throwIfAborted();
    if (isSkipped(input)) {
      yield input as Extract<T, SkippedDocument>;
      continue;
    }
    const document = toDocument(isRead(input) ? input.document : input, index++);
    const earlier = seen.get(document.id);
    if (earlier !== undefined)
      throw new InputError(
        'duplicate-id',
        `The documents ${earlier + 1} and ${index} have one id`,
        { received: `"${document.id}"` },
      );
    seen.set(document.id, index - 1);
    const event = await writes.add(document);
    if (event) yield event;
  }
  const last = await writes.end();
  if (last) yield last;
}

/** Writes documents in batches, and adds up what was stored. */
export class BatchedWrites {
  private readonly engine: Pick<Engine, 'put'>;
  private readonly size: number;
  private readonly call: Call;
  private batch: Document[] = [];
  private total = { documents: 0, added: 0, changed: 0, unchanged: 0, removed: 0 };

  /** Throws `InputError('bad-batch')`. */
  constructor(
    engine: Pick<Engine, 'put'>,
    { batch = 1000, signal }: Pick<IngestOptions, 'batch' | 'signal'>,
  ) {
    if (!Number.isInteger(batch) || batch < 1)
      throw new InputError('bad-batch', 'The documents a write', {
        expected: 'a whole number of at least 1',
        received: String(batch),
      });
    this.engine = engine;
    this.size = batch;
    this.call = freeCall(signal);
  }

  /** Returns the totals if the document completes a batch. */
  async add(document: Document): Promise<IngestEvent | undefined> {
    this.batch.push(document);
    return this.batch.length >= this.size ? this.write() : undefined;
  }

  /** Writes what is left; returns the totals if that was anything, or if nothing came at all. */
  async end(): Promise<IngestEvent | undefined> {
    return this.batch.length > 0 || this.total.documents === 0 ? this.write() : undefined;
  }

  private async write(): Promise<IngestEvent> {
    const { batch, total } = this;
    const stored = await this.engine.put(batch, this.call);
    this.total = {
      documents: total.documents + batch.length,
      added: total.added + stored.added,
      changed: total.changed + stored.changed,
      unchanged: total.unchanged + stored.unchanged,
      removed: total.removed + stored.removed,
    };
    this.batch = [];
    return { type: 'stored', ...this.total };
  }
}

const isEvent = (input: Ingestible | ReadEvent): input is ReadEvent =>
  typeof input === 'object' && input !== null && !('text' in input);

const isSkipped = (input: Ingestible | ReadEvent): input is SkippedDocument =>
  isEvent(input) && input.type === 'skipped';

const isRead = (input: Ingestible | ReadEvent): input is Exclude<ReadEvent, SkippedDocument> =>
  isEvent(input) && input.type === 'document';

/** Returns a document; a text gets the id `document-0001`, unknown fields become metadata. */
export function toDocument(input: Ingestible, index: number): Document {
  const id = `document-${String(index + 1).padStart(4, '0')}`;
  if (typeof input === 'string') return { id, title: '', text: input, metadata: {} };
  if (typeof input !== 'object' || input === null || typeof input.text !== 'string')
    throw new InputError('bad-document', `Document ${index + 1}`, {
      expected: 'a text or { text, ... }',
      received: JSON.stringify(input)?.slice(0, 80) ?? String(input),
    });
  const { id: ownId, title, text, metadata, ...rest } = input as IngestibleRecord;
  checkParts({ id: ownId, title, metadata }, index);
  const outline = statedOutline(rest.outline);
  const problem = outline && outlineProblem({ outline, text });
  if (problem !== undefined)
    throw new InputError('bad-document', `The outline of document ${index + 1}`, {
      expected: problem,
      received: JSON.stringify(outline).slice(0, 80),
    });
  const more: Record<string, Metadata[string]> = {};
  // Assigning __proto__ would change what the object is, not what it holds.
  for (const [field, value] of Object.entries(rest))
    if (field !== '__proto__' && isMetadataValue(value)) more[field] = value;
  const structure = outline === undefined ? {} : { outline };
  const known = { id: ownId ?? id, title: title ?? '', text };
  return { ...known, metadata: { ...more, ...metadata }, ...structure };
}

/** Types hold for programs in TypeScript alone. Throws `InputError('bad-document')`. */
function checkParts(
  { id, title, metadata }: Pick<IngestibleRecord, 'id' | 'title' | 'metadata'>,
  index: number,
): void {
  const fail = (expected: string, received: unknown): never => {
    throw new InputError('bad-document', `Document ${index + 1}`, {
      expected,
      received: (JSON.stringify(received) ?? String(received)).slice(0, 80),
    });
  };
  if (id !== undefined && (typeof id !== 'string' || id === '')) fail('an id as text', id);
  if (title !== undefined && typeof title !== 'string') fail('a title as text', title);
  if (metadata === undefined) return;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    fail('metadata as an object', metadata);
  for (const [field, value] of Object.entries(metadata))
    if (!isMetadataValue(value))
      fail(`"${field.slice(0, 40)}" as a text, a number, true, false or a list of texts`, value);
}

function isMetadataValue(value: unknown): value is Metadata[string] {
  return (
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every(item => typeof item === 'string'))
  );
}
