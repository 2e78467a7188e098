/** Validates `ask` options and binds them to a snapshot. */
import type { Document } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import { checkQuestionText } from '../core/text/question-text.ts';
import type { Call } from '../core/trace/call.ts';
import { Ledger } from '../core/trace/ledger.ts';
import type { FollowUp, Question, Stopped, TraceEvent } from '../core/trace/trace.ts';
import { predictQuestionType } from '../language/english/question/question-type.ts';
import { withPlainWords } from '../language/plain-words.ts';
import { questionLanguage } from '../language/question-language.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { languageModel } from '../models/ports.ts';
import { checkAnswerAt } from '../readers/answer-at.ts';
import type { Reader } from '../readers/reader.ts';
import type { SearchEngine } from '../search/engine.ts';
import type { Kit, Strategy } from '../strategies/strategy.ts';
import type { AskOptions, Clock, RunTime } from './ask-options.ts';
import { HopProgress, meteredCall } from './metered-kit.ts';
import { type Pause, pauseOfCall, pausesOf } from './pauses.ts';
import { stoppedBy } from './pull-hops.ts';
import { renewedSnapshot } from './renewed-snapshot.ts';
import { openRewriting, type Rewriting, rewritten } from './rewriting.ts';
import { checkBudget, checkPrice, setReadersShareAside } from './run-budget.ts';
import { kitsOf } from './run-kits.ts';
import { type Members, membersOf } from './run-members.ts';
import { recordResources } from './run-resources.ts';

/** A validated run, bound to one snapshot. */
export interface OpenRun {
  readonly question: Question;
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly kit: Kit;
  /** Documents read so far, by id. */
  readonly known: ReadonlyMap<string, Document>;
  readonly ledger: Ledger;
  readonly progress: HopProgress;
  /** Least probability of an answer that is given. */
  readonly answerAt: number;
  /** True if the default reader reads where a port of the reader fails. */
  readonly fallback: boolean;
  readonly call: Call;
  /** Reads the evidence after the hops; only the caller's signal stops it, not time. */
  readonly reading: {
    readonly kit: Kit;
    readonly call: Call;
    readonly signal: AbortSignal;
    readonly pause: Pause;
  };
  readonly opening: TraceEvent;
  /** Snapshots opened so far. */
  readonly opened: () => number;
}

/** A validated run that the caller or its time limit ended before its snapshot was open. */
export interface UnopenedRun
  extends Pick<OpenRun, 'strategy' | 'ledger' | 'opening'>,
    Pick<Members, 'context'> {
  readonly stopped: Stopped;
}

interface MachineTime extends Pick<RunTime, 'startedAt' | 'turn'> {
  readonly clock: Clock;
  /** Fires with the signal of the options, and when the time is over. */
  readonly limited: AbortSignal;
}

/** Validates the options, takes a snapshot and binds the kit to it. */
export async function openRun(
  text: string,
  options: AskOptions,
  { clock, limited, startedAt, turn }: MachineTime,
): Promise<OpenRun | UnopenedRun> {
  checkQuestionText(text);
  const budget = checkBudget(options.budget ?? {});
  const least = checkAnswerAt(options.answerAt ?? 0);
  const members = await membersOf(options);
  const rewriting = await openRewriting(text, options);
  const model = modelOf(members) ?? rewriting?.model;
  checkPrice(model, budget);
  const caller = options.signal ?? new AbortController().signal;
  const ledger = new Ledger({ budget, signal: limited, clock, startedAt });
  setReadersShareAside(ledger, model, members, rewriting?.model !== undefined);
  const progress = new HopProgress();
  const asked = await askedIn({ text, options, rewriting, ledger, progress });
  const { question } = asked;
  const found = [...members.found, ...(rewriting?.found ?? [])];
  const opening = (ms: number): TraceEvent =>
    openingOf({ ...members, found }, options, { ...asked, budget, ms });
  const snapshot = await openEngine(options.engine, ledger.signal);
  if ('stopped' in snapshot)
    return { ...members, ledger, opening: opening(ledger.elapsed()), stopped: snapshot.stopped };
  const pauses = pausesOf({ clock, turn, ledger });
  const pause = pauseOfCall(pauses.inHops, ledger.signal);
  const call = { ...meteredCall(ledger, progress), pause };
  const { engine, opened } =
    'snapshot' in options.engine
      ? renewedSnapshot(snapshot, options.engine.snapshot, call)
      : { engine: snapshot, opened: () => 1 };
  const known = new Map<string, Document>();
  const binding = { options, engine, question, call, progress, known, caller, pauses };
  const { kit, reading } = kitsOf(members, binding);
  return {
    question,
    strategy: members.strategy,
    reader: members.reader,
    kit,
    known,
    ledger,
    progress,
    call,
    answerAt: least,
    fallback: options.fallback ?? false,
    reading: {
      kit: reading,
      signal: caller,
      pause: pauses.inReading,
      call: { ...call, signal: caller, pause: pauseOfCall(pauses.inReading, caller) },
    },
    opening: opening(ledger.elapsed()),
    opened,
  };
}

/** Returns the question of the run: one that stands alone. */
async function askedIn({
  text,
  options,
  rewriting,
  ledger,
  progress,
}: Pick<OpenRun, 'ledger' | 'progress'> & {
  readonly text: string;
  readonly options: AskOptions;
  readonly rewriting: Rewriting | undefined;
}): Promise<{ readonly question: Question; readonly followUp: FollowUp | undefined }> {
  const stands = rewriting && (await rewritten(rewriting, ledger, progress));
  const question = { id: options.id ?? 'question', text: stands?.text ?? text };
  return { question, followUp: stands?.followUp };
}

const modelOf = ({ found }: Members): LanguageModel | undefined =>
  found.find(({ need }) => need.port === languageModel)?.resource as LanguageModel | undefined;

/** Returns the newest snapshot, or the signal that ended the wait for it. */
async function openEngine(
  engine: AskOptions['engine'],
  signal: AbortSignal,
): Promise<SearchEngine | { readonly stopped: Stopped }> {
  if (!('snapshot' in engine)) return engine;
  try {
    return await engine.snapshot();
  } catch (error) {
    const stopped = stoppedBy(error, signal);
    if (!stopped || stopped.by === 'failure') throw error;
    return { stopped };
  }
}

function openingOf(
  { strategy, reader, retriever, context, found }: Members,
  { filter, answerAt = 0, manifest = {} }: AskOptions,
  {
    question,
    followUp,
    budget,
    ms,
  }: Pick<TraceEvent & { type: 'question' }, 'question' | 'budget' | 'ms'> & {
    readonly followUp: FollowUp | undefined;
  },
): TraceEvent {
  const { code } = questionLanguage(question.text);
  return defined({
    type: 'question',
    question,
    followUp,
    strategy: strategy.name,
    retriever: retriever.name,
    context: context.name,
    reader: reader.name,
    budget,
    filter: filter || undefined,
    answerAt: answerAt > 0 ? answerAt : undefined,
    predictedType: predictQuestionType(withPlainWords(question.text)),
    language: code === 'en' ? undefined : code,
    manifest: recordResources(manifest, found),
    ms,
  });
}
