/** The options that name the judge of an evaluation. */
import { SCRIPTED_JUDGE } from '../evaluation/scripted-judge.ts';
import type { JudgeOptions } from '../experiments/judge.ts';
import type { GivenPrice } from '../session/model-price.ts';
import type { CommandContext } from './command.ts';
import {
  answerTime,
  MODEL_OPTION_OPTION,
  PRICE_OPTION,
  replyRoom,
  requestOptions,
} from './model-options.ts';
import type { Option } from './option.ts';

export const JUDGE_PRICE_OPTION: Option<GivenPrice> = {
  ...PRICE_OPTION,
  name: 'judge-price',
  summary: 'price of the judge, as for --price',
};

const JUDGE_OPTION_OPTION: Option<readonly [string, unknown]> = {
  ...MODEL_OPTION_OPTION,
  name: 'judge-option',
  summary: 'further field of each request to the judge, as for --model-option',
};

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
  JUDGE_OPTION_OPTION,
  JUDGE_PRICE_OPTION,
  {
    name: 'judge-cassette',
    value: 'FILE',
    access: 'keeps',
    writesWith: 'judge',
    summary: 'file of replies of the judge: recorded with --judge, replayed without it',
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
    room: replyRoom(context),
    modelOptions: requestOptions(context, JUDGE_OPTION_OPTION.name),
    price: options.get(JUDGE_PRICE_OPTION),
    cassette: options.text('judge-cassette'),
    same: options.flag('judge-same'),
    notices: output,
  };
}
