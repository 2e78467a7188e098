/**
 * Builds the context from the evidence after the hops and reads it into an answer or an abstention
 * with its reason.
 */

import { mostAreHeaded } from '../core/corpus/corpus-kind.ts';
import { defined } from '../core/defined.ts';
import { keptInOrder } from '../core/trace/evidence-order.ts';
import type { Answer, ContextText, Evidence, Hop, Stopped, Trace } from '../core/trace/trace.ts';
import { languageModel } from '../models/ports.ts';
import { answerAt } from '../readers/answer-at.ts';
import { checkedAnswer, checkedDraft } from '../readers/citation-check.ts';
import { ownVerdict } from '../readers/own-verdict.ts';
import type { Reader } from '../readers/reader.ts';
import { readers } from '../readers/readers.ts';
import { DEFAULTS } from './ask-options.ts';
import { evidenceOf, passagesOfSentences } from './evidence.ts';
import { guarded } from './metered-kit.ts';
import type { OpenRun } from './open-run.ts';
import { type Pulled, stoppedBy } from './pull-hops.ts';

export interface Gathered extends Pick<Trace, 'corpusKind'> {
  readonly evidence: Evidence[];
  readonly context: ContextText;
  /** Set if the evidence could not be read. */
  readonly unread?: Stopped;
  /**
   * Set if the passages of kept sentences could not be named; everything else is complete.
   */
  readonly unnamed?: Stopped;
}

/**
 * Builds evidence and context. Documents were usually read when they were priced, so the engine is
 * called only for unread documents and for the passages of kept sentences.
 */
export async function gather(
  run: OpenRun,
  hops: readonly Hop[],
  { corpusKind }: Pulled,
): Promise<Gathered> {
  const kept = keptInOrder(hops);
  const { context } = run.kit;
  const { engine } = run.reading.kit;
  const ids = [...new Set(kept.map(item => item.documentId))];
  try {
    await engine.read('document', ids, run.reading.call);
    const built = await context.build(
      run.question,
      kept,
      run.ledger.budget.contextTokens ?? Number.POSITIVE_INFINITY,
    );
    const { passages, unnamed } = await namedPassages(run, hops);
    return defined({
      evidence: evidenceOf(kept, run.known, { hops, passages }),
      context: built,
      corpusKind: corpusKind ?? kindOfShown(built, run.known),
      unnamed: unnamed || undefined,
    });
  } catch (error) {
    const unread = stoppedBy(error, run.ledger.signal, run.reading.signal);
    if (!unread) throw error;
    return defined({
      corpusKind,
      evidence: evidenceOf(kept, run.known, { hops }),
      context: { name: context.name, text: '', tokens: 0, parts: [] },
      unread,
    });
  }
}

/** Returns `sections` if most of the shown documents have headings. */
function kindOfShown({ parts }: ContextText, known: OpenRun['known']): Gathered['corpusKind'] {
  const ids = new Set(parts.map(({ documentId }) => documentId));
  return mostAreHeaded([...ids].flatMap(id => known.get(id) ?? [])) ? 'sections' : undefined;
}

/**
 * Returns the passages of kept sentences. If the engine fails, the run continues without them and
 * is marked.
 */
async function namedPassages(
  run: OpenRun,
  hops: readonly Hop[],
): Promise<{ passages: Map<string, string>; unnamed?: Stopped }> {
  try {
    return { passages: await passagesOfSentences(hops, run.reading.kit.engine, run.reading.call) };
  } catch (error) {
    const unnamed = stoppedBy(error, run.ledger.signal, run.reading.signal);
    if (!unnamed) throw error;
    return { passages: new Map(), unnamed };
  }
}

interface Concluded {
  readonly answer: Answer;
  readonly stopped?: Stopped;
}

/**
 * Returns the answer: an abstention with its reason, the strategy's draft, or the reader's answer;
 * with the type that the reader, or else the strategy, took the question for.
 */
export async function conclude(...given: Parameters<typeof answered>): Promise<Concluded> {
  const concluded = await answered(...given);
  const questionType = concluded.answer.questionType ?? given[1].end?.questionType;
  return questionType === undefined
    ? concluded
    : { ...concluded, answer: { ...concluded.answer, questionType } };
}

