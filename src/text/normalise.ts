/**
 * Text normalisers of the data sets' own scorers, each with its exact rule: two texts match when
 * their normal forms do.
 */

/** The 32 ASCII punctuation characters. */
const asciiPunctuation = /[!-/:-@[-`{-~]/g;
/** Whole words only; Unicode-aware as in the Python original, where JavaScript's `\b` is not. */
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * The normal form of HotpotQA, SQuAD, LongBench, ChainRAG and IRCoT: lower case, ASCII punctuation
 * deleted (not replaced by a space), the words a, an, the dropped, whitespace collapsed. Other
 * punctuation (curly quotes, dashes) stays. NFC first, where IRCoT repairs mojibake.
 */
export function normHotpot(text: string): string {
  const bare = text.normalize('NFC').toLowerCase().replace(asciiPunctuation, '');
  // Once more, because deleting what stood between a letter and its accent brings them together.
  return collapse(bare.normalize('NFC').replace(articles, ' '));
}

/**
 * The normal form of the budgeted-agent paper: lower case, runs of a to z and 0 to 9, joined by one
 * space.
 */
export function normAlnum(text: string): string {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
}

/**
 * The title form of the Group-8 comparison's query-decomposition notebook: ASCII letters, digits
 * and whitespace only, lower case, collapsed.
 */
export function normTitle(text: string): string {
  return collapse(text.replace(/[^A-Za-z0-9\s]/g, '').toLowerCase());
}

/**
 * The form of MultiHop-RAG's retrieval script: spaces and line feeds removed, nothing else. Case,
 * tabs and other whitespace stay.
 */
export function squash(text: string): string {
  return text.replace(/[ \n]/g, '');
}

/**
 * Whitespace and punctuation folded: every run of whitespace, Unicode punctuation (`\p{P}`) and
 * invisible characters (`\p{C}`) becomes one space, with one space at each end. Words, numbers and
 * symbols (`$`, `%` is punctuation, `+`) stay as they are, case included; NFC first.
 *
 * Because both ends are spaces, `folded(text).includes(folded(part))` is true only for whole words:
 * "art" is not found in "party". A text without any word folds to one space, which every text
 * contains: callers leave such parts out (`isBlank`).
 */
export function foldWhitespaceAndPunctuation(text: string): string {
  return ` ${text
    .normalize('NFC')
    .replace(/[\s\p{P}\p{C}]+/gu, ' ')
    .trim()} `.replace(/^ {2}$/, ' ');
}

/** Whether a folded text has no word. */
export const isBlank = (folded: string): boolean => folded.trim() === '';
