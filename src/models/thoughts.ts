/** Finds the thoughts that the replies of reasoning models begin with. */

export const OPENING = '<think>';
export const CLOSING = '</think>';

/**
 * Returns the text after the last thought of a reply; empty if a thought is not closed. Chat
 * templates may open a thought themselves, so that the reply holds its end alone; in code an answer
 * names the mark.
 */
export function withoutThinking(text: string): string {
  const closed = masked(text, CODE).lastIndexOf(CLOSING);
  // Code of a thought may have no end.
  const end = closed < 0 && opens(text) ? text.indexOf(CLOSING) : closed;
  if (end >= 0) return text.slice(end + CLOSING.length);
  return opens(text) ? '' : text;
}

/** Tells if a reply begins inside a thought, of which it holds the end alone. */
export const beginsInThought = (text: string): boolean => !opens(text) && closingIn(text) >= 0;

const opens = (text: string): boolean => text.trimStart().startsWith(OPENING);

const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
/** Code of a text that goes on may have no end yet. */
const OPEN_CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*(?:`|$)/g;

/** Returns the offset of the first closing mark outside of code; -1 if there is none. */
export const closingIn = (text: string, goesOn = false): number =>
  masked(text, goesOn ? OPEN_CODE : CODE).indexOf(CLOSING);

const masked = (text: string, code: RegExp): string =>
  text.includes(CLOSING) ? text.replace(code, found => '`'.repeat(found.length)) : '';
