/**
 * The judge that an evaluation names: a language model other than the one that answers, or the
 * script that stands in for one.
 */
import { type Judge, judgeBy } from '../../evaluation/judge.ts';
import { SCRIPTED_JUDGE, scriptedJudge } from '../../evaluation/scripted-judge.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { CommandContext, Option } from './command.ts';
import { type DecoratedModel, decorateModel, type TotalBudget } from './decorated-model.ts';

export const JUDGE_OPTIONS: readonly Option[] = [
  {
    name: 'judge',
    value: 'NAME',
    summary: `who says of each answer whether it matches gold: a language model, as of --model, or ${SCRIPTED_JUDGE}, a rule in its place`,
  },
  {
    name: 'judge-url',
    value: 'URL',
    summary: 'where an openai-compatible judge is asked; --model-url when missing',
  },
  { name: 'judge-price', value: 'PRICE', summary: 'what the judge costs, as of --price' },
  {
    name: 'judge-cassette',
    value: 'FILE',
    summary: 'what the judge said: recorded with --judge, replayed without',
  },
  { name: 'judge-same', summary: 'the judge may be the model that answers; the report says so' },
];

export const JUDGE_NOTE =
  'With --judge the report shows JudgeAccuracy beside the offline measures, their agreement and Cohen’s kappa, and how many verdicts could not be read: those are left out, never taken for right or wrong. Equal answers to a question are judged once. --out keeps the verdicts in verdicts.json, which multihop replay reads. --dry-run and --total-budget count the judge’s calls, --budget does not.';

interface Closing {
  close?(): Promise<void>;
}

export interface OpenJudge {
  readonly judge: Judge;
  readonly decorated: DecoratedModel;
  close(): Promise<void>;
}

export interface OpenJudgeOptions {
  /** The id of the model of `--model` or of the cassette. */
  readonly answering: string | undefined;
  /** The folder where completions are kept. */
  readonly cache: string | undefined;
  readonly total: TotalBudget;
}

/**
 * Undefined without `--judge` and `--judge-cassette`. Throws `InputError`: a name that is none, or
 * the model that answers.
 */
export async function openJudge(
  { options, env, output }: CommandContext,
  { answering, cache, total }: OpenJudgeOptions,
): Promise<OpenJudge | undefined> {
  const name = options.text('judge');
  const scripted = name === SCRIPTED_JUDGE;
  const provider: (LanguageModel & Closing) | undefined = scripted
    ? scriptedJudge()
    : name === undefined
      ? undefined
      : await resolved(name, options, env);
  const judgeOptions = { answering, same: options.flag('judge-same'), scripted };
  // Before anything is opened for it.
  if (provider) judgeBy(provider, judgeOptions);
  const given = { price: options.text('judge-price'), cassette: options.text('judge-cassette') };
  // A rule costs nothing and needs no recording.
  const decorated = await decorateModel(
    provider,
    output,
    scripted ? {} : { ...given, name, cache, total },
  );
  return (
    decorated && {
      judge: judgeBy(decorated.model, judgeOptions),
      decorated,
      async close() {
        await decorated.close();
        await provider?.close?.();
      },
    }
  );
}

async function resolved(
  name: string,
  options: CommandContext['options'],
  env: CommandContext['env'],
): Promise<LanguageModel & Closing> {
  const { resolveLanguageModel } = await import('../providers/resolve-model.ts');
  const answerMs = 1000 * options.integer('model-timeout', 90);
  return resolveLanguageModel(name, {
    env,
    baseUrl: options.text('judge-url') ?? options.text('model-url'),
    answerMs,
  });
}
