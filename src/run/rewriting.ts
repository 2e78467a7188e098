/** Turns a follow-up into a question that stands alone, within the budget of its run. */
import { defined } from '../core/defined.ts';
import { describeValue, InputError } from '../core/errors.ts';
import { optional } from '../core/port.ts';
import type { Ledger } from '../core/trace/ledger.ts';
import type { FollowUp } from '../core/trace/trace.ts';
import { subtractUsage } from '../core/trace/usage.ts';
import { type FollowUpReading, followUpReading } from '../language/follow-ups/references.ts';
import type { Turn } from '../language/follow-ups/turn.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { languageModel } from '../models/ports.ts';
import { resourcesOf } from '../models/resources.ts';
import { standAloneQuestion } from '../planning/follow-ups/stand-alone-question.ts';
import { turnsToRead } from '../planning/follow-ups/turns-to-read.ts';
import type { AskOptions } from './ask-options.ts';
import { type HopProgress, meteredCall } from './metered-kit.ts';
import { meteringOf } from './metering.ts';
import { stoppedBy } from './pull-hops.ts';
import { type FoundResource, findResources, meteredLookup, needyOf } from './run-resources.ts';

/** A question that may refer to earlier turns, and the model of its run, if it has one. */
export interface Rewriting {
  readonly question: string;
  readonly reading: FollowUpReading;
  readonly earlier: readonly Turn[];
  readonly model: LanguageModel | undefined;
  readonly found: readonly FoundResource[];
}

const MODEL = optional(languageModel);
const MEMBER = needyOf('follow-up', { name: 'rewriting', needs: [MODEL] });

/** Returns undefined for the first question, and for one that refers to nothing before it. */
export async function openRewriting(
  question: string,
  { earlier: given, model, resources: others = {} }: AskOptions,
): Promise<Rewriting | undefined> {
  const earlier = checkedTurns(given ?? []).filter(turn => turn.question.trim() !== '');
  const before = earlier.at(-1);
  if (before === undefined) return undefined;
  const { turns } = turnsToRead([before]);
  const reading = followUpReading(question, turns[0]!.question);
  if (reading.refers === 'alone') return undefined;
  const resources = model ? { ...others, [languageModel.name]: model } : others;
  // Nothing says which of several models rewrites.
  const isOne = resourcesOf(resources, languageModel.name).length === 1;
  const found = isOne ? await findResources([MEMBER], resources) : [];
  const [first] = found;
  return { question, reading, earlier, found, model: first?.resource as LanguageModel | undefined };
}

/** Takes `null` for a missing answer, as JSON has it. Throws `InputError` for what is no turn. */
function checkedTurns(given: unknown): Turn[] {
  const expected = 'a list of { question, answer }, both texts; the answer may be missing';
  const wrong = (received: unknown): never => {
    throw new InputError('bad-earlier', 'An earlier turn of the conversation is none', {
      expected,
      received: describeValue(received),
    });
  };
  if (!Array.isArray(given)) return wrong(given);
  return (given as readonly unknown[]).map(turn => {
    const { question, answer } = (turn ?? {}) as Record<string, unknown>;
    if (typeof question !== 'string') return wrong(turn);
    if (answer === undefined || answer === null) return { question };
    return typeof answer === 'string' ? { question, answer } : wrong(turn);
  });
}

/** Rewrites the question. An abort leaves it as it was asked: the run ends by itself. */
export async function rewritten(
  { question, reading, earlier, found }: Rewriting,
  ledger: Ledger,
  progress: HopProgress,
): Promise<{ readonly text: string; readonly followUp?: FollowUp } | undefined> {
  const before = ledger.spent;
  const call = meteredCall(ledger, progress);
  const lookup = meteredLookup(MEMBER, found, port => meteringOf(port, { call, progress }));
  try {
    const asked = { question, reading, earlier, model: lookup(MODEL) };
    const { text, ...how } = await standAloneQuestion(asked, call);
    const spent = subtractUsage(ledger.spent, before);
    if (how.by === 'rules' && text === question && how.unsure === undefined && !how.outputs)
      return undefined;
    return { text, followUp: defined({ asked: question, ...how, spent }) };
  } catch (error) {
    if (stoppedBy(error, ledger.signal) === undefined) throw error;
    return undefined;
  }
}
