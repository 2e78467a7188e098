/** Wraps text into lines of a number of columns. */

/** Returns at least one line. Words longer than a line stand alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (word === '') continue;
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Wraps text behind `first`; further lines are indented by as many columns. */
export function wrapBehind(
  first: string,
  text: string,
  width: number,
  columns: number = first.length,
): string[] {
  return wrap(text, Math.max(20, width - columns)).map(
    (line, index) => (index === 0 ? first : ' '.repeat(columns)) + line,
  );
}

/** Replaces control characters and line ends by spaces, and trims. */
export const printable = (text: string): string => printablePart(text).trim();

/** Replaces control characters and line ends by spaces. */
export const printablePart = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1)).trimEnd()}…`;
}
