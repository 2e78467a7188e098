/** `multihop chat`: asks a store one question after another, with their hops as they come. */

import { readers } from '../../readers/readers.ts';
import { DEFAULTS, usualReader } from '../../run/ask.ts';
import { namesModel } from '../../session/language-model.ts';
import { modelPrice } from '../../session/model-price.ts';
import { strategies } from '../../strategies/strategies.ts';
import { Chat, type ChatSettings } from '../chat/chat.ts';
import { runChat } from '../chat/chat-loop.ts';
import { Interrupts } from '../chat/interrupts.ts';
import { pipedLines, type QuestionLines } from '../chat/question-lines.ts';
import { NOTE_ON_MEMORY, SLASH_COMMANDS } from '../chat/slash-commands.ts';
import { TerminalLines } from '../chat/terminal-lines.ts';
import type { Command, CommandContext } from '../command.ts';
import { DRY_RUN_OPTION, printDryRun } from '../dry-run.ts';
import { costAhead } from '../model-cost.ts';
import {
  EMBEDDER_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  LANGUAGE_MODEL_OPTIONS,
  PRICE_OPTION,
  RERANKER_URL_OPTION,
  STORED_URL_OPTION,
} from '../model-options.ts';
import { openSession, SERVER_NOTE, warnOfEmpty } from '../open-session.ts';
import type { Option } from '../option.ts';
import {
  ANSWER_AT_OPTION,
  BUDGET_OPTION,
  FILTER_OPTION,
  memberOptions,
  STORE_OPTION,
  TOTAL_BUDGET_OPTION,
} from '../options.ts';
import { type AskingMembers, warnOfUnaskedModel } from '../unasked-model.ts';

const FOLLOW_UPS_OPTION: Option = {
  name: 'follow-ups',
  summary: 'let a line of a pipe refer to the lines before it, as one at a prompt does',
};

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
    FOLLOW_UPS_OPTION,
    DRY_RUN_OPTION,
  ],
  common: 'store model strategy answer-at filter budget total-budget follow-ups json',
  examples: [
    { line: 'multihop chat --store notes.store', says: 'questions at a prompt' },
    {
      line: 'multihop chat --store notes.store < questions.txt',
      says: 'a question on each line, each on its own',
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
    'With --model the chat begins with what a question takes at most and usually: calls, tokens, and US dollars where the price is known. Behind each answer stands what it took, with the tokens that the model knew from before.',
    'Answers go to stdout, hops to stderr. Ctrl-C during a run ends it with what it has found; at the prompt it ends the chat, and so does Ctrl-D. In a pipe it ends the chat after the run.',
    'The exit code of a pipe is the worst of its lines, those of multihop ask; at a prompt it is 0.',
    '--json prints one record a question, on one line: the object of multihop ask --json, with followUp: { asked, by, turns, of, cut, unsure, outputs, spent } of a follow-up, or { question: { text }, error: { code, message }, exit }.',
  ],
  // A run ends with what it has, which the reader still reads.
  graceMs: 10_000,
  run: chat,
};

async function chat(context: CommandContext): Promise<number> {
  const { output, signal, env, options } = context;
  const settings = settingsOf(context);
  if (options.flag('dry-run')) return dryRun(context, settings);
  const session = await openSession(context);
  const interrupts = new Interrupts(signal, () => lines?.close());
  let lines: QuestionLines | undefined;
  try {
    await session.ready();
    const { documents } = await session.state();
    warnOfEmpty(session, documents, output);
    context.listen();
    if (isTerminal(context)) {
      output.note(greeting(session.label, documents, settings));
      const cost = costAhead(context, membersOf(settings, options), {
        budget: settings.budget,
        followUps: true,
      });
      if (cost !== undefined) output.note(cost);
    }
    lines = linesOf(context, interrupts);
    const debug = Boolean(env['MULTIHOP_DEBUG']);
    const isConversation = context.terminal !== undefined || options.flag('follow-ups');
    const loop = { lines, interrupts, isTerminal: isTerminal(context), debug };
    return await runChat(new Chat(session, settings, output, isConversation), loop);
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
  const model = options.text('model');
  const reader = options.text('reader');
  const members = membersOf({ strategy, reader }, options);
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

const membersOf = (
  { strategy, reader }: Pick<ChatSettings, 'strategy' | 'reader'>,
  options: CommandContext['options'],
): AskingMembers => ({
  strategy: strategies.create(strategy),
  reader: readers.create(
    reader ??
      usualReader(namesModel({ model: options.text('model'), cassette: options.text('cassette') })),
  ),
});

/** Prints the estimate of a follow-up, which takes most, from names alone; opens nothing. */
function dryRun({ options, output }: CommandContext, settings: ChatSettings): number {
  const { strategy, reader } = membersOf(settings, options);
  const { budget } = settings;
  const model = options.text('model');
  const price = modelPrice(options.get(PRICE_OPTION), model === undefined ? [] : [model]);
  const id = `${strategy.name}, read by ${reader.name}`;
  const rows = [{ id, strategy, reader, budget, followUps: true }];
  const total = options.get(TOTAL_BUDGET_OPTION) ?? {};
  printDryRun({ rows, questions: 1, model, price, total }, output);
  return 0;
}
