/** Numbers the sentences of a collection: documents by id, sentences in their order. */
import { itemId } from '../../core/corpus/chunker.ts';

export class SentencePlaces {
  /** Ids of the documents, ascending. */
  readonly documents: readonly string[];
  /** The number of the first sentence of each document, and the end of the last. */
  readonly starts: Uint32Array;
  private readonly positions: ReadonlyMap<string, number>;

  /** `countOf`: number of sentences of a document. */
  constructor(documents: Iterable<string>, countOf: (id: string) => number) {
    this.documents = [...documents].sort();
    this.starts = new Uint32Array(this.documents.length + 1);
    for (const [at, id] of this.documents.entries())
      this.starts[at + 1] = this.starts[at]! + countOf(id);
    this.positions = new Map(this.documents.map((id, at) => [id, at]));
  }

  /** Number of sentences. */
  get size(): number {
    return this.starts[this.documents.length]!;
  }

  /** Returns the first sentence of a document and the end of its last; undefined if unknown. */
  spanOf(id: string): readonly [start: number, end: number] | undefined {
    const at = this.positions.get(id);
    return at === undefined ? undefined : [this.starts[at]!, this.starts[at + 1]!];
  }

  /** Returns the position of the document that holds a sentence. */
  documentOf(sentence: number): number {
    let [low, high] = [0, this.documents.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.starts[middle]! <= sentence) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the id under which engines know a sentence. */
  idOf(sentence: number): string {
    const at = this.documentOf(sentence);
    const [start, end] = [this.starts[at]!, this.starts[at + 1]!];
    return itemId(this.documents[at]!, sentence - start, end - start, 's');
  }
}
