/** Normalises texts by the rules of the data sets' own scorers, which compare normal forms. */

/** The 32 ASCII punctuation characters. */
const asciiPunctuation = /[!-/:-@[-`{-~]/g;
/** Articles as whole words. Unicode-aware as in the Python original; JavaScript's `\b` is not. */
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Returns the normal form of HotpotQA, SQuAD, LongBench, ChainRAG and IRCoT: lower case, ASCII
 * punctuation deleted (not replaced by a space), the articles a, an, the removed, white space
 * collapsed. Other punctuation (curly quotes, dashes) is kept. Applies NFC, where IRCoT repairs
 * mojibake.
 */
export function normHotpot(text: string): string {
  const bare = text.normalize('NFC').toLowerCase().replace(asciiPunctuation, '');
  // Applies NFC again: deleting punctuation between a letter and its accent makes them adjacent.
  return collapse(bare.normalize('NFC').replace(articles, ' '));
}

/**
 * Returns the normal form of the budgeted agent's scorer (docs/papers/budgeted-agent.md): lower
 * case, runs of a to z and 0 to 9, joined by single spaces.
 */
export function normAlnum(text: string): string {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' ');
}

/**
 * Returns the title form of the query-decomposition notebook of Hieu et al.
 * (docs/papers/query-decomposition.md): ASCII letters, digits and white space only, lower case,
 * collapsed.
 */
export function normTitle(text: string): string {
  return collapse(text.replace(/[^A-Za-z0-9\s]/g, '').toLowerCase());
}

/**
 * Removes spaces and line feeds, as MultiHop-RAG's retrieval script does (arXiv 2401.15391). Case,
 * tabs and other white space are unchanged.
 */
export function squash(text: string): string {
  return text.replace(/[ \n]/g, '');
}

/**
 * Folds every run of white space, Unicode punctuation (`\p{P}`) and invisible characters (`\p{C}`)
 * to one space, with one space at each end. Words, numbers and symbols are unchanged, case
 * included. Applies NFC.
 *
 * Because both ends are spaces, `folded(text).includes(folded(part))` is true only for whole words:
 * "party" does not contain "art". A text without words folds to one space, which every text
 * contains: callers must skip such parts (`isBlank`).
 */
export function foldWhitespaceAndPunctuation(text: string): string {
  return ` ${text
    .normalize('NFC')
    .replace(/[\s\p{P}\p{C}]+/gu, ' ')
    .trim()} `.replace(/^ {2}$/, ' ');
}

/** Returns true if a folded text has no word. */
export const isBlank = (folded: string): boolean => folded.trim() === '';
