/** Works on several items side by side and passes their results on in the order of the items. */

/** The result of one item. */
export interface InOrder<Item, Result> {
  readonly item: Item;
  readonly index: number;
  readonly result: Result;
}

/**
 * Yields the result of each item, in order. At most `most` items are begun and not yet yielded.
 * Throws what the work on an item throws; the work that goes on then is left to end by itself.
 */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<InOrder<Item, Result>, void, void> {
  const begun: Promise<Result>[] = [];
  for (const [index, item] of items.entries()) {
    for (const next of items.slice(begun.length, index + most)) {
      const run = work(next);
      // A failure surfaces when its turn comes; until then it is no unhandled rejection.
      run.catch(() => {});
      begun.push(run);
    }
    yield { item, index, result: await begun[index]! };
    // Lets the memory of a result go once it was passed on.
    delete begun[index];
  }
}
