/** Quotes a text of unknown authors inside a line. */

/**
 * Returns the text as one line in the quotes of JSON, which it cannot leave, without invisible
 * characters, and without what begins a marker of passages.
 */
export const quotedText = (text: string): string =>
  JSON.stringify(
    text
      .toWellFormed()
      .replace(/[^\P{C}\s]/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/<(?=<)/g, '< '),
  );
