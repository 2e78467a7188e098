/** The engine in this process: a store of documents whose every state is an immutable snapshot. */
import { chunkers } from '../corpus/chunk.ts';
import type { Chunker } from '../corpus/chunker.ts';
import type { Document } from '../corpus/document.ts';
import { InputError } from '../errors.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Call } from '../trace/call.ts';
import { Embeddings } from './embeddings.ts';
import type { Engine, Stored } from './engine.ts';
import { cutBy, type PackedIndexes, type ServePorts, Snapshot } from './snapshot.ts';
import type { TextTemplate } from './text-templates.ts';
import type { StoredVectors } from './vector-spaces.ts';

export interface EmbeddedOptions {
  /** How documents are cut into passages; `tokens(size=256, overlap=32)` when missing. */
  readonly chunker?: string | Chunker;
  /** Documents to begin with. */
  readonly documents?: Iterable<Document>;
  /** Packed indexes over exactly these documents. */
  readonly stored?: PackedIndexes;
  /** Packed vectors over exactly these documents, read by the same template. */
  readonly vectors?: StoredVectors | undefined;
  /** A vector space each, named by the embedder's id, beside `lsa`, which every engine has. */
  readonly embedders?: readonly Embedder[];
  /**
   * What embedders read of passages and queries: a name of `textTemplates`, or one's own; `header`
   * when missing.
   */
  readonly template?: string | TextTemplate;
  /** Ports of one's own over each snapshot, beside `VECTORS` and `EXPLAIN`. */
  readonly ports?: ServePorts;
}

export const DEFAULT_CHUNKER = 'tokens';

/** Writes replace the current snapshot; whoever holds an older one keeps reading it unchanged. */
export class EmbeddedEngine implements Engine {
  private newest: Snapshot;
  private readonly embeddings: Embeddings;
  private readonly ports: ServePorts | undefined;

  constructor(options: EmbeddedOptions = {}) {
    this.embeddings = new Embeddings(options.embedders, options.template);
    const chunker = options.chunker ?? DEFAULT_CHUNKER;
    const cut = typeof chunker === 'string' ? chunkers.create(chunker) : chunker;
    this.ports = options.ports;
    this.newest = new Snapshot(
      options.documents ?? [],
      cut,
      options.stored,
      this.embeddings,
      options.vectors,
      options.ports,
    );
  }

  /** The newest state, which later writes do not change. */
  get current(): Snapshot {
    return this.newest;
  }

  /** What would change: the next list of documents, and the counts. Nothing is written. */
  plan(documents: readonly Document[]): {
    readonly next: ReadonlyMap<string, Document>;
    readonly stored: Stored;
  } {
    const next = new Map(this.current.documents.map(document => [document.id, document]));
    const batch = new Set<string>();
    const counts = { added: 0, changed: 0, unchanged: 0, removed: 0 };
    for (const document of documents) {
      if (batch.has(document.id))
        throw new InputError(
          'duplicate-id',
          `Two documents of one batch have the id "${document.id}"`,
        );
      batch.add(document.id);
      const before = next.get(document.id);
      if (before && sameDocument(before, document)) counts.unchanged++;
      else {
        counts[before ? 'changed' : 'added']++;
        next.set(document.id, document);
      }
    }
    return { next, stored: counts };
  }

  /**
   * Passages of new and changed documents are embedded before anything is stored: when that fails,
   * nothing of the batch is.
   */
  async put(documents: readonly Document[], call: Call): Promise<Stored> {
    call.signal.throwIfAborted();
    if (this.embeddings.embedders.size > 0) await this.embed(documents, call);
    // Planned after the wait: other writes may have come between, and this one replaces none of
    // them.
    const { next, stored } = this.plan(documents);
    if (stored.added + stored.changed > 0) this.become(next.values());
    return stored;
  }

  private async embed(documents: readonly Document[], call: Call): Promise<void> {
    const { next } = this.plan(documents);
    const written = documents.filter(document => next.get(document.id) === document);
    const cut = cutBy(this.current.chunker);
    for (const embedder of this.embeddings.embedders.values())
      await this.embeddings.of(embedder, 'passage', written, cut, call);
  }

  private become(documents: Iterable<Document>): void {
    this.newest = new Snapshot(
      documents,
      this.current.chunker,
      undefined,
      this.embeddings,
      undefined,
      this.ports,
    );
  }

  async remove(ids: readonly string[], call: Call): Promise<Stored> {
    call.signal.throwIfAborted();
    await this.current.read('document', ids, call);
    const gone = new Set(ids);
    if (gone.size > 0) this.become(this.current.documents.filter(({ id }) => !gone.has(id)));
    return { added: 0, changed: 0, unchanged: 0, removed: gone.size };
  }

  async snapshot(): Promise<Snapshot> {
    return this.current;
  }
}

/** Equal content: title, text and metadata, whatever the order of the metadata's keys. */
export function sameDocument(a: Document, b: Document): boolean {
  if (a.title !== b.title || a.text !== b.text) return false;
  const keys = Object.keys(a.metadata);
  if (keys.length !== Object.keys(b.metadata).length) return false;
  return keys.every(key => JSON.stringify(a.metadata[key]) === JSON.stringify(b.metadata[key]));
}
