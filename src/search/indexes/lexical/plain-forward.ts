/**
 * Reads items in plain JavaScript: the fallback without WebAssembly, and the reference in tests of
 * the other reader.
 */
import { indexForm } from '../../../core/text/search-form.ts';
import { DictionaryBuilder, doubled } from './dictionary.ts';
import type { Forward, ForwardReader } from './forward.ts';
import type { Analysis, Field } from './item.ts';
import { TermReader } from './term-reader.ts';

export class PlainForward implements ForwardReader {
  private readonly dictionary: DictionaryBuilder = new DictionaryBuilder();
  private readonly lengths: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly reader: TermReader;
  private readonly readsBeside: boolean;
  private postings: Uint32Array = new Uint32Array(1 << 12);
  private item = 0;
  private count = 0;
  /**
   * Per term its last posting + 1; greater than the item's start if the posting belongs to the
   * current item.
   */
  private last: Uint32Array = new Uint32Array(1 << 10);

  constructor(size: number, analysis: Analysis) {
    this.reader = new TermReader(analysis);
    this.readsBeside = analysis === 'plain';
    this.lengths = new Uint32Array(size);
    this.starts = new Uint32Array(size + 1);
  }

  read(fields: readonly Field[]): void {
    const start = this.count;
    let length = 0;
    for (const [text, times, beside = ''] of fields) {
      if (text.length === 0) continue;
      length += this.readField(text, times, start);
      if (beside !== '') this.readTerms(beside, times, start);
    }
    this.lengths[this.item++] = length;
    this.starts[this.item] = this.count;
  }

  finish(): Forward {
    return {
      dictionary: this.dictionary.finish(),
      runs: [{ from: 0, to: this.item, postings: this.postings.subarray(0, 2 * this.count) }],
      starts: this.starts,
      lengths: this.lengths,
    };
  }

  private readField(text: string, times: number, start: number): number {
    const { form, characters, beside } = indexForm(text);
    const count = this.readTerms(form, times, start);
    if (characters !== '') this.readTerms(characters, times, start);
    if (beside !== '' && this.readsBeside) this.readTerms(beside, times, start);
    return times * count;
  }

  /** Returns the number of terms. */
  private readTerms(form: string, times: number, start: number): number {
    const { reader, dictionary } = this;
    let count = 0;
    reader.open(form);
    while (reader.next()) {
      const term = dictionary.add(reader);
      count++;
      if (term >= this.last.length) this.last = doubled(this.last);
      const posting = this.last[term]!;
      if (posting > start) this.postings[2 * posting - 1]! += times;
      else this.append(term, times);
    }
    return count;
  }

  private append(term: number, times: number): void {
    const posting = this.count++;
    if (2 * posting >= this.postings.length) this.postings = doubled(this.postings);
    this.postings[2 * posting] = term;
    this.postings[2 * posting + 1] = times;
    this.last[term] = posting + 1;
  }
}
