/** Collects the documents that searches of agents returned, with the passages that they showed. */
import type { Document } from '../../core/corpus/document.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { AgentHit, AgentRun } from './agent-run.ts';

/** A hit as a span of a document. */
export interface PlacedHit {
  readonly id: string;
  readonly documentId: string;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  /** The words that the agent saw; those of the document where the trace has none. */
  readonly text: string;
  readonly score?: number | undefined;
}

/** Stands between passages of a document whose whole text nobody knows. */
const BETWEEN = '\n\n';

/**
 * The documents of hits. One that the corpus holds is that of the corpus; the text of another one
 * is the passages of it that all runs saw.
 */
export class FoundDocuments {
  private readonly stored: ReadonlyMap<string, Document>;
  private readonly found = new Map<string, { title: string; text: string }>();

  constructor(corpus: readonly Document[], runs: readonly AgentRun[]) {
    this.stored = new Map(corpus.map(document => [document.id, document]));
    for (const { hops } of runs)
      for (const { searches } of hops)
        for (const { hits } of searches) for (const hit of hits) this.add(hit);
  }

  /** The corpus, and what runs saw beside it. */
  get documents(): Document[] {
    const more = [...this.found].map(([id, { title, text }]) => ({
      id,
      title,
      text,
      metadata: {},
    }));
    return [...this.stored.values(), ...more];
  }

  /** Returns where a hit stands. A text that its document does not hold is the whole document. */
  place(hit: AgentHit): PlacedHit {
    const documentId = idOf(hit);
    const document = this.stored.get(documentId) ?? this.found.get(documentId)!;
    const seen = hit.text ?? document.text;
    const at = document.text.indexOf(seen);
    const [start, end] = at < 0 ? [0, document.text.length] : [at, at + seen.length];
    const id = hit.text === undefined ? documentId : `${documentId}#${start}-${end}`;
    return {
      id,
      documentId,
      title: hit.title ?? document.title,
      start,
      end,
      text: seen,
      score: hit.score,
    };
  }

  private add(hit: AgentHit): void {
    const id = idOf(hit);
    if (this.stored.has(id)) return;
    const { title = '', text = '' } = hit;
    const known = this.found.get(id);
    if (!known) this.found.set(id, { title, text });
    else {
      known.title ||= title;
      if (!known.text.includes(text))
        known.text = known.text === '' ? text : `${known.text}${BETWEEN}${text}`;
    }
  }
}

/** A hit without an id is known by its title, else by its text. */
const idOf = ({ document, title, text = '' }: AgentHit): string =>
  document || title || `text-${sha256(text).slice(0, 12)}`;
