/**
 * Knows to which origins the user lets a file, a configuration or the record of a store, have texts
 * sent: those of `MULTIHOP_ALLOWED_ORIGINS`, and those to which the user said yes at the terminal,
 * remembered for the file in the user's own folder.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseJson } from '../core/text/bounded-json.ts';
import { monotonicClock } from '../platform/clock.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { allowedOrigins } from '../providers/environment-key.ts';
import type { Terminal } from './command.ts';
import type { Output } from './output.ts';
import type { Environment } from './style.ts';
import { terminalText } from './terminal-text.ts';
import { ownText, settingsFolder } from './user-folder.ts';

type Remembered = Readonly<Record<string, readonly string[]>>;

export class Consent {
  private readonly env: Environment;
  private readonly output: Output;
  private readonly terminal: Terminal | undefined;
  private readonly path: string;
  /** Milliseconds in which the user was asked, which no time limit counts. */
  waitedMs = 0;

  /** Without a terminal nobody can be asked. */
  constructor(env: Environment, output: Output, terminal: Terminal | undefined) {
    this.env = env;
    this.output = output;
    this.terminal = output.json ? undefined : terminal;
    this.path = join(settingsFolder(env), 'allowed-addresses.json');
  }

  /**
   * Returns the origins that the user does not allow for the file, asked now if there is a
   * terminal. `what` says where they stand.
   */
  async refused(file: string, origins: readonly string[], what: string): Promise<string[]> {
    const allowed = [...allowedOrigins(this.env), ...this.remembered(file)];
    const missing = [...new Set(origins)].filter(origin => !allowed.includes(origin));
    if (missing.length === 0 || !(await this.isYes(missing, what))) return missing;
    this.remember(file, missing);
    return [];
  }

  /** Returns the environment with the origins that the user allows for the file. */
  environment(file: string): Environment {
    const origins = [this.env['MULTIHOP_ALLOWED_ORIGINS'] ?? '', ...this.remembered(file)];
    return { ...this.env, MULTIHOP_ALLOWED_ORIGINS: origins.join(' ') };
  }

  private async isYes(origins: readonly string[], what: string): Promise<boolean> {
    if (!this.terminal) return false;
    const sent = `${what}, where texts would be sent.`;
    const question = `${sent} Allow ${origins.join(' and ')} for this file from now on? [y/N] `;
    const began = monotonicClock();
    const answer = await answerTo(terminalText(question, false), this.terminal);
    this.waitedMs += monotonicClock() - began;
    return /^\s*y(?:es)?\s*$/i.test(answer);
  }

  private remembered(file: string): readonly string[] {
    const [all, key] = [this.read(), keyOf(file)];
    return Object.hasOwn(all, key) ? all[key]! : [];
  }

  private remember(file: string, origins: readonly string[]): void {
    const allowed = {
      ...this.read(),
      [keyOf(file)]: [...new Set([...this.remembered(file), ...origins])],
    };
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      replaceFile(this.path, `${JSON.stringify({ allowed }, undefined, 2)}\n`, 0o600);
    } catch (error) {
      this.output.warn(`The answer is not remembered: ${(error as Error).message}`);
    }
  }

  /** Leaves out entries that are no list of texts. */
  private read(): Remembered {
    try {
      const value = parseJson(ownText(this.path) ?? '{}') as { allowed?: object } | null;
      const entries = Object.entries(value?.allowed ?? {}).filter(
        ([, list]) => Array.isArray(list) && list.every(origin => typeof origin === 'string'),
      );
      return Object.fromEntries(entries);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.output.warn(`Cannot read ${this.path}: ${(error as Error).message}`);
      return {};
    }
  }
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
