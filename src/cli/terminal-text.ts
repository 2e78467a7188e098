// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finds control characters
/**
 * Makes text harmless for terminals at the one place that writes to them: no escape sequence but
 * those of `Style`, no control character but tabs and line ends, no change of direction.
 */

import { UNSAFE } from '../platform/terminal-json.ts';

/** The sequences of `Style`: colours, and links. */
const COLOURS = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/;
const COLOURS_AND_LINKS =
  /(\u001b\[(?:1|2|22|31|32|33|36|39)m|\u001b\]8;;[^\u0000-\u001f\u007f-\u009f]*\u001b\\)/;

/** `links`: keeps links too, which results have and messages do not. */
export function terminalText(text: string, isStyled: boolean, links = false): string {
  if (!isStyled) return text.replace(UNSAFE, ' ');
  const parts = text.split(links ? COLOURS_AND_LINKS : COLOURS);
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replace(UNSAFE, ' '))).join('');
}
