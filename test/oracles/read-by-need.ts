/** A packed index whose postings are read range by range, and hold nothing beside the range. */
import type { Packed } from '../../src/search/indexes/lexical/stored.ts';

export function readByNeed({ header, arrays: { items, frequencies, ...arrays } }: Packed): Packed {
  return {
    header,
    arrays,
    postings: (from, to) => ({
      base: from,
      items: (items as Uint16Array).slice(from, to),
      frequencies: (frequencies as Uint8Array).slice(from, to),
    }),
  };
}
