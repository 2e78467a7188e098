/** Writes a follow-up as a question that stands alone: by one call of a model, else by rules. */
import { defined } from '../../core/defined.ts';
import { PortError } from '../../core/errors.ts';
import { LONGEST_QUESTION } from '../../core/text/question-text.ts';
import { BudgetReached, type Call } from '../../core/trace/call.ts';
import type { FollowUp, ModelOutput } from '../../core/trace/trace.ts';
import { namedThings } from '../../language/follow-ups/named-things.ts';
import { type FollowUpReading, referenceWords } from '../../language/follow-ups/references.ts';
import { standAloneByRules } from '../../language/follow-ups/stand-alone.ts';
import type { Turn } from '../../language/follow-ups/turn.ts';
import { jsonValuesIn } from '../../models/json-in-text.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { replyTokensOf, tokensOf } from '../../models/prompt-tokens.ts';
import { textOf } from '../json-fields.ts';
import { degraded } from '../model-in-use.ts';
import { isRefusal } from '../refusal.ts';
import { FOLLOW_UP, followUpPrompt } from './follow-up-prompt.ts';
import { type ReadTurns, turnsToRead } from './turns-to-read.ts';

/** A question that may refer to earlier turns. */
export interface AskedLater {
  readonly question: string;
  readonly reading: FollowUpReading;
  /** The oldest first; at least one. */
  readonly earlier: readonly Turn[];
  /** Without one the rules write the question. */
  readonly model: LanguageModel | undefined;
}

export interface StandAlone extends Omit<FollowUp, 'asked' | 'spent'> {
  readonly text: string;
}

/** Throws the reason of an abort alone: a failure or a limit leaves the question to the rules. */
export async function standAloneQuestion(asked: AskedLater, call: Call): Promise<StandAlone> {
  const { model, earlier } = asked;
  if (model === undefined) return byRules(asked, turnsToRead(earlier), []);
  const read = fittingTurns(asked, model);
  try {
    const { text: reply } = await model.generate(followUpPrompt(asked.question, read.turns), call);
    const text = questionIn(reply, asked.question, read.turns);
    const output = { role: FOLLOW_UP, text: reply, parsed: text !== undefined };
    if (text === undefined) return byRules(asked, read, [output]);
    return { text, by: 'model', ...countsOf(read, earlier), outputs: [output] };
  } catch (error) {
    return byRules(asked, read, [
      degraded(`The model did not read the follow-up: ${causeOf(error)}`),
    ]);
  }
}

function causeOf(error: unknown): string {
  if (error instanceof BudgetReached && error.limit !== 'ms')
    return `the limit on ${error.limit} leaves no call`;
  if (PortError.is(error)) return `it failed (${error.code})`;
  throw error;
}

/** Returns fewer turns where the model's context has no room for more. */
function fittingTurns({ question, earlier }: AskedLater, model: LanguageModel): ReadTurns {
  const { contextTokens = Number.POSITIVE_INFINITY } = model;
  let read = turnsToRead(earlier);
  for (let room = LONGEST_QUESTION / 2; room > question.length; room /= 2) {
    const prompt = followUpPrompt(question, read.turns);
    if (tokensOf(model, prompt) + replyTokensOf(model, prompt) <= contextTokens) break;
    read = turnsToRead(earlier, room);
  }
  return read;
}

function byRules(
  { question, reading, earlier }: AskedLater,
  read: ReadTurns,
  outputs: readonly ModelOutput[],
): StandAlone {
  const written =
    reading.refers === 'back'
      ? standAloneByRules(question, read.turns, reading)
      : { text: question };
  return defined({
    text: question,
    by: 'rules',
    ...written,
    ...countsOf(read, earlier),
    outputs: outputs.length > 0 ? outputs : undefined,
  });
}

const countsOf = (
  { turns, cut }: ReadTurns,
  earlier: readonly Turn[],
): Pick<FollowUp, 'turns' | 'of' | 'cut'> =>
  defined({ turns: turns.length, of: earlier.length, cut: cut || undefined });

/**
 * Returns the question of a reply; undefined where it has none, and where it names what neither the
 * question nor the conversation names.
 */
function questionIn(reply: string, question: string, turns: readonly Turn[]): string | undefined {
  for (const json of jsonValuesIn(reply)) {
    const text = textOf(json, 'question')?.replace(/\s+/gu, ' ').trim();
    if (text === undefined || text.length > LONGEST_QUESTION || isRefusal(text)) continue;
    if (isSame(text, question)) return question;
    if (!keepsWords(text, question)) continue;
    if (namesKnown(text, [question, ...turns.flatMap(turn => [turn.question, turn.answer ?? ''])]))
      return text;
  }
  return undefined;
}

const isSame = (a: string, b: string): boolean => bare(a) === bare(b);
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * True if a reply has the names of the question and half of its other words with content: else it
 * is another question, or none.
 */
function keepsWords(text: string, question: string): boolean {
  const words = referenceWords(question);
  const written = bare(text).split(' ');
  const isKept = (word: string): boolean => written.some(other => isForm(word, other));
  const names = namedThings(question, words).flatMap(name => bare(name).split(' '));
  const marks = words?.marks ?? new Set<string>();
  const content = words === undefined ? [] : bare(question).split(' ');
  const others = content.filter(word => !marks.has(word) && !names.includes(word));
  const isText = bare(text) !== '';
  return isText && names.every(isKept) && others.filter(isKept).length * 2 >= others.length;
}

/** True for two forms of a word: "Tim" and "Tims", Ада and Ады. */
const isForm = (a: string, b: string): boolean => {
  const shared = Math.min(STEM, Math.max(2, Math.min(a.length, b.length) - 1));
  return a === b || a.slice(0, shared) === b.slice(0, shared);
};

/** Letters that two forms of a name share, as endings differ. */
const STEM = 4;

/** True if each word of each name, and each number, stands in one of the texts. */
function namesKnown(text: string, texts: readonly string[]): boolean {
  const known = bare(texts.join(' ')).split(' ');
  const named = namedThings(text, referenceWords(text, texts[0])).flatMap(name =>
    bare(name).split(' '),
  );
  const numbers = text.match(/\d+/gu) ?? [];
  return (
    named.every(word => known.some(other => isForm(word, other))) &&
    numbers.every(number => known.includes(number))
  );
}
