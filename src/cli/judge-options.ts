/** The options that name the judge of an evaluation. */
import { SCRIPTED_JUDGE } from '../evaluation/scripted-judge.ts';
import type { JudgeOptions } from '../session/judge.ts';
import type { CommandContext, Option } from './command.ts';
import { answerTime } from './language-model-options.ts';
import { parsePrice } from './price-option.ts';
import { KEPT } from './written-files.ts';

export const JUDGE_OPTIONS: readonly Option[] = [
  {
    name: 'judge',
    value: 'NAME',
    summary: `decides for each answer if it matches gold: a language model, named as for --model, or ${SCRIPTED_JUDGE}, a rule`,
  },
  {
    name: 'judge-url',
    value: 'URL',
    summary: 'address of an openai-compatible judge; --model-url if missing',
  },
  { name: 'judge-price', value: 'PRICE', summary: 'price of the judge, as for --price' },
  {
    name: 'judge-cassette',
    value: 'FILE',
    access: { ...KEPT, onlyWith: 'judge' },
    summary: 'completions of the judge: recorded with --judge, replayed without it',
  },
  {
    name: 'judge-same',
    summary: 'allow the answering model to judge its own answers; the report says so',
  },
];

export const JUDGE_NOTE =
  'With --judge the report shows JudgeAccuracy beside the offline measures, their agreement and Cohen’s kappa, and the number of unreadable verdicts, which are left out and never counted as right or wrong. Equal answers to a question are judged once. --out writes the verdicts to verdicts.json, which multihop replay reads. --dry-run and --total-budget count the judge’s calls, --budget does not.';

/** Returns the judge that the options name. Throws `InputError('bad-price')`. */
export function judgeOptions(context: CommandContext): JudgeOptions {
  const { options, env, output } = context;
  return {
    env,
    model: options.text('judge'),
    baseUrl: options.text('judge-url') ?? options.text('model-url'),
    answerMs: answerTime(context),
    price: parsePrice(options.text('judge-price')),
    cassette: options.text('judge-cassette'),
    same: options.flag('judge-same'),
    notices: output,
  };
}
