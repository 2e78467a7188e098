/**
 * Holds the derived indexes of one engine: opened from storage, updated or served stale, and built
 * if missing.
 */
import type { Document } from '../core/corpus/document.ts';
import type { Call } from '../core/trace/call.ts';
import {
  additionsTo,
  changesBetween,
  type DerivedIndex,
  type DerivedSource,
  fingerprint,
  type MemberChanges,
  type Members,
  NAMED_INDEXES,
  type PackedDerived,
  packDerived,
  type Staleness,
  stalenessOf,
  type Turn,
  unpackDerived,
} from './derived-index.ts';
import { RecentlyUsed } from './indexes/recently-used.ts';

/** Derived indexes that are stored outside the process. */
export interface StoredDerived {
  /** Returns undefined for an index that is not stored or damaged. */
  read(key: string): PackedDerived | undefined;
  /**
   * Tells if the stored index is of the documents with which the engine began: then their versions
   * need not be taken, which reads all of them.
   */
  isCurrent?(key: string): boolean;
  /** Reports that a stored index cannot be unpacked. */
  damaged?(key: string, error: unknown): void;
  /** Reports that an index which is not stored is about to be built for a snapshot. */
  building?(key: string): void;
  /** Gives the event loop a turn during a long build. */
  readonly turn?: Turn;
}

/** An index as it serves one snapshot. */
export interface OpenDerived<T> {
  readonly index: T;
  /** The documents of the index with their versions: those of the snapshot, unless it is stale. */
  readonly members: Members;
  readonly stale?: Staleness;
}

/** Documents whose versions are taken between two turns. */
const VERSIONS = 4;

interface Held<T = unknown> {
  readonly derived: DerivedIndex<T>;
  readonly index: T;
  readonly members: Members;
}

export class DerivedIndexes {
  private readonly stored: StoredDerived | undefined;
  /** False once the engine has other documents than those with which it began. */
  private asStored = true;
  private readonly held = new Map<string, Held>();
  /** Those of `held` with settings of names; the least recently used go. */
  private readonly named = new RecentlyUsed<Held>(NAMED_INDEXES.count, {
    most: NAMED_INDEXES.bytes,
    bytes: ({ derived, index }) => derived.bytes!(index),
  });
  /** One opening after the other for each key, so that none loses what another one added. */
  private readonly turns = new Map<string, Promise<unknown>>();
  /** The last version of each document that was seen. */
  private readonly versions = new Map<string, readonly [Document, string]>();

  constructor(stored?: StoredDerived) {
    this.stored = stored;
  }

  /**
   * Returns an index for the documents of a source. Adds and removes documents if the index
   * supports it, otherwise returns a stale one; builds one if there is none, or if `fresh` is true.
   */
  async open<T>(
    derived: DerivedIndex<T>,
    source: DerivedSource,
    call: Call,
    { fresh = false }: { readonly fresh?: boolean } = {},
  ): Promise<OpenDerived<T>> {
    return this.inTurn(derived.key, call, () => this.opened(derived, source, call, { fresh }));
  }

  /** Adds documents to an index ahead of the snapshot that will have them; keeps all others. */
  async prepare<T>(
    derived: DerivedIndex<T>,
    source: Pick<DerivedSource, 'documents' | 'cut'>,
    call: Call,
  ): Promise<void> {
    await this.inTurn(derived.key, call, () =>
      this.opened(derived, { ...EMPTY, ...source }, call, { partial: true }),
    );
  }

  /** Called when the engine has other documents than before. */
  outdate(): void {
    this.asStored = false;
  }

  /** Drops removed documents from indexes that can be brought up to date. */
  forget(ids: ReadonlySet<string>): void {
    this.outdate();
    for (const [key, held] of this.held)
      if (held.derived.remove) this.held.set(key, without(held.derived, held, ids));
    for (const id of ids) this.versions.delete(id);
  }

  /** Packs an index with its documents, for storage. */
  pack<T>(derived: DerivedIndex<T>, { index, members }: OpenDerived<T>): PackedDerived {
    return packDerived(derived, index, members);
  }

