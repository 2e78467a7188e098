/** Finds candidate passages for questions by BM25, and writes them as a ranker reads them. */
import type { Document, Passage } from '../../../src/core/corpus/document.ts';
import { subjectAt, titleAt } from '../../../src/core/corpus/outline.ts';
import { freeCall } from '../../../src/core/trace/call.ts';
import type { EmbeddedEngine } from '../../../src/search/embedded-engine.ts';
import { ingest } from '../../../src/session/verbs.ts';

/** Candidates of a question: those that a ranker orders in the recipe of the package. */
export const DEPTH = 100;

/**
 * Passages of documents without headings have 96 words: beside a question of 25 pieces and a title
 * they fill the 160 word pieces that a ranker reads. Passages of sections have the default size.
 */
const CHUNKER = 'tokens(size=96, overlap=0)';

/** More characters than 160 word pieces hold; scorers cut at the piece. */
const CHARACTERS = 1000;

/** The words above a passage: "title > headings", or the words of the path before it. */
export type Header = 'title' | 'subject';

/** The passages of a corpus, searched by BM25 over headings and text. */
export class Candidates {
  readonly documents: ReadonlyMap<string, Document>;
  /** In the order of the documents. */
  readonly passages: readonly Passage[];
  private readonly byId: ReadonlyMap<string, Passage>;
  private readonly engine: EmbeddedEngine;

  private constructor(
    engine: EmbeddedEngine,
    documents: readonly Document[],
    passages: readonly Passage[],
  ) {
    this.engine = engine;
    this.documents = new Map(documents.map(document => [document.id, document]));
    this.passages = passages;
    this.byId = new Map(passages.map(passage => [passage.id, passage]));
  }

  static async of(documents: readonly Document[]): Promise<Candidates> {
    const engine = await ingest(documents, { chunker: CHUNKER });
    const ids = documents.map(({ id }) => id);
    const passages = await engine.current.parts('passage', ids, freeCall());
    return new Candidates(engine, documents, passages.flat());
  }

  /** Returns at most `DEPTH` passages, best first. */
  async search(question: string): Promise<Passage[]> {
    const request = { unit: 'passage', k: DEPTH, queries: [{ text: question }] } as const;
    const [hits] = await this.engine.current.search(request, freeCall());
    return hits!.map(({ id }) => this.byId.get(id)!);
  }

  passage(id: string): Passage | undefined {
    return this.byId.get(id);
  }

  /** Returns a passage below its header. */
  text({ documentId, start, text }: Passage, header: Header): string {
    const document = this.documents.get(documentId)!;
    return headed((header === 'title' ? titleAt : subjectAt)(document, start), text);
  }
}

/** Returns a text below a header, cut. */
export const headed = (header: string, text: string): string =>
  [header, text]
    .filter(part => part !== '')
    .join('\n')
    .slice(0, CHARACTERS)
    .toWellFormed();
