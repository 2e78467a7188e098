/** Passes the lines of a chat to it, one after another, until they end. */
import { InputError, PortError } from '../../core/errors.ts';
import { errorDetails, exitCodeOf, messageOf, reportFailure } from '../failure.ts';
import type { Chat } from './chat.ts';
import type { Interrupts } from './interrupts.ts';
import type { QuestionLines } from './question-lines.ts';
import { runSlashCommand } from './slash-commands.ts';

export interface ChatLoop {
  readonly lines: QuestionLines;
  readonly interrupts: Interrupts;
  /** True where a user writes the lines and has seen each error: then the exit code is 0. */
  readonly isTerminal: boolean;
  readonly debug: boolean;
}

/** Exit codes from the least to the worst. */
const BY_WEIGHT: readonly number[] = [0, 3, 2, 1, 6, 5, 4, 130];

/** Returns the exit code: the worst of all lines of a pipe. Throws what reading a line throws. */
export async function runChat(chat: Chat, loop: ChatLoop): Promise<number> {
  const { signal } = loop.interrupts;
  let worst = 0;
  while (!signal.aborted) {
    const line = (await loop.lines.next())?.trim();
    if (line === undefined) break;
    if (line === '') continue;
    const code = await runLine(line, chat, loop);
    if (code === 'quit') break;
    if (BY_WEIGHT.indexOf(code) > BY_WEIGHT.indexOf(worst)) worst = code;
  }
  if (signal.aborted) return 130;
  return loop.isTerminal ? 0 : worst;
}

/** Reports what a line throws: the next line may be right. */
async function runLine(line: string, chat: Chat, loop: ChatLoop): Promise<number | 'quit'> {
  const { output } = chat;
  let heard = loop.interrupts.signal;
  try {
    if (line.startsWith('/')) return (await runSlashCommand(line, chat)) ? 'quit' : 0;
    if (!loop.isTerminal && !output.json) output.line(output.style.bold(`> ${line}`));
    const code = await loop.interrupts.run(signal => {
      heard = signal;
      return chat.ask(line, signal);
    });
    if (!output.json) output.line();
    return code;
  } catch (error) {
    return reportLine(line, error, { chat, loop, signal: heard });
  }
}

interface Failed {
  readonly chat: Chat;
  readonly loop: ChatLoop;
  /** The signal that the line was run with. */
  readonly signal: AbortSignal;
}

function reportLine(line: string, error: unknown, { chat, loop, signal }: Failed): number {
  const { output } = chat;
  const isKnown = InputError.is(error) || PortError.is(error);
  if (loop.isTerminal && isKnown) {
    output.error(output.noteStyle.red(messageOf(error)));
    return 0;
  }
  if (!output.json || line.startsWith('/') || !isKnown)
    return reportFailure(error, { output, signal, debug: loop.debug, name: 'multihop chat' });
  const exit = exitCodeOf(error, signal);
  const message = messageOf(error);
  output.record({
    question: { text: line },
    error: { ...errorDetails(error, exit), message },
    exit,
  });
  return exit;
}