async function answered(
  run: OpenRun,
  pulled: Pulled,
  evidence: readonly Evidence[],
  context: ContextText,
): Promise<Concluded> {
  const { end, stopped, corpusKind } = pulled;
  if (stopped?.by === 'abort' || evidence.length === 0)
    return defined({ answer: withoutReading(stopped), stopped: stopped || undefined });
  if (end?.abstained !== undefined)
    return defined({
      answer: abstain(withCause(end.abstained, stopped)),
      stopped: stopped || undefined,
    });
  const textOf = (id: string): string => run.known.get(id)?.text ?? '';
  const ownDraft = run.reader.typed ? undefined : end?.draft;
  const draft = ownDraft && checkedDraft(ownDraft, run.question, evidence, context, textOf);
  if (draft) {
    const answer = explained(ownVerdict(draft, run.question.text), stopped);
    return defined({ answer, stopped: stopped || undefined });
  }
  const shown = { evidence, context, corpusKind };
  const read =
    stopped && needsFailed(run.reader, stopped)
      ? { failed: stopped }
      : await readBy(run.reader, run, shown);
  const ended = stopped ?? read.failed;
  const answer = read.answer ?? (await withoutPort(run, read.failed!, shown));
  return defined({ answer: explained(answer, ended), stopped: ended });
}

interface Shown extends Pick<Pulled, 'corpusKind'> {
  readonly evidence: readonly Evidence[];
  readonly context: ContextText;
}

/** The answer of a reader, or what ended its reading. */
interface Read {
  readonly answer?: Answer;
  readonly failed?: Stopped;
}

async function readBy(
  reader: Reader,
  run: OpenRun,
  { evidence, context, corpusKind }: Shown,
): Promise<Read> {
  try {
    await run.reading.pause.turn();
    run.reading.pause.check();
    const kit = { ...run.reading.kit, corpusKind, answerAt: run.answerAt };
    const answer = await guarded(run.reading.signal, 'reader', () =>
      reader.read(run.question, context, evidence, kit, run.reading.call),
    );
    const checked = answerAt(checkedAnswer(answer, evidence), run.answerAt);
    const asksModel = (reader.needs ?? []).some(({ port }) => port.name === languageModel.name);
    return { answer: asksModel ? ownVerdict(checked, run.question.text) : checked };
  } catch (error) {
    const failed = stoppedBy(error, run.ledger.signal, run.reading.signal);
    if (!failed) throw error;
    return { failed };
  }
}

/**
 * Returns the answer of the default reader, which needs no port, if the reader's port failed or the
 * budget has no room for its model.
 */
async function withoutPort(run: OpenRun, failed: Stopped, shown: Shown): Promise<Answer> {
  const nothing = abstain(withCause(NOT_READ, failed));
  if (
    !run.fallback ||
    run.reader.typed ||
    !(needsFailed(run.reader, failed) || isModelLimit(failed))
  )
    return nothing;
  const reader = readers.create(DEFAULTS.reader);
  const { answer = nothing } = await readBy(reader, run, shown);
  return { ...answer, readBy: reader.name };
}

/** Tells whether the reader needs the port that failed: a server that is down is asked once. */
const needsFailed = ({ needs = [] }: Reader, stopped: Stopped): boolean =>
  stopped.by === 'failure' && needs.some(({ port }) => port.name === stopped.port);

const isModelLimit = (stopped: Stopped): boolean =>
  stopped.by === 'limit' && ['modelCalls', 'modelTokens', 'usd'].includes(stopped.limit);

/** Returns the abstention of a run that was aborted or found no evidence. */
export function withoutReading(stopped: Stopped | undefined): Answer {
  return stopped?.by === 'abort'
    ? abstain('The run was aborted before an answer was read')
    : abstain(withCause('No evidence was found', stopped));
}

/** Returns the abstention of a run whose evidence could not be read. */
export function unreadable(pulled: Pulled, unread: Stopped): { answer: Answer; stopped: Stopped } {
  return {
    answer: abstain(withCause('The evidence could not be read', unread)),
    stopped: pulled.stopped ?? unread,
  };
}

function abstain(reason: string): Answer {
  return { kind: 'abstained', reason };
}

function withCause(whole: string, stopped: Stopped | undefined): string {
  if (!stopped) return whole;
  const reason = whole.replace(/\.$/, '');
  if (stopped.by === 'limit') return `${reason}: the limit on ${stopped.limit} was reached`;
  return stopped.by === 'failure'
    ? `${reason}: the ${stopped.port} failed (${stopped.code})`
    : `${reason}: the run was aborted`;
}

/** Begins the reason of an abstention that names its cause already. */
const NOT_READ = 'No answer was read';

/** Adds the cause of an interruption to an abstention. */
function explained(answer: Answer, stopped: Stopped | undefined): Answer {
  return answer.kind === 'abstained' && stopped && !answer.reason.startsWith(NOT_READ)
    ? { ...answer, reason: withCause(answer.reason, stopped) }
    : answer;
}
