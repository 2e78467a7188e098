/**
 * `models freeze|read`: freezes the evidence of sets of questions, and reads it with readers,
 * with or without a language model.
 */
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { InputError } from '../../src/core/errors.ts';
import { DEFAULTS } from '../../src/run/ask.ts';
import { openLanguageModel } from '../../src/session/language-model.ts';
import { ask } from '../../src/session/verbs.ts';
import { frozenOf, readFrozen, writeFrozen } from '../models/frozen-evidence.ts';
import { printReport } from '../models/print-report.ts';
import { openSet, type Purpose, type QuestionSet, SETS } from '../models/question-sets.ts';
import {
  type CascadeSettings,
  cascadeSettings,
  readAnswers,
  type Shown,
} from '../models/read-answers.ts';
import { record } from '../models/recorded.ts';

/** The strategy whose evidence is frozen. */
const STRATEGY = 'fact-lanes(tokens=510)';

export const command: Command = {
  positionals: [
    {
      name: 'STEP',
      summary:
        'freeze: keep the evidence; read: answer from it; record: keep a run for the report; report: print it without a model',
    },
  ],
  options: [
    { name: 'set', value: 'NAME', repeatable: true, summary: `${Object.keys(SETS).join(', ')}` },
    {
      name: 'for',
      value: 'PURPOSE',
      default: 'report',
      summary: 'report, or choose: questions on which prompts and weights are chosen',
    },
    { name: 'evidence', value: 'FILE', access: 'writes', summary: 'the frozen evidence' },
    { name: 'reader', value: 'NAME', repeatable: true, summary: 'readers to compare' },
    {
      name: 'shown',
      value: 'WHAT',
      default: 'own',
      summary: "own: a question's evidence; swapped: that of another",
    },
    { name: 'model', value: 'NAME', summary: 'the language model of readers that ask one' },
    { name: 'model-url', value: 'URL', summary: 'its address' },
    { name: 'cassette', value: 'FILE', access: 'writes', summary: 'its completions' },
    {
      name: 'weights',
      value: 'FILE',
      access: 'read',
      summary: 'those of the reader cascade, by learn cascade; the shipped ones if missing',
    },
    {
      name: 'sure',
      value: 'N',
      summary: 'probability from which cascade asks no model; above 1 it always does',
    },
    {
      name: 'out',
      value: 'FILE',
      access: 'writes',
      summary: 'one line an answer; a second run goes on',
    },
    { name: 'limit', value: 'N', summary: 'read asks the first questions of each set alone' },
  ],
  notes: [],
  examples: [
    {
      line: 'models freeze --set musique --evidence evidence.br',
      says: 'keep what fact-lanes finds',
    },
    {
      line: 'models read --set musique --reader combined-reader --evidence evidence.br --out answers.jsonl',
      says: 'answer from it',
    },
  ],
  run: runModels,
};

async function runModels(context: CommandContext): Promise<number> {
  const { positionals, options, env } = context;
  const names = options.texts('set').length > 0 ? options.texts('set') : Object.keys(SETS);
  const purpose = (options.text('for') ?? 'report') as Purpose;
  const folders = { data: env['MULTIHOP_DATA'] ?? '', cache: env['MULTIHOP_CACHE'] ?? '.cache' };
  const step = oneOf(['freeze', 'read', 'record', 'report'] as const, positionals[0]!);
  if (step === 'record')
    record(options.text('out')!, options.text('evidence')!, options.text('cassette')!);
  else if (step === 'report') await printReport(names, folders, env);
  else
    for (const name of names)
      await STEPS[step](name, await openSet(name, purpose, folders), context);
  return 0;
}

type Step = (name: string, set: QuestionSet, context: CommandContext) => Promise<void>;

const STEPS = { freeze, read } satisfies Record<string, Step>;

function oneOf<T extends string>(known: readonly T[], received: string): T {
  const found = known.find(each => each === received);
  if (found !== undefined) return found;
  throw new InputError('unknown-task', `Unknown step "${received}"`, {
    expected: known.join(', '),
  });
}

async function freeze(name: string, set: QuestionSet, context: CommandContext): Promise<void> {
  const file = context.options.text('evidence')!;
  const frozen = readFrozen(file);
  const known = (frozen[name] ??= {});
  for (const { id, text } of set.questions) {
    if (known[id]) continue;
    const how = { engine: set.engine, strategy: STRATEGY, reader: 'evidence-only', id };
    known[id] = frozenOf(await ask(text, how));
  }
  writeFrozen(file, frozen);
  context.output.line(`${name}: ${set.questions.length} questions`);
}

async function read(name: string, set: QuestionSet, context: CommandContext): Promise<void> {
  const { options, env, output } = context;
  const [model, cassette] = [options.text('model'), options.text('cassette')];
  const baseUrl = options.text('model-url');
  // A cassette may hold what the model takes minutes for on a busy machine.
  const opened = await openLanguageModel({ env, model, baseUrl, cassette, answerMs: 600_000 });
  try {
    await readAnswers(set, {
      set: name,
      readers: options.texts('reader'),
      cascade: cascadeOf(options),
      shown: (options.text('shown') ?? 'own') as Shown,
      limit: Number(options.text('limit') ?? Number.POSITIVE_INFINITY),
      frozen: readFrozen(options.text('evidence')!)[name] ?? {},
      model: opened.decorated?.model,
      out: options.text('out')!,
      say: line => output.note(line),
    });
  } finally {
    await opened.close();
  }
}

const cascadeOf = (options: CommandContext['options']): CascadeSettings =>
  cascadeSettings(options.text('weights'), Number(options.text('sure') ?? DEFAULTS.answerAt));
