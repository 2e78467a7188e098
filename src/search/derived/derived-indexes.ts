/**
 * Holds the derived indexes of one engine: opened from storage, brought up to date, and built if
 * missing.
 */
import type { Document } from '../../core/corpus/document.ts';
import type { Call } from '../../core/trace/call.ts';
import {
  additionsTo,
  changesBetween,
  type DerivedIndex,
  type DerivedSource,
  fingerprint,
  type MemberChanges,
  type Members,
  type PackedDerived,
  type Turn,
  unpackDerived,
} from './derived-index.ts';

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
  /** The documents of the snapshot with their versions. */
  readonly members: Members;
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
  /** One opening after the other for each key, so that none loses what another one added. */
  private readonly turns = new Map<string, Promise<unknown>>();
  /** The last version of each document that was seen. */
  private readonly versions = new Map<string, readonly [Document, string]>();

  constructor(stored?: StoredDerived) {
    this.stored = stored;
  }

  /** Returns an index for the documents of a source: the one that is held, brought up to date. */
  async open<T>(
    derived: DerivedIndex<T>,
    source: DerivedSource,
    call: Call,
  ): Promise<OpenDerived<T>> {
    return this.inTurn(derived.key, call, () => this.opened(derived, source, call));
  }

  /** Adds documents to an index ahead of the snapshot that will have them; keeps all others. */
  async prepare<T>(derived: DerivedIndex<T>, source: DerivedSource, call: Call): Promise<void> {
    await this.inTurn(derived.key, call, () => this.opened(derived, source, call, true));
  }

  /** Called when the engine has other documents than before. */
  outdate(): void {
    this.asStored = false;
  }

  /** Drops removed documents. */
  forget(ids: ReadonlySet<string>): void {
    this.outdate();
    for (const [key, held] of this.held) this.held.set(key, without(held.derived, held, ids));
    for (const id of ids) this.versions.delete(id);
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

  /** `partial`: the source is a part of a corpus, and says nothing about other documents. */
  private async opened<T>(
    derived: DerivedIndex<T>,
    source: DerivedSource,
    call: Call,
    partial = false,
  ): Promise<OpenDerived<T>> {
    if (!partial && this.asStored && this.stored?.isCurrent?.(derived.key)) {
      const held = this.heldOf(derived);
      if (held) return held;
    }
    await this.takeVersions(source.documents, call);
    const current = this.membersOf(source.documents);
    let held = this.heldOf(derived);
    if (!held) {
      if (!partial && source.documents.length > 0) this.stored?.building?.(derived.key);
      held = { derived, index: derived.empty(), members: new Map() };
    }
    const changes = partial
      ? additionsTo(held.members, current)
      : changesBetween(held.members, current);
    return this.updated(derived, held, changes, source, call);
  }

  private hold<T>(held: Held<T>): Held<T> {
    this.held.set(held.derived.key, held as unknown as Held);
    return held;
  }

  private heldOf<T>(derived: DerivedIndex<T>): Held<T> | undefined {
    const held = this.held.get(derived.key);
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
    const missing = new Set([...added, ...changed]);
    if (missing.size > 0) {
      const documents = source.documents.filter(({ id }) => missing.has(id));
      const versions = this.membersOf(source.documents);
      const base = next.members;
      const keep = (index: T, finished: readonly Document[]): void => {
        const members = new Map(base);
        for (const { id } of finished) members.set(id, versions.get(id)!);
        next = this.hold({ derived, index, members });
      };
      const turn = this.turnOf(call);
      keep(await derived.add(next.index, documents, source, call, keep, turn), documents);
    }
    this.hold(next);
    return removed.length === 0 ? next : without(derived, next, new Set(removed));
  }
}

function without<T>(
  derived: DerivedIndex<T>,
  { index, members }: Held<T>,
  ids: ReadonlySet<string>,
): Held<T> {
  return {
    derived,
    index: derived.remove(index, ids),
    members: new Map([...members].filter(([id]) => !ids.has(id))),
  };
}
