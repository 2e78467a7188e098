/** Kernels that are made from the source of another, by what is written otherwise. */

/** A dot product that is added to, as the kernels write it. */
const DOT =
  /\(i32x4\.relaxed_dot_i8x16_i7x16_add_s (\(local\.get \$\w+\)) (\(local\.get \$\w+\)) (\(local\.get \$\w+\))\)/g;
const ANY_DOT = /relaxed_dot_\w+_add_s/g;
/**
 * The same in two steps: products of two each, which are added by a product with ones. `$ones` is
 * one in each.
 */
const PAIRS =
  '(i32x4.add (i32x4.dot_i16x8_s (i16x8.relaxed_dot_i8x16_i7x16_s $1 $2) (local.get $ones)) $3)';
/** The same of numbers of 16 bits, half as many a step. */
const WIDE = '(i32x4.add (i32x4.dot_i16x8_s $1 $2) $3)';

/** Throws where a dot product is written so that it would stay as it is. */
function withDots(source: string, dot: string): string {
  const written = source.replaceAll(DOT, dot);
  const left = written.match(ANY_DOT)?.length ?? 0;
  if (left > 0)
    throw new Error(
      `${left} dot products are not (local.get $a) (local.get $b) (local.get $c) on one line`,
    );
  return written;
}

export const TWINS: Readonly<
  Record<string, { readonly of: string; readonly text: (source: string) => string }>
> = {
  'models/ranker/linear-pairs': {
    of: 'models/ranker/linear',
    text: source => withDots(source, PAIRS),
  },
  'models/ranker/linear-wide': {
    of: 'models/ranker/linear',
    text: source => withDots(source, WIDE),
  },
  'search/indexes/vector/centred-pairs': {
    of: 'search/indexes/vector/centred',
    text: source => withDots(source, PAIRS),
  },
};
