/**
 * Defines the trace of one question: hops, evidence, context, answer and cost. Measures read it,
 * audits verify it, replays score it again.
 */
import type { CorpusKind } from '../corpus/corpus-kind.ts';
import type { Metadata, Span } from '../corpus/document.ts';
import type { Filter } from '../corpus/filter.ts';
import { defined } from '../defined.ts';
import type { Remedy } from '../errors.ts';
import type { Ranking, Unit } from '../ranking/ranking.ts';
import type { Answer, Citation, Cut } from './answer.ts';
import type { Budget, LimitName, Usage } from './usage.ts';

export type { Alternative, Answer, Citation, Confidence, Cut } from './answer.ts';

/** A question of a user; it carries no gold type. */
export interface Question {
  readonly id: string;
  readonly text: string;
}

/**
 * Records that a follow-up became a question that stands alone, which is the question of its trace.
 */
export interface FollowUp {
  /** The text as it was asked. */
  readonly asked: string;
  /** Names the writer of the question, which may leave it as it was asked. */
  readonly by: 'model' | 'rules';
  /** Number of the newest earlier turns that were read. */
  readonly turns: number;
  /** Number of all earlier turns. */
  readonly of: number;
  /** True if the last turn was cut, as it was too long. */
  readonly cut?: boolean;
  /** Says why it was left as it was asked though it refers back. */
  readonly unsure?: string;
  /** The reply of the model, and notes of what it was done without. */
  readonly outputs?: readonly ModelOutput[];
  readonly spent: Usage;
}

/** Names one search of a trace: the index of its hop, and its own index in that hop. */
export interface SearchRef {
  readonly hop: number;
  readonly search: number;
}

/** One search of a hop. */
export interface Search {
  readonly text?: string;
  /**
   * For a search by vector: the vector's content hash (see `vectorHash`) and the embedder or model
   * that computed it.
   */
  readonly vector?: { readonly hash: string; readonly from: string };
  readonly retriever: string;
  readonly unit: Unit;
  readonly filter?: Filter;
  /** Reason for relaxing a filter, if it was. */
  readonly relaxed?: string;
  /** The earlier search, in an earlier hop, that this one depends on, and the hit in it. */
  readonly from?: SearchRef & { readonly id?: string };
  /**
   * In total order; the first search of a trace is at least 30 deep where the corpus allows it,
   * whatever is kept. A recorded trace leaves most of them out, see `found`.
   */
  readonly hits: Ranking;
  /** The number of hits if `hits` is a part of them. */
  readonly found?: number;
  /** First 8 hexadecimal digits of the SHA-256 of the JSON of all hits, if some are left out. */
  readonly hash?: string;
}

/** One item of evidence as a strategy keeps it. `search` names a search that found it. */
export interface EvidenceItem {
  readonly id: string;
  readonly documentId: string;
  readonly search: SearchRef;
  readonly score: number;
  /** Spans in the document, if they differ from those of the hit. */
  readonly spans?: readonly Span[];
}

/**
 * Text produced by a model or a planner: a thought, sub-question, sub-answer, generated passage or
 * extracted filter.
 */
export interface ModelOutput {
  readonly role: string;
  readonly text: string;
  /** False if the text could not be parsed. */
  readonly parsed: boolean;
  readonly citations?: readonly Citation[];
  /** The limit at which it was cut; missing if it came to its end, or if its hop does not say. */
  readonly cut?: Cut;
}

/** A reply of a model that was cut; `role` names the purpose of the call. */
export interface CutReply extends Cut {
  readonly role: string;
}

/** Reason for not keeping a candidate. For the last three see `tree-hop`. */
export type RejectionReason =
  | 'seen'
  | 'weak'
  | 'budget'
  | 'cap'
  | 'filtered'
  | 'near-duplicate'
  | 'duplicate'
  | 'below-top-k'
  | 'repeated'
  | (string & {});

/** A candidate that a hop did not keep. `search` names a search that found it. */
export interface Rejection {
  readonly id: string;
  readonly search: SearchRef;
  readonly why: RejectionReason;
  readonly detail?: string;
}

/** Evidence of an earlier hop that a later hop drops; it may be kept again after that. */
export interface Withdrawal {
  readonly id: string;
  readonly why: RejectionReason;
  readonly detail?: string;
}

