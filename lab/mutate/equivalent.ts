/**
 * Lists the mutants that no test can kill, by the first digits of their keys, and why. They count
 * as survivors in the first score that is printed, and not at all in the second.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  // learning/fact-reader
  '19fee25ceb':
    'saves time only: sets of so different sizes have too little in common, and 0 / 0 is not enough either',
  '5d0a50a465': 'neither text is a type of questions',
  a47786e51b: 'no support lies below the threshold, which is 0',
  // learning/fact-ranker
  e359e02ae9: 'names the strategy in traces, which nothing reads here',
  // models
  '3e6c492a72': 'the rest of the pattern matches the optional prefix too',
  cb26c2aea1: 'no character stands behind the last, so that nothing begins there',
  // learning/question-only
  e9c1011b0a: 'another name that no word has',
  f45a480067: 'another name that no word has',
  '899fcb1351': 'another name that no word has',
  // strategies
  '047e2b9cfb': 'a vector of length 0 has no entries: every weight is positive',
  '00d54fff0a': 'an equal score replaces itself',
  e92de10b5c: 'sets what the map holds already',
  '7c265aa296': 'counts at a place that does not exist, which nothing reads',
  d94ce8ebe0: 'an equal score replaces itself',
  a3f590cf1e: 'saves time only: without named days no document is meant',
  c989cc84ac: 'no answer of a demonstration has another point than the last',
  '0146c3a3cf': 'only an empty text has no sentence, and all of it is empty too',
  b8d6da753a: 'adds a field that is undefined, which is read as a missing one',
  e00d6f9c06: 'saves time only: no share of common words exceeds 1',
  '6bd2faa720': 'adds an id that no document has to those left out',
  '64dc453803': 'the last round returns before the bound is read again',
  '2fba5ae47e': 'each search after the first has a reason',
  c79b1b16a0: 'references to itself or to a later one are removed when the list is read',
};

/** Digits of a key that name a mutant in reports. */
export const KEY_DIGITS = 10;
