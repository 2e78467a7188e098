/**
 * The judge: a language model that says of each answer whether it matches gold, as records that
 * measures read.
 *
 * In the longitudinal study the judge is the answering model itself; ours is another one unless the
 * caller insists, because models favour their own words. A reply that cannot be read is a separate
 * record, neither right nor wrong.
 */
import { defined } from '../core/defined.ts';
import { InputError, PortError } from '../core/errors.ts';
import { DATA_RULE, passagesAsData } from '../core/text/passages-as-data.ts';
import { BudgetReached, type Call } from '../core/trace/call.ts';
import { jsonIn } from '../models/json-in-text.ts';
import type { LanguageModel, Message } from '../models/language-model.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { FLAG, type NamedSchema, objectOf, TEXT } from '../models/reply-schema.ts';
import { LONGEST_ANSWER } from '../models/short-answer.ts';
import { withoutThinking } from '../models/thoughts.ts';
import type { Example, Verdict } from './example.ts';

export interface Judge {
  /** Id in verdicts and measures. */
  readonly id: string;
  /** For the manifest and the report. */
  readonly about: { readonly scripted?: true; readonly answersToo?: true };
  verdict(example: Example, answer: string, call: Call): Promise<Verdict>;
}

const LONGEST_REASON = 200;
const VERDICT_TOKENS = 200;
/** Tokens of a verdict with a short reason, and characters of a short answer. */
const USUAL_VERDICT = 40;
const USUAL_ANSWER = 40;
/** Characters that are searched for a verdict that is no JSON. */
const LONGEST_TEXT = 10_000;
const VERDICT: NamedSchema = objectOf('verdict', {
  match: FLAG,
  reason: { ...TEXT, maxLength: LONGEST_REASON },
});

export interface JudgeOptions {
  /** The id of the model that answers, where one does. */
  readonly answering?: string | undefined;
  /** A model may judge its own answers. */
  readonly same?: boolean;
  /** It is a script, no model. */
  readonly scripted?: boolean;
}

/**
 * Throws `InputError('judge-answers-too')` where the model is the one that answers, unless `same`
 * says that this is meant.
 */
export function judgeBy(
  model: LanguageModel,
  { answering, same = false, scripted = false }: JudgeOptions = {},
): Judge {
  const answersToo = model.id === answering;
  if (answersToo && !same)
    throw new InputError('judge-answers-too', `The judge "${model.id}" is the model that answers`, {
      expected: 'another model',
      hint: 'Models favour their own answers. With same: true it judges all the same, and the report says so.',
      remedy: { id: 'judge-same' },
    });
  return {
    id: model.id,
    about: defined<Judge['about']>({
      scripted: scripted || undefined,
      answersToo: answersToo || undefined,
    }),
    verdict: (example, answer, call) => verdictOf(model, example, answer, call),
  };
}

async function verdictOf(
  model: LanguageModel,
  example: Example,
  answer: string,
  call: Call,
): Promise<Verdict> {
  const about = { judge: model.id, question: example.id, answer };
  try {
    const prompt = {
      role: 'judge',
      messages: judgeMessages(example, answer),
      maxTokens: VERDICT_TOKENS,
      temperature: 0,
    };
    const { text } = await model.generate({ ...prompt, schema: VERDICT }, call);
    const read = readVerdict(text);
    return read ? { ...about, ...read } : { ...about, missing: 'unparsed', ...reasonOf(text) };
  } catch (error) {
    if (PortError.is(error)) return { ...about, missing: 'failed', ...reasonOf(error.message) };
    if (error instanceof BudgetReached) return { ...about, missing: 'budget' };
    throw error;
  }
}

/**
 * One call for each different answer to a question. Answers are short but may be long, so the
 * largest prompt is not the usual prompt.
 */
export function judgeCalls(examples: readonly Example[]): PlannedCalls {
  const tokens = (answer: string): number[] =>
    examples.map(example =>
      promptTokens({ messages: judgeMessages(example, answer), schema: VERDICT }),
    );
  const usual = tokens('x'.repeat(USUAL_ANSWER));
  return {
    role: 'judge',
    atMost: 1,
    completionTokens: VERDICT_TOKENS,
    promptTokens: Math.max(0, ...tokens('x'.repeat(LONGEST_ANSWER))),
    expected: {
      promptTokens: Math.ceil(
        usual.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, usual.length),
      ),
      completionTokens: USUAL_VERDICT,
    },
  };
}

/**
 * Question, accepted answers and the answer that is judged, as data: what is judged must not be
 * able to plead.
 */
export function judgeMessages({ question, answers }: Example, answer: string): Message[] {
  const data = [
    { title: 'Question', text: question.text },
    { title: 'Accepted answer', text: answers.join(' | ') },
    { title: 'Generated answer', text: answer.slice(0, LONGEST_ANSWER) },
  ];
  return [
    {
      role: 'system',
      text: `You grade answers. match is true if the generated answer gives the accepted answer (any one of those between |) to the question, in whatever words; false if it gives another, more than one, or none. An answer that says that the information is insufficient matches only an accepted answer that says so.\n${DATA_RULE}\nReply with JSON alone: {"match": true or false, "reason": "at most ${LONGEST_REASON} characters"}`,
    },
    { role: 'user', text: passagesAsData(data) },
  ];
}

/**
 * The `match` of a JSON object, else the first true or false that stands alone; undefined for
 * anything else. An object without a
 * `match` is no verdict, and "true or false" is what was asked, not what was found.
 */
export function readVerdict(
  text: string,
): { readonly match: boolean; readonly reason?: string } | undefined {
  const json = jsonIn(text)?.value;
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    const { match, reason } = json as { match?: unknown; reason?: unknown };
    const said =
      typeof match === 'boolean' ? match : typeof match === 'string' ? truthOf(match) : undefined;
    return said === undefined
      ? undefined
      : { match: said, ...(typeof reason === 'string' ? reasonOf(reason) : {}) };
  }
  const match = truthOf(withoutThinking(text).slice(0, LONGEST_TEXT));
  return match === undefined ? undefined : { match };
}

function truthOf(text: string): boolean | undefined {
  const word = /(?<![\p{L}\p{N}_])(?:true|false)(?![\p{L}\p{N}_])/iu
    .exec(text.replaceAll(/true or false/gi, ''))?.[0]
    .toLowerCase();
  return word === undefined ? undefined : word === 'true';
}

function reasonOf(text: string): { reason?: string } {
  const reason = text.slice(0, LONGEST_REASON).toWellFormed().trim();
  return reason === '' ? {} : { reason };
}
