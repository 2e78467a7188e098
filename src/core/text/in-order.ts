/**
 * Returns true if a text has a match of one pattern and behind it one of another: as
 * `first.*then` finds it, in time linear in the text.
 */
export function inOrder(text: string, first: RegExp, then: RegExp): boolean {
  const found = first.exec(text);
  return found !== null && then.test(text.slice(found.index + found[0].length));
}