/** One round of a strategy. */
export interface Hop {
  /** The sub-question, thought, bridge entity or clause that this hop follows. */
  readonly reason?: string;
  readonly searches: readonly Search[];
  /** Evidence that this hop adds, of its own searches or of earlier ones. */
  readonly kept: readonly EvidenceItem[];
  readonly rejected: readonly Rejection[];
  /** Numbers of further rejections by reason, which a recorded trace counts and does not list. */
  readonly refused?: Readonly<Record<string, number>>;
  /** Evidence of earlier hops that this hop drops. */
  readonly withdrawn?: readonly Withdrawal[];
  readonly outputs?: readonly ModelOutput[];
  /** Ids of the evidence after this hop in its new order, when the hop reorders it. */
  readonly order?: readonly string[];
  /** New scores of evidence of earlier hops, by its ids, when the hop ranks it anew. */
  readonly scores?: Readonly<Record<string, number>>;
  /**
   * Cost of this hop. `documents` and `contextTokens` are net: negative if it withdraws more than
   * it keeps.
   */
  readonly spent: Usage;
  /** The limit that ended the run inside this hop; the hop then holds what had finished. */
  readonly incomplete?: LimitName | 'failure' | 'abort';
}

/**
 * End of a strategy that was not interrupted. The draft of a system that answers itself passes the
 * same citation check as a reader's answer.
 */
export interface End {
  readonly why: 'sufficient' | 'exhausted' | 'completed';
  readonly draft?: { readonly text: string; readonly citations: readonly Citation[] };
  /**
   * The system's reason for abstaining: its evidence does not contain the answer. The reader is not
   * called.
   */
  readonly abstained?: string;
  /** The type that the system took the question for; that of a reader which states one counts. */
  readonly questionType?: string;
}

/** Cause of an interruption; missing if the run ended by itself. */
export type Stopped =
  | { readonly by: 'limit'; readonly limit: LimitName }
  | {
      readonly by: 'failure';
      readonly port: string;
      readonly code: string;
      /** Ends with the hint, if there is one. */
      readonly message: string;
      readonly hint?: string;
      readonly remedy?: Remedy;
    }
  | { readonly by: 'abort' };

/** One item of evidence, in the order in which it was kept or re-ranked. */
export interface Evidence {
  readonly id: string;
  readonly documentId: string;
  readonly title: string;
  readonly metadata: Metadata;
  readonly score: number;
  readonly spans: readonly Span[];
  /** The id of the passage that a kept sentence stands in; missing for passages and documents. */
  readonly passage?: string;
  /** Number of places where the hops met this text; missing for one. */
  readonly places?: number;
}

/** The text that a reader gets. `tokens` counts word runs of `text`. */
export interface ContextText {
  readonly name: string;
  readonly text: string;
  readonly tokens: number;
  /** Position of each item of evidence in `text`, and the spans of its document that it shows. */
  readonly parts: readonly ContextPart[];
}
export interface ContextPart {
  readonly id: string;
  readonly documentId: string;
  /** The range of this part in the context's text, header included. */
  readonly start: number;
  readonly end: number;
  /** The spans of the document's own text that it shows; empty when it shows a header alone. */
  readonly spans: readonly Span[];
}

/**
 * Everything needed to repeat a run. Free-form, but without times, secrets or local paths.
 */
export type Manifest = Readonly<Record<string, unknown>>;

/** Returns the identities of a port's resources by their ids, as the manifest records them. */
export function resourcesIn(
  { resources }: Manifest,
  port: string,
): Readonly<Record<string, string>> | undefined {
  const byPort = (resources ?? {}) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  return Object.hasOwn(byPort, port) ? byPort[port] : undefined;
}

/** A second ranking of a run, as the strategy's paper defines it; `name` identifies the rule. */
export interface DiagnosticRanking {
  readonly name: string;
  /** Document ids, each once. */
  readonly documents: readonly string[];
}

/**
 * The record of one question: hops, evidence, answer and cost.
 *
 * @example
 * ```ts
 * import { ask, ingest, type Trace } from 'multihop';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const trace: Trace = await ask('Who built the engine?', { engine });
 * for (const hop of trace.hops) console.log(hop.searches.map(search => search.text), hop.spent);
 * console.log(trace.evidence.map(item => item.id), trace.answer.kind, trace.ms);
 * ```
 */
