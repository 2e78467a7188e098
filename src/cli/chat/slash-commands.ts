/** The commands of a chat: lines that begin with a slash. */
import { writeFile } from 'node:fs/promises';
import { InputError, PortError } from '../../core/errors.ts';
import { didYouMean } from '../../core/naming/nearest.ts';
import type { Budget, LimitName } from '../../core/trace/usage.ts';
import { aboutDocument } from '../../session/evidence-view.ts';
import { TraceLines } from '../../session/trace-lines.ts';
import { strategies } from '../../strategies/strategies.ts';
import { limitOption, parseBudget } from '../budget.ts';
import { hopLines } from '../run-text.ts';
import { wrapBehind } from '../wrap.ts';
import type { Chat } from './chat.ts';
import { sourceLines } from './chat-answer.ts';
import type { FinishedRun } from './chat-run.ts';

interface SlashCommand {
  readonly name: string;
  /** Name of its argument in the help. */
  readonly value?: string;
  readonly summary: string;
  /** True if it prints text for people, which `--json` has no place for. */
  readonly prints?: boolean;
  run(chat: Chat, value: string): void | Promise<void>;
}

export const NOTE_ON_MEMORY =
  'A follow-up ("And when was it founded?") is asked as a question that stands alone: one call of the model writes it, without a model rules for pronouns do. It is shown before its answer; --json and the trace hold both. A question that names what it is about is asked as it is, and costs no call; the model also reads a question that may refer back, such as one without a name, and leaves it where it does not. Lines of a pipe refer to nothing before them unless --follow-ups is given. /new begins a new conversation.';

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'help', summary: 'list these commands', prints: true, run: help },
  { name: 'trace', summary: 'show the hops of the last run in full', prints: true, run: showTrace },
  {
    name: 'sources',
    summary: 'show the evidence of the last run with every text in full',
    prints: true,
    run: chat => printLines(chat, sourceLines(lastOf(chat), chat.output)),
  },
  {
    name: 'new',
    summary: 'forget the questions and answers so far',
    run: chat => {
      chat.forget();
      chat.output.note('A new conversation begins.');
    },
  },
  {
    name: 'strategy',
    value: 'NAME',
    summary: 'use another strategy; without NAME show the current strategy',
    run: setStrategy,
  },
  {
    name: 'budget',
    value: 'LIMITS',
    summary: 'limit each run, such as hops=3,documents=6; none for no limit',
    run: setBudget,
  },
  {
    name: 'save',
    value: 'FILE',
    summary: 'write the trace of the last run to a new file, for multihop verify-trace',
    run: saveTrace,
  },
  { name: 'quit', summary: 'end', run: () => {} },
];

/**
 * Runs a line that begins with a slash; returns true if it ends the chat. Throws `InputError` for
 * an unknown command, a wrong value, and where there is no run yet.
 */
export async function runSlashCommand(line: string, chat: Chat): Promise<boolean> {
  const [word = '', value = ''] = /^\/(\S*)\s*(.*)$/.exec(line)?.slice(1) ?? [];
  const command = SLASH_COMMANDS.find(({ name }) => name === word);
  if (!command) throw unknownCommand(word);
  if (command.value === undefined && value !== '')
    throw new InputError('bad-chat-command', `/${word} takes no value`, { received: `"${value}"` });
  if (command.prints && chat.output.json)
    throw new InputError('bad-chat-command', `/${word} prints text`, {
      hint: 'The record of each question holds its hops and its evidence.',
    });
  await command.run(chat, value.trim());
  return word === 'quit';
}

function unknownCommand(word: string): InputError {
  const names = SLASH_COMMANDS.map(({ name }) => `/${name}`);
  const near = didYouMean(`/${word}`, names);
  return new InputError('bad-chat-command', `Unknown command "/${word}"`, {
    expected: `one of ${names.join(', ')}`,
    hint: near || undefined,
  });
}

function help(chat: Chat): void {
  const { output } = chat;
  const usages = SLASH_COMMANDS.map(({ name, value }) =>
    value === undefined ? `/${name}` : `/${name} ${value}`,
  );
  const columns = Math.max(...usages.map(({ length }) => length)) + 4;
  for (const [at, { summary }] of SLASH_COMMANDS.entries())
    for (const line of wrapBehind(`  ${usages[at]!.padEnd(columns - 2)}`, summary, output.width))
      output.line(line);
  output.line();
  for (const line of wrapBehind('', NOTE_ON_MEMORY, output.width)) output.line(line);
}

function showTrace(chat: Chat): void {
  const { trace, documents } = lastOf(chat);
  const { text: question } = trace.question;
  const about = (id: string) => aboutDocument(documents.get(id)!);
  printLines(
    chat,
    trace.hops.flatMap((hop, index) => hopLines(index, hop, about, chat.output, question)),
  );
}

function setStrategy(chat: Chat, name: string): void {
  const strategy = name === '' ? chat.settings.strategy : strategies.create(name).name;
  chat.settings = { ...chat.settings, strategy };
  chat.output.note(`Strategy: ${strategy}`);
}

function setBudget(chat: Chat, limits: string): void {
  if (limits !== '')
    chat.settings = { ...chat.settings, budget: limits === 'none' ? {} : parseBudget(limits) };
  chat.output.note(`Budget: ${budgetText(chat.settings.budget)}`);
}

function budgetText(budget: Budget): string {
  const limits = Object.entries(budget) as readonly [LimitName, number][];
  if (limits.length === 0) return 'none';
  return limits.map(([name, amount]) => `${limitOption(name)}=${amount}`).join(',');
}

/** Writes no file over: a pipe of questions may come from somebody else. */
async function saveTrace(chat: Chat, path: string): Promise<void> {
  if (path === '') throw new InputError('bad-chat-command', '/save', { expected: '/save FILE' });
  const text = sealedLines(lastOf(chat)).join('');
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new InputError('file-exists', `There is a file "${path}" already`, {
        expected: 'a name that is free',
      });
    throw new PortError('trace', 'trace-not-writable', `The trace "${path}" cannot be written`, {
      received: (error as Error).message,
      cause: error,
    });
  }
  chat.output.note(`Trace: ${path}`);
}

function sealedLines({ events }: FinishedRun): string[] {
  const written: string[] = [];
  const lines = new TraceLines(undefined, { listen: line => written.push(`${line}\n`) });
  for (const event of events) lines.add(event);
  lines.seal();
  return written;
}

function printLines({ output }: Chat, lines: readonly string[]): void {
  for (const line of lines) output.line(line);
}

function lastOf({ last }: Chat): FinishedRun {
  if (last) return last;
  throw new InputError('no-run-yet', 'No question was asked yet', { expected: 'a question first' });
}
