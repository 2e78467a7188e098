/** Options that several commands share: each is declared once, with the reader of its value. */

import type { Filter } from '../core/corpus/filter.ts';
import { parseFilter } from '../core/corpus/filter-expression.ts';
import { InputError } from '../core/errors.ts';
import type { Budget } from '../core/trace/usage.ts';
import { checkAnswerAt } from '../readers/answer-at.ts';
import { DEFAULTS, usualReader } from '../run/ask.ts';
import { readSigner, type TraceSigner } from '../session/trace-signing.ts';
import { parseBudget, parseTotalBudget } from './budget.ts';
import { DEFAULT_STORE } from './default-store.ts';
import type { Option, OptionValues } from './option.ts';

export const STORE_OPTION: Option = {
  name: 'store',
  value: 'PLACE',
  access: 'read',
  default: DEFAULT_STORE,
  summary: 'the folder of the store, or the address of a server',
};

export const FILTER_OPTION: Option<Filter> = {
  name: 'filter',
  value: 'EXPR',
  summary: 'search only documents whose metadata match',
  read: parseFilter,
};

export const BUDGET_OPTION: Option<Budget> = {
  name: 'budget',
  value: 'LIMITS',
  summary: 'limits of the run, such as hops=3,documents=6,model-calls=8,usd=0.05,ms=2000',
  read: parseBudget,
};

/** For a command that runs many questions: `--budget` limits each of them. */
export const TOTAL_BUDGET_OPTION: Option<Budget> = {
  name: 'total-budget',
  value: 'LIMITS',
  summary:
    'limits on the language model over all questions together: usd=5,model-calls=2000,model-tokens=1000000',
  read: parseTotalBudget,
};

const STRATEGY_OPTION: Option = {
  name: 'strategy',
  value: 'NAME',
  default: DEFAULTS.strategy,
  summary: 'strategy, which decides what to search',
};

export const RETRIEVER_OPTION: Option = {
  name: 'retriever',
  value: 'NAME',
  default: DEFAULTS.retriever,
  summary: 'retriever of each search; see multihop list retrievers',
};

/** The members of a run. `more`: words about the strategy that only the command knows. */
export const memberOptions = (more: string): readonly Option[] => [
  { ...STRATEGY_OPTION, summary: `${STRATEGY_OPTION.summary}; ${more}` },
  RETRIEVER_OPTION,
  {
    name: 'context',
    value: 'NAME',
    default: DEFAULTS.context,
    summary: 'text of the evidence that the reader receives; see multihop list contexts',
  },
  {
    name: 'reader',
    value: 'NAME',
    default: `${DEFAULTS.reader}, or ${usualReader(true)} with a model`,
    summary: 'reader of the evidence; see multihop list readers',
  },
];

export const ANSWER_AT_OPTION: Option<number> = {
  name: 'answer-at',
  value: 'P',
  default: String(DEFAULTS.answerAt),
  summary:
    'least probability of being right, from 0 to 1, of an answer that is given; below it the evidence alone is shown',
  read: text => checkAnswerAt(text.trim() === '' ? Number.NaN : Number(text)),
};

export const FULL_TRACE_OPTION: Option = {
  name: 'full-trace',
  summary:
    'write every hit and rejection into the trace, as plain JSON; otherwise hits that no measure reads are counted, and what repeats is written once',
};

export const SIGN_OPTION: Option<TraceSigner> = {
  name: 'sign',
  value: 'KEYFILE',
  access: 'read',
  summary:
    'sign each trace with this Ed25519 private key in PEM; openssl genpkey -algorithm ed25519 -out KEYFILE makes one',
  read: readSigner,
};

/**
 * Reads the key of `--sign`; undefined without the option. Throws `InputError('missing-option')` if
 * none of `targets`, the options that say where traces go, is given, and what `readSigner` throws.
 */
export function signerOf(
  options: OptionValues,
  ...targets: readonly string[]
): TraceSigner | undefined {
  if (options.flag('sign') && !targets.some(name => options.flag(name)))
    throw new InputError('missing-option', 'There is no trace to sign', {
      expected: `--${targets.join(' or --')} beside --sign`,
      received: '--sign alone',
    });
  return options.get(SIGN_OPTION);
}
