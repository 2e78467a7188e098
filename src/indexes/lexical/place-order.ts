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

  /** Sorts the postings [from, to) by place. Places are distinct. */
  sort(places: Uint32Array, frequencies: Uint32Array, from: number, to: number): void {
    if (to - from < PAYS_FROM) insertionSort(places, frequencies, from, to);
    else {
      this.mark(places, frequencies, from, to);
      this.collect(places, frequencies, from);
    }
  }

  private mark(places: Uint32Array, frequencies: Uint32Array, from: number, to: number): void {
    const { marked, words, frequencyOf } = this;
    for (let at = from; at < to; at++) {
      const place = places[at]!;
      marked[place >>> 5]! |= 1 << (place & 31);
      words[place >>> 10]! |= 1 << ((place >>> 5) & 31);
      frequencyOf[place] = frequencies[at]!;
    }
  }

  /** Writes the marked places from `to` on, and unmarks them. */
  private collect(places: Uint32Array, frequencies: Uint32Array, to: number): void {
    const { marked, words, frequencyOf } = this;
    let end = to;
    for (let group = 0; group < words.length; group++) {
      for (let left = words[group]!; left !== 0; left &= left - 1) {
        const word = (group << 5) | lowestBit(left);
        for (let bits = marked[word]!; bits !== 0; bits &= bits - 1) {
          const place = (word << 5) | lowestBit(bits);
          places[end] = place;
          frequencies[end++] = frequencyOf[place]!;
        }
        marked[word] = 0;
      }
      words[group] = 0;
    }
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

function insertionSort(
  places: Uint32Array,
  frequencies: Uint32Array,
  from: number,
  to: number,
): void {
  for (let at = from + 1; at < to; at++) {
    const place = places[at]!;
    const frequency = frequencies[at]!;
    let before = at - 1;
    for (; before >= from && places[before]! > place; before--) {
      places[before + 1] = places[before]!;
      frequencies[before + 1] = frequencies[before]!;
    }
    places[before + 1] = place;
    frequencies[before + 1] = frequency;
  }
}
