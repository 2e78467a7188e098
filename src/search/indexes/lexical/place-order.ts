/** Sorts the postings of a term by place, in time that does not grow with the number of runs. */

/** Least number of postings for which the sets of places pay off. */
const PAYS_FROM = 24;

/**
 * Marks places in a set of bits, and the words of the set that have one in a second set, which are
 * read back in order. Postings in blocks of one term after another stay in the processor's cache.
 */
export class PlaceOrder {
  private readonly marked: Uint32Array;
  private readonly words: Uint32Array;
  private readonly frequencyOf: Uint32Array;

  /** `size`: all places are below it. */
  constructor(size: number) {
    this.marked = new Uint32Array((size >>> 5) + 1);
    this.words = new Uint32Array((size >>> 10) + 1);
    this.frequencyOf = new Uint32Array(size);
  }

  /** Sorts the postings [from, to), pairs of a place and a frequency. Places are distinct. */
  sort(pairs: Uint32Array, from: number, to: number): void {
    if (to - from < PAYS_FROM) insertionSort(pairs, from, to);
    else if (!isSorted(pairs, from, to)) {
      this.mark(pairs, from, to);
      this.collect(pairs, from);
    }
  }

  private mark(pairs: Uint32Array, from: number, to: number): void {
    const { marked, words, frequencyOf } = this;
    for (let at = from; at < to; at++) {
      const place = pairs[2 * at]!;
      marked[place >>> 5]! |= 1 << (place & 31);
      words[place >>> 10]! |= 1 << ((place >>> 5) & 31);
      frequencyOf[place] = pairs[2 * at + 1]!;
    }
  }

  /** Writes the marked places from `to` on, and unmarks them. */
  private collect(pairs: Uint32Array, to: number): void {
    const { marked, words, frequencyOf } = this;
    let end = 2 * to;
    for (let group = 0; group < words.length; group++) {
      for (let left = words[group]!; left !== 0; left &= left - 1) {
        const word = (group << 5) | lowestBit(left);
        for (let bits = marked[word]!; bits !== 0; bits &= bits - 1) {
          const place = (word << 5) | lowestBit(bits);
          pairs[end++] = place;
          pairs[end++] = frequencyOf[place]!;
        }
        marked[word] = 0;
      }
      words[group] = 0;
    }
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

function isSorted(pairs: Uint32Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) if (pairs[2 * at - 2]! > pairs[2 * at]!) return false;
  return true;
}

function insertionSort(pairs: Uint32Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    const place = pairs[2 * at]!;
    const frequency = pairs[2 * at + 1]!;
    let before = at - 1;
    for (; before >= from && pairs[2 * before]! > place; before--) {
      pairs[2 * before + 2] = pairs[2 * before]!;
      pairs[2 * before + 3] = pairs[2 * before + 1]!;
    }
    pairs[2 * before + 2] = place;
    pairs[2 * before + 3] = frequency;
  }
}
