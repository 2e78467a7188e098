/**
 * Knows to which origins the user lets a file, a configuration or the record of a store, have texts
 * sent: those of `MULTIHOP_ALLOWED_ORIGINS`, and those to which the user said yes at the terminal,
 * remembered for the file in the user's own folder.
 */
import { closeSync, fstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseJson } from '../core/text/bounded-json.ts';
import { monotonicClock } from '../platform/clock.ts';
import { openRegularNow } from '../platform/regular-file.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { allowedOrigins } from '../providers/environment-key.ts';
import type { Terminal } from './command.ts';
import type { Output } from './output.ts';
import type { Environment } from './style.ts';
import { terminalText } from './terminal-text.ts';
import { isOwn, settingsFolder } from './user-folder.ts';

export const CONSENT_FILE = 'allowed-addresses.json';

type Remembered = Readonly<Record<string, readonly string[]>>;

export interface ConsentOptions {
  readonly env: Environment;
  readonly output: Output;
  /** Missing where nobody can be asked. */
  readonly terminal?: Terminal | undefined;
}

export class AddressConsent {
  private readonly env: Environment;
  private readonly output: Output;
  private readonly terminal: Terminal | undefined;
  private readonly path: string;
  /** Milliseconds in which the user was asked, which no time limit counts. */
  waitedMs = 0;

  constructor({ env, output, terminal }: ConsentOptions) {
    this.env = env;
    this.output = output;
    this.terminal = output.json ? undefined : terminal;
    this.path = join(settingsFolder(env), CONSENT_FILE);
  }

  /** Returns the origins that the user has not allowed for the file. */
  missing(file: string, origins: readonly string[]): string[] {
    const allowed = [...allowedOrigins(this.env), ...this.remembered(file)];
    return [...new Set(origins)].filter(origin => !allowed.includes(origin));
  }

  /** Returns the environment with the origins that the user allows for the file. */
  environment(file: string): Environment {
    const origins = [this.env['MULTIHOP_ALLOWED_ORIGINS'] ?? '', ...this.remembered(file)];
    return { ...this.env, MULTIHOP_ALLOWED_ORIGINS: origins.join(' ') };
  }

  private remembered(file: string): readonly string[] {
    const all = this.read();
    const key = keyOf(file);
    return Object.hasOwn(all, key) ? all[key]! : [];
  }

  /** Asks at the terminal, and remembers a yes; returns false without a terminal. */
  async ask(file: string, origins: readonly string[], what: string): Promise<boolean> {
    if (!this.terminal) return false;
    const question = `${what} Allow ${origins.join(' and ')} for this file from now on? [y/N] `;
    const began = monotonicClock();
    const answer = await answerTo(terminalText(question, false), this.terminal);
    this.waitedMs += monotonicClock() - began;
    if (!/^\s*y(?:es)?\s*$/i.test(answer)) return false;
    this.remember(file, origins);
    return true;
  }

  private remember(file: string, origins: readonly string[]): void {
    const key = keyOf(file);
    const all = { ...this.read(), [key]: [...new Set([...this.remembered(file), ...origins])] };
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      replaceFile(this.path, `${JSON.stringify({ allowed: all }, undefined, 2)}\n`, 0o600);
    } catch (error) {
      this.output.warn(`The answer is not remembered: ${(error as Error).message}`);
    }
  }

  private read(): Remembered {
    try {
      const { file } = openRegularNow(this.path);
      try {
        const text = isOwn(fstatSync(file)) ? readFileSync(file, 'utf8') : '{}';
        return readRemembered(parseJson(text));
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.output.warn(`Cannot read ${this.path}: ${(error as Error).message}`);
      return {};
    }
  }
}

/** Returns no entry that is not a list of texts. */
function readRemembered(value: unknown): Remembered {
  const { allowed } = (value ?? {}) as { readonly allowed?: unknown };
  const entries = Object.entries((allowed ?? {}) as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.filter(
      ([, list]) => Array.isArray(list) && list.every(origin => typeof origin === 'string'),
    ) as [string, string[]][],
  );
}

/** One name of a file, whatever links lead to it. */
function keyOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** The terminal stays as it is, so that Ctrl-C ends the process. The end of the input is no. */
function answerTo(question: string, { input, output }: Terminal): Promise<string> {
  const lines = createInterface({ input, output, terminal: false });
  return new Promise(resolve => {
    lines.on('close', () => resolve(''));
    lines.question(question, answer => {
      resolve(answer);
      lines.close();
    });
  });
}