export interface Trace<Value = unknown> {
  readonly question: Question;
  /** Missing if the question stood alone as it was asked. */
  readonly followUp?: FollowUp;
  readonly strategy: string;
  readonly retriever: string;
  readonly reader: string;
  readonly budget: Budget;
  /** Applies to every search of the run, in addition to their own filters. */
  readonly filter?: Filter;
  /** Least probability of an answer that is given; missing if every answer is. */
  readonly answerAt?: number;
  readonly predictedType?: string;
  /** ISO 639-1 code of the language that the question was read in; missing for English. */
  readonly language?: string;
  readonly hops: readonly Hop[];
  readonly evidence: readonly Evidence[];
  /**
   * Document ids in the order in which the strategy would hand them over: evidence first, best
   * first, then other hits.
   */
  readonly ranking: readonly string[];
  /** The order that the strategy's paper defines, if it differs. */
  readonly diagnostic?: DiagnosticRanking;
  readonly context: ContextText;
  /**
   * The kind of corpus by which strategy and reader went: as the strategy decided, else `sections`
   * if most of the shown documents have headings; missing if neither tells.
   */
  readonly corpusKind?: CorpusKind;
  readonly answer: Answer;
  /** The answer as the schema of the run returns it; missing without one and in recorded traces. */
  readonly value?: Value;
  readonly spent: Usage;
  /** Wall time in milliseconds. */
  readonly ms: number;
  readonly stopped?: Stopped;
  /** Replies of models that were cut, in their order; missing if none was. */
  readonly cut?: readonly CutReply[];
  /** Snapshots that the run opened, if a server lost one. */
  readonly snapshots?: number;
  readonly manifest: Manifest;
}

/**
 * An event of a trace, one a line. `ms` is the time since the run began and is not part of the
 * content hash.
 */
export type TraceEvent =
  | {
      readonly type: 'question';
      readonly question: Question;
      /** As `Trace.followUp`. */
      readonly followUp?: FollowUp;
      readonly strategy: string;
      readonly retriever: string;
      readonly context: string;
      readonly reader: string;
      readonly budget: Budget;
      readonly filter?: Filter;
      /** Least probability of an answer that is given; missing if every answer is. */
      readonly answerAt?: number;
      readonly predictedType?: string;
      /** As `Trace.language`. */
      readonly language?: string;
      readonly manifest: Manifest;
      readonly ms: number;
    }
  | { readonly type: 'hop'; readonly index: number; readonly hop: Hop; readonly ms: number }
  | {
      readonly type: 'context';
      readonly evidence: readonly Evidence[];
      readonly ranking: readonly string[];
      readonly diagnostic?: DiagnosticRanking;
      readonly context: ContextText;
      /** As `Trace.corpusKind`. */
      readonly corpusKind?: CorpusKind;
      readonly ms: number;
    }
  | { readonly type: 'answer'; readonly answer: Answer; readonly ms: number }
  | {
      readonly type: 'end';
      readonly spent: Usage;
      readonly stopped?: Stopped;
      /** As `Trace.cut`. */
      readonly cut?: readonly CutReply[];
      /** Snapshots that the run opened, if a server lost one. */
      readonly snapshots?: number;
      readonly ms: number;
    };

/**
 * Returns the trace of a complete list of events; undefined if an event is missing.
 *
 * @example
 * ```ts
 * import { ask, ingest, type TraceEvent } from 'multihop';
 * import { measure } from 'multihop/evaluation';
 * import { traceOf } from 'multihop/trace';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const events: TraceEvent[] = [];
 * for await (const event of ask('Who built the engine?', { engine })) events.push(event);
 * const stored = JSON.parse(JSON.stringify(events)) as TraceEvent[];
 * const question = { id: 'q1', text: 'Who built the engine?' };
 * const example = { id: 'q1', question, answers: ['Charles'], gold: [] };
 * // Scores the stored run again, without asking.
 * console.log(measure('AnswerF1').score(example, traceOf(stored)!, { text: () => '' }));
 * ```
 */
export function traceOf(events: readonly TraceEvent[]): Trace | undefined {
  const hops: Hop[] = [];
  let question: Extract<TraceEvent, { type: 'question' }> | undefined;
  let context: Extract<TraceEvent, { type: 'context' }> | undefined;
  let answer: Extract<TraceEvent, { type: 'answer' }> | undefined;
  let end: Extract<TraceEvent, { type: 'end' }> | undefined;
  for (const event of events) {
    if (event.type === 'hop') hops.push(event.hop);
    else if (event.type === 'question') question = event;
    else if (event.type === 'context') context = event;
    else if (event.type === 'answer') answer = event;
    else end = event;
  }
  if (!question || !context || !answer || !end) return undefined;
  const { type: _, context: contextName, ms: __, ...asked } = question;
  return defined({
    ...asked,
    hops,
    evidence: context.evidence,
    ranking: context.ranking,
    diagnostic: context.diagnostic,
    context: { ...context.context, name: contextName },
    corpusKind: context.corpusKind,
    answer: answer.answer,
    spent: end.spent,
    ms: end.ms,
    stopped: end.stopped,
    cut: end.cut,
    snapshots: end.snapshots,
  });
}
