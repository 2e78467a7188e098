/** Colours text for terminals. */

export interface Style {
  bold(text: string): string;
  faint(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
  cyan(text: string): string;
  /** Makes a text a link (OSC 8), where text has colours. */
  link(text: string, url: string): string;
}

const painted =
  (on: boolean, open: number, close: number) =>
  (text: string): string =>
    on && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export function styleOf(on: boolean): Style {
  return {
    bold: painted(on, 1, 22),
    faint: painted(on, 2, 22),
    green: painted(on, 32, 39),
    yellow: painted(on, 33, 39),
    red: painted(on, 31, 39),
    cyan: painted(on, 36, 39),
    link: (text, url) => (on ? `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\` : text),
  };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Decides about colours: FORCE_COLOR beats NO_COLOR (no-color.org), as in Node itself; without
 * both, terminals get colours.
 */
export function wantsColour(env: Environment, isTerminal: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR']) return false;
  return isTerminal && env['TERM'] !== 'dumb';
}