  /** Waits for earlier work on the index of a key. */
  private async inTurn<R>(key: string, call: Call, work: () => Promise<R>): Promise<R> {
    const before = this.turns.get(key);
    const turn = (async () => {
      await before?.catch(() => {});
      call.signal.throwIfAborted();
      return work();
    })();
    this.turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.turns.get(key) === turn) this.turns.delete(key);
    }
  }

  /** Returns the versions of documents. */
  membersOf(documents: readonly Document[]): Members {
    const members = new Map<string, string>();
    for (const document of documents) {
      let known = this.versions.get(document.id);
      if (known?.[0] !== document) {
        known = [document, fingerprint(document)];
        this.versions.set(document.id, known);
      }
      members.set(document.id, known[1]);
    }
    return members;
  }

  /** Takes the versions of documents, with turns of the event loop between. */
  private async takeVersions(documents: readonly Document[], call: Call): Promise<void> {
    const turn = this.turnOf(call);
    for (let from = 0; from < documents.length; from += VERSIONS) {
      this.membersOf(documents.slice(from, from + VERSIONS));
      await turn();
    }
  }

  /** Returns the turns of long work: the pauses of its run, else those of the store. */
  private turnOf(call: Call): Turn {
    return async () => {
      if (call.pause) await call.pause();
      else await this.stored?.turn?.();
      call.signal.throwIfAborted();
    };
  }

  private async opened<T>(
    derived: DerivedIndex<T>,
    source: DerivedSource,
    call: Call,
    { fresh = false, partial = false }: { readonly fresh?: boolean; readonly partial?: boolean },
  ): Promise<OpenDerived<T>> {
    if (!fresh && !partial && this.asStored && this.stored?.isCurrent?.(derived.key)) {
      const held = this.heldOf(derived);
      if (held) return held;
    }
    await this.takeVersions(source.documents, call);
    const current = this.membersOf(source.documents);
    const held = fresh ? undefined : this.heldOf(derived);
    if (held) {
      // A part of a corpus says nothing about documents outside it.
      const changes = partial
        ? additionsTo(held.members, current)
        : changesBetween(held.members, current);
      if (derived.add && derived.remove) return this.updated(derived, held, changes, source, call);
      const stale = stalenessOf(derived.key, held.members, current);
      return { index: held.index, members: held.members, ...(stale ? { stale } : {}) };
    }
    if (!partial && !fresh && source.documents.length > 0) this.stored?.building?.(derived.key);
    const empty = derived.add && derived.remove ? await derived.build(EMPTY, call) : undefined;
    if (empty !== undefined) {
      const changes = { added: [...current.keys()], changed: [], removed: [] };
      const nothing = { derived, index: empty, members: new Map<string, string>() };
      return this.updated(derived, nothing, changes, source, call);
    }
    return this.hold({
      derived,
      index: await derived.build(source, call, this.turnOf(call)),
      members: current,
    });
  }

  private hold<T>(held: Held<T>): Held<T> {
    const kept = held.derived.bytes ? this.named : this.held;
    kept.set(held.derived.key, held as unknown as Held);
    return held;
  }

  private heldOf<T>(derived: DerivedIndex<T>): Held<T> | undefined {
    const held = (derived.bytes ? this.named : this.held).get(derived.key);
    if (held) return held as unknown as Held<T>;
    const packed = this.stored?.read(derived.key);
    if (!packed) return undefined;
    try {
      return this.hold({ derived, ...unpackDerived(derived, packed) });
    } catch (error) {
      this.stored?.damaged?.(derived.key, error);
      return undefined;
    }
  }

  /**
   * Adds and replaces documents in what is held, and returns it without those that the source does
   * not have: a write that is under way may need them.
   */
  private async updated<T>(
    derived: DerivedIndex<T>,
    held: Held<T>,
    { added, changed, removed }: MemberChanges,
    source: DerivedSource,
    call: Call,
  ): Promise<OpenDerived<T>> {
    let next = changed.length > 0 ? without(derived, held, new Set(changed)) : held;
    const wanted = new Set([...added, ...changed]);
    if (wanted.size > 0) {
      const documents = source.documents.filter(({ id }) => wanted.has(id));
      const versions = this.membersOf(source.documents);
      const base = next.members;
      const keep = (index: T, finished: readonly Document[]): void => {
        const members = new Map(base);
        for (const { id } of finished) members.set(id, versions.get(id)!);
        next = this.hold({ derived, index, members });
      };
      const turn = this.turnOf(call);
      keep(await derived.add!(next.index, documents, source, call, keep, turn), documents);
    }
    this.hold(next);
    return removed.length === 0 ? next : without(derived, next, new Set(removed));
  }
}

const EMPTY: DerivedSource = {
  documents: [],
  cut: () => [],
  plainIndex() {
    throw new Error('An index with `add` is built of nothing first');
  },
};

function without<T>(
  derived: DerivedIndex<T>,
  { index, members }: Held<T>,
  ids: ReadonlySet<string>,
): Held<T> {
  return {
    derived,
    index: derived.remove!(index, ids),
    members: new Map([...members].filter(([id]) => !ids.has(id))),
  };
}
