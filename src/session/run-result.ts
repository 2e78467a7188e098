/** Turns a finished run into the object of `ask --json`. */
import type { Document } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import type { Heads } from '../core/trace/audit-chain.ts';
import type { Alternative, Answer, Hop, Trace } from '../core/trace/trace.ts';
import { type Paths, type ShownSide, showCitations, showSides } from './evidence-view.ts';
import { showEvidence } from './shown-evidence.ts';

export function runResult(
  trace: Trace,
  documents: ReadonlyMap<string, Document>,
  heads: Heads,
  file: string | undefined,
  paths?: Paths,
): unknown {
  return defined({
    question: trace.question,
    followUp: trace.followUp,
    ...shownAnswer(trace.answer, showSides(trace, documents, paths)),
    citations: showCitations(trace, documents, paths),
    ...showEvidence(trace, documents, paths),
    stopped: trace.stopped || undefined,
    cut: trace.cut || undefined,
    spent: trace.spent,
    ms: trace.ms,
    strategy: trace.strategy,
    retriever: trace.retriever,
    context: trace.context.name,
    reader: trace.reader,
    budget: trace.budget,
    predictedType: trace.predictedType,
    language: trace.language,
    hops: trace.hops.map(shownHop),
    trace: defined({ lines: heads.count, content: heads.content, line: heads.line, file }),
  });
}

/** Turns a run without a reader into evidence, the context in words, and the cost. */
export function retrievedResult(
  trace: Trace,
  documents: ReadonlyMap<string, Document>,
  heads: Heads,
  file: string | undefined,
  paths?: Paths,
): unknown {
  const { name, text, tokens } = trace.context;
  const {
    answer: _,
    citations: __,
    reader: ___,
    ...rest
  } = runResult(trace, documents, heads, file, paths) as Readonly<Record<string, unknown>>;
  return { ...rest, context: { name, text, tokens }, ranking: trace.ranking };
}

/**
 * Returns the next best texts; those of an answer that is withheld for its probability begin with
 * its own.
 */
function candidatesOf(answer: Answer): readonly Alternative[] {
  if (answer.kind === 'evidence') return [];
  const { alternatives = [], probability } = answer;
  if (answer.kind === 'answered') return alternatives;
  const { withheld } = answer;
  if (withheld === undefined || probability === undefined) return [];
  return [{ text: withheld.text, probability }, ...alternatives];
}

/**
 * Returns the field `answer`; null if an answer is withheld for its probability, whose threshold,
 * reason and candidates stand beside it.
 */
function shownAnswer(answer: Answer, sides: readonly ShownSide[]): object {
  const { kind, support } = answer;
  const candidates = candidatesOf(answer);
  const rest = defined({
    probability:
      kind === 'evidence' || answer.probability === undefined ? undefined : answer.probability,
    support,
    candidates: candidates.length > 0 ? candidates : undefined,
    unsupported: kind === 'answered' && answer.unsupported ? answer.unsupported : undefined,
    sentences: kind === 'answered' && answer.sentences ? sentencesOf(answer) : undefined,
    fields: kind === 'answered' && answer.fields ? answer.fields : undefined,
    dropped: kind !== 'evidence' && answer.dropped ? answer.dropped : undefined,
    sides: sides.length > 0 ? sides : undefined,
    cut: kind !== 'evidence' && answer.cut ? answer.cut : undefined,
    readBy: answer.readBy,
    unread: kind !== 'evidence' && answer.unread !== undefined ? answer.unread : undefined,
  });
  if (kind !== 'abstained') return { answer: { kind, text: answer.text, ...rest } };
  const { reason, below } = answer;
  // No answer is likely enough: the question has none, and its candidates stand in its place.
  return below === undefined
    ? { answer: { kind, text: null, reason, ...rest } }
    : { answer: null, reason, below, ...rest };
}

const sentencesOf = ({
  text,
  sentences = [],
}: Extract<Answer, { readonly kind: 'answered' }>): unknown =>
  sentences.map(({ start, end, citations }) => ({ text: text.slice(start, end), citations }));

function shownHop(
  { reason, searches, kept, rejected, outputs, incomplete, spent }: Hop,
  index: number,
): unknown {
  return defined({
    hop: index + 1,
    reason,
    searches: searches.map(({ text, vector, from, retriever, unit, filter, hits }) =>
      defined({
        text,
        ...(vector ? defined({ vector, from: from || undefined }) : {}),
        retriever,
        unit,
        filter: filter || undefined,
        hits: hits.length,
      }),
    ),
    kept: kept.map(({ id, documentId, score }) => ({ id, documentId, score })),
    rejected: rejected.length,
    outputs: outputs || undefined,
    incomplete: incomplete || undefined,
    spent,
  });
}
