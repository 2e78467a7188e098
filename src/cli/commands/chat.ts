/** `multihop chat`: asks a store one question after another, with their hops as they come. */

import { readers } from '../../readers/readers.ts';
import { DEFAULTS, usualReader } from '../../run/ask.ts';
import { namesModel } from '../../session/language-model.ts';
import { strategies } from '../../strategies/strategies.ts';
import { Chat, type ChatSettings } from '../chat/chat.ts';
import { runChat } from '../chat/chat-loop.ts';
import { Interrupts } from '../chat/interrupts.ts';
import { pipedLines, type QuestionLines } from '../chat/question-lines.ts';
import { NOTE_ON_MEMORY, SLASH_COMMANDS } from '../chat/slash-commands.ts';
import { TerminalLines } from '../chat/terminal-lines.ts';
import type { Command, CommandContext } from '../command.ts';
import {
  EMBEDDER_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  LANGUAGE_MODEL_OPTIONS,
  RERANKER_URL_OPTION,
  STORED_URL_OPTION,
} from '../model-options.ts';
import { openSession, SERVER_NOTE, warnOfEmpty } from '../open-session.ts';
import {
  ANSWER_AT_OPTION,
  BUDGET_OPTION,
  FILTER_OPTION,
  memberOptions,
  STORE_OPTION,
  TOTAL_BUDGET_OPTION,
} from '../options.ts';
import { warnOfUnaskedModel } from '../unasked-model.ts';

export const command: Command = {
  positionals: [],
  options: [
    STORE_OPTION,
    ...memberOptions('/strategy changes it'),
    ANSWER_AT_OPTION,
    FILTER_OPTION,
    {
      ...BUDGET_OPTION,
      summary: 'limits of each run, such as hops=3,documents=6; /budget changes them',
    },
    EMBEDDER_OPTION,
    STORED_URL_OPTION,
    RERANKER_URL_OPTION,
    EMBEDDER_TIMEOUT_OPTION,
    ...LANGUAGE_MODEL_OPTIONS,
    TOTAL_BUDGET_OPTION,
  ],
  examples: [
    { line: 'multihop chat --store notes.store', says: 'questions at a prompt' },
    {
      line: 'multihop chat --store notes.store < questions.txt',
      says: 'a question on each line, answered in order',
    },
    {
      line: 'multihop chat --store notes.store --json < questions.txt > answers.jsonl',
      says: 'a JSON record on each line',
    },
  ],
  notes: [
    SERVER_NOTE,
    `Lines that begin with a slash are commands, in a pipe too: ${SLASH_COMMANDS.map(({ name }) => `/${name}`).join(', ')}. /help says what they do. /save writes no file over.`,
    NOTE_ON_MEMORY,
    'Answers go to stdout, hops to stderr. Ctrl-C during a run ends it with what it has found; at the prompt it ends the chat, and so does Ctrl-D. In a pipe it ends the chat after the run.',
    'The exit code of a pipe is the worst of its lines, those of multihop ask; at a prompt it is 0.',
    '--json prints one record a question, on one line: the object of multihop ask --json, with followUp: { asked, by, turns, of, cut, unsure, outputs, spent } of a follow-up, or { question: { text }, error: { code, message }, exit }.',
  ],
  // A run ends with what it has, which the reader still reads.
  graceMs: 10_000,
  run: chat,
};

async function chat(context: CommandContext): Promise<number> {
  const { output, signal, env } = context;
  const settings = settingsOf(context);
  const session = await openSession(context);
  const interrupts = new Interrupts(signal, () => lines?.close());
  let lines: QuestionLines | undefined;
  try {
    await session.ready();
    const { documents } = await session.state();
    warnOfEmpty(session, documents, output);
    context.listen();
    if (isTerminal(context)) output.note(greeting(session.label, documents, settings));
    lines = linesOf(context, interrupts);
    const debug = Boolean(env['MULTIHOP_DEBUG']);
    const loop = { lines, interrupts, isTerminal: isTerminal(context), debug };
    return await runChat(new Chat(session, settings, output), loop);
  } finally {
    lines?.close();
    const closed = session[Symbol.asyncDispose]();
    // A model that is being opened does not hold up whoever leaves.
    if (interrupts.signal.aborted) closed.catch(() => {});
    else await closed;
  }
}

/** `--json` prints records, also of lines that are written by hand. */
const isTerminal = ({ terminal, output }: CommandContext): boolean =>
  terminal !== undefined && !output.json;

function linesOf(context: CommandContext, interrupts: Interrupts): QuestionLines {
  const { terminal, stdin, output } = context;
  if (!terminal || !isTerminal(context)) return pipedLines(stdin, interrupts.signal);
  const lines = new TerminalLines(terminal, {
    onInterrupt: () => interrupts.interrupt(),
    echo: line => output.line(line),
  });
  interrupts.signal.addEventListener('abort', () => lines.close(), { once: true });
  return lines;
}

function greeting(place: string, documents: number, { strategy }: ChatSettings): string {
  const count = `${documents} ${documents === 1 ? 'document' : 'documents'}`;
  return `${place}: ${count}, asked by ${strategy}. /help lists commands, Ctrl-D ends.`;
}

/** Throws `InputError` for unknown names, before the store is opened. */
function settingsOf({ options, output }: CommandContext): ChatSettings {
  const { name: strategy } = strategies.create(options.text('strategy') ?? DEFAULTS.strategy);
  const [model, cassette] = [options.text('model'), options.text('cassette')];
  const reader = options.text('reader');
  const members = {
    strategy: strategies.create(strategy),
    reader: readers.create(reader ?? usualReader(namesModel({ model, cassette }))),
  };
  warnOfUnaskedModel(model, [members], output, { rewrites: true });
  return {
    strategy,
    reader,
    budget: options.get(BUDGET_OPTION) ?? {},
    retriever: options.text('retriever'),
    context: options.text('context'),
    answerAt: options.get(ANSWER_AT_OPTION),
    filter: options.get(FILTER_OPTION),
  };
}
