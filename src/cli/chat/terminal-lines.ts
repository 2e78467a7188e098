/** Reads the lines of a chat at a prompt of a terminal, with history and completion. */
import { createInterface, type Interface } from 'node:readline/promises';
import { strategies } from '../../strategies/strategies.ts';
import type { Terminal } from '../command.ts';
import type { QuestionLines } from './question-lines.ts';
import { SLASH_COMMANDS } from './slash-commands.ts';

export const PROMPT = '> ';

export class TerminalLines implements QuestionLines {
  private readonly readline: Interface;
  /** Lines that were written before somebody asked for them. */
  private readonly ahead: string[] = [];
  private waiting: ((line: string | undefined) => void) | undefined;
  private ended = false;
  private readonly echo: (line: string) => void;

  /**
   * The terminal is raw until `close`: Ctrl-C is no signal but calls `onInterrupt`. `echo` shows a
   * line that was written ahead, where it is answered.
   */
  constructor(
    { input, output }: Terminal,
    { onInterrupt, echo }: { onInterrupt(): void; echo(line: string): void },
  ) {
    this.echo = echo;
    const completer = async (line: string): Promise<[string[], string]> => completionsOf(line);
    this.readline = createInterface({ input, output, terminal: true, prompt: PROMPT, completer });
    this.readline.on('SIGINT', onInterrupt);
    this.readline.on('line', line => this.take(line));
    this.readline.on('close', () => {
      this.ended = true;
      // The prompt has no line end yet.
      if (this.waiting) output.write('\n');
      this.take(undefined);
    });
  }

  next(): Promise<string | undefined> {
    const line = this.ahead.shift();
    if (line !== undefined) {
      this.echo(`${PROMPT}${line}`);
      return Promise.resolve(line);
    }
    if (this.ended) return Promise.resolve(undefined);
    this.readline.prompt(true);
    return new Promise(resolve => {
      this.waiting = resolve;
    });
  }

  close(): void {
    this.readline.close();
  }

  private take(line: string | undefined): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    if (waiting) waiting(line);
    else if (line !== undefined) this.ahead.push(line);
  }
}

/** Completes commands, and names of strategies behind `/strategy`. */
export function completionsOf(line: string): [completions: string[], completed: string] {
  const strategy = /^\/strategy\s+(\S*)$/.exec(line)?.[1];
  const names =
    strategy === undefined
      ? SLASH_COMMANDS.map(({ name }) => `/${name}`)
      : strategies.members.map(({ name }) => name);
  const completed = strategy ?? line;
  if (completed === '' && strategy === undefined) return [[], line];
  return [names.filter(name => name.startsWith(completed)), completed];
}
