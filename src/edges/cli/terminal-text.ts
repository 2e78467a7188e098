// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finds control characters
/**
 * Makes text harmless for terminals at the one place that writes to them: no escape sequence but
 * those of `Style`, no control character but tabs and line ends, no change of direction.
 */

/** The sequences of `Style`: colours, and links. */
const COLOURS = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/;
const COLOURS_AND_LINKS =
  /(\u001b\[(?:1|2|22|31|32|33|36|39)m|\u001b\]8;;[^\u0000-\u001f\u007f-\u009f]*\u001b\\)/;
/**
 * Control characters of both sets, line and paragraph separators, embeddings, overrides and
 * isolates. Marks of direction, which Hebrew and Arabic need, move nothing but their neighbours.
 */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** `links`: keeps links too, which results have and messages do not. */
export function terminalText(text: string, isStyled: boolean, links = false): string {
  if (!isStyled) return text.replace(UNSAFE, ' ');
  const parts = text.split(links ? COLOURS_AND_LINKS : COLOURS);
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replace(UNSAFE, ' '))).join('');
}

/** Returns JSON in which nothing but line ends stands as it is of what terminals act on. */
export const terminalJson = (json: string): string =>
  json.replace(UNSAFE, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
