/**
 * Checks the laws of traces event by event, without the store: references between hops, the
 * evidence that they choose, rankings, costs and citations.
 */

import { distinctDocuments } from '../ranking/ranking.ts';
import { countWords } from '../text/words.ts';
import { citationsOfAnswer } from './answer-citations.ts';
import type { BrokenLaw, LawCheck, TraceLaw } from './broken-law.ts';
import { citesEvidence } from './citation.ts';
import { HopsSoFar, hopLaws } from './hop-laws.ts';
import { refusalCount } from './recorder.ts';
import type { Answer, Evidence, Hop, Manifest, Stopped, TraceEvent } from './trace.ts';
import { shapeOf } from './trace-shape.ts';
import type { Usage } from './usage.ts';

type EventOf<Type extends TraceEvent['type']> = Extract<TraceEvent, { type: Type }>;

/** The events that may follow an event; a trace that was cut short is complete up to its cut. */
const NEXT: Readonly<Record<TraceEvent['type'], readonly TraceEvent['type'][]>> = {
  question: ['hop', 'context', 'question'],
  hop: ['hop', 'context', 'question'],
  context: ['answer', 'question'],
  answer: ['end', 'question'],
  end: ['question'],
};

interface Open {
  readonly question: EventOf<'question'>;
  readonly soFar: HopsSoFar;
  last: TraceEvent['type'];
  context?: EventOf<'context'>;
}

/** Checks the events of one trace after another, in the order of their file. */
export class TraceLaws {
  private open: Open | undefined;

  /** Returns the first law that the event breaks; events after a broken one are not checked. */
  next(event: TraceEvent): BrokenLaw | undefined {
    const misfit = shapeOf(event);
    if (misfit) return misfit;
    const { open } = this;
    if (!open && event.type !== 'question')
      return broken('sequence', event.type, 'a trace to begin with its question', event.type);
    if (open && !NEXT[open.last].includes(event.type))
      return broken(
        'sequence',
        event.type,
        `one of ${NEXT[open.last].join(', ')} after ${open.last}`,
        event.type,
      );
    if (event.type === 'question') {
      this.open = { question: event, soFar: new HopsSoFar(), last: 'question' };
      return undefined;
    }
    open!.last = event.type;
    return first(lawsOf(event, open!));
  }
}

/** Returns the first law that the events of whole traces break. */
export function brokenLaw(events: readonly TraceEvent[]): BrokenLaw | undefined {
  const laws = new TraceLaws();
  for (const event of events) {
    const found = laws.next(event);
    if (found) return found;
  }
  return undefined;
}

function broken(law: TraceLaw, where: string, expected: string, received: unknown): BrokenLaw {
  return { law, where, expected, received };
}

function first(check: LawCheck): BrokenLaw | undefined {
  const { value } = check.next();
  return value ?? undefined;
}

function* lawsOf(event: Exclude<TraceEvent, EventOf<'question'>>, open: Open): LawCheck {
  if (event.type === 'hop') yield* nextHop(event, open);
  else if (event.type === 'context') {
    open.context = event;
    yield* contextLaws(event, open);
  } else if (event.type === 'answer')
    yield* answerLaws(event.answer, open.context!.evidence, open.question.manifest);
  else yield* endLaws(event, open);
}

function* nextHop({ index, hop }: EventOf<'hop'>, { soFar, question }: Open): LawCheck {
  const expected = soFar.hops.length;
  if (index !== expected) yield broken('sequence', 'hop', `the index ${expected}`, index);
  const before = soFar.evidence;
  soFar.add(hop);
  yield* hopLaws(soFar, before, question.budget);
}

/** Checks that the evidence comes first; documents refused as duplicates may stand among it. */
function* firstLaws(ranking: readonly string[], { evidence, hops }: HopsSoFar): LawCheck {
  const kept = distinctDocuments(evidence);
  const ids = new Set(kept);
  let others = hops.reduce((sum, hop) => sum + refusalCount(hop, 'duplicate'), 0);
  let index = 0;
  for (const id of kept) {
    // A duplicate stands behind the item that has its text.
    while (index > 0 && others > 0 && index < ranking.length && !ids.has(ranking[index]!)) {
      index++;
      others--;
    }
    if (ranking[index] !== id)
      yield broken(
        'ranking',
        `ranking[${index}]`,
        `"${id}": the documents of the evidence first, in its order`,
        ranking[index],
      );
    index++;
  }
}

function* contextLaws(event: EventOf<'context'>, { soFar, question }: Open): LawCheck {
  const { evidence, ranking, diagnostic, context } = event;
  yield* evidenceLaws(evidence, soFar);
  yield* rankingLaws(ranking, soFar, 'ranking');
  yield* firstLaws(ranking, soFar);
  if (diagnostic) yield* rankingLaws(diagnostic.documents, soFar, diagnostic.name);
  if (context.name !== question.context)
    yield broken('evidence', 'context', `the context "${question.context}"`, context.name);
  for (const [index, part] of context.parts.entries()) {
    const item = evidence.find(({ id }) => id === part.id);
    const inside = part.start <= part.end && part.end <= context.text.length;
    if (item?.documentId !== part.documentId || !inside)
      yield broken(
        'evidence',
        `context, parts[${index}]`,
        'an item of the evidence and its range in the text',
        part,
      );
  }
  yield* tokenLaws(event, soFar.spent);
}

/** Checks that the evidence is what the hops kept and did not withdraw, in order. */
function* evidenceLaws(evidence: readonly Evidence[], { evidence: kept }: HopsSoFar): LawCheck {
  const count = Math.max(evidence.length, kept.length);
  for (let index = 0; index < count; index++) {
    const [item, expected] = [evidence[index], kept[index]];
    const where = `evidence[${index}]`;
    const { id, documentId, score } = expected ?? {};
    if (item?.id !== id || item?.documentId !== documentId || item?.score !== score)
      yield broken(
        'evidence',
        where,
        expected
          ? `"${id}" of document "${documentId}" with score ${score}, as the hops chose it`
          : 'no further item: the hops chose none',
        item,
      );
    if (expected?.spans && JSON.stringify(item?.spans) !== JSON.stringify(expected.spans))
      yield broken('evidence', where, `the spans ${JSON.stringify(expected.spans)}`, item?.spans);
  }
}

function* rankingLaws(
  ranking: readonly string[],
  { documents, found, unlisted }: HopsSoFar,
  where: string,
): LawCheck {
  const seen = new Set<string>();
  for (const [index, id] of ranking.entries()) {
    if (seen.has(id)) yield broken('ranking', `${where}[${index}]`, 'every document once', id);
    if (unlisted === 0 && !documents.has(id))
      yield broken('ranking', `${where}[${index}]`, 'a document of a hit', id);
    seen.add(id);
  }
  if (ranking.length > found)
    yield broken('ranking', where, `at most the ${found} documents of hits`, ranking.length);
}

function* tokenLaws({ context, evidence }: EventOf<'context'>, spent: Usage): LawCheck {
  const words = countWords(context.text);
  if (context.tokens !== words)
    yield broken('costs', 'context, tokens', `the ${words} word runs of its text`, context.tokens);
  // A run whose evidence could not be read has an empty context; `endLaws` checks that it says so.
  const unread = evidence.length > 0 && context.text === '';
  if (!unread && context.tokens !== (spent.contextTokens ?? 0))
    yield broken(
      'costs',
      'context, tokens',
      `the ${spent.contextTokens ?? 0} context tokens that the hops spent`,
      context.tokens,
    );
}

function* answerLaws(answer: Answer, evidence: readonly Evidence[], manifest: Manifest): LawCheck {
  const words = answer.kind === 'abstained' ? answer.reason : answer.text;
  if (words === '') yield broken('answer', 'answer', 'an answer or a reason in words', answer);
  // An agent of another library may answer from what its model knows.
  const needsEvidence = !Object.hasOwn(manifest, 'agent');
  if (answer.kind !== 'abstained' && evidence.length === 0 && needsEvidence)
    yield broken('answer', 'answer', 'an abstention, because there is no evidence', answer.kind);
  for (const [index, citation] of citationsOfAnswer(answer).entries())
    if (!citesEvidence(citation, evidence))
      yield broken('answer', `answer, citations[${index}]`, 'a span of the evidence', citation);
}

function* endLaws({ spent, stopped }: EventOf<'end'>, { soFar, context }: Open): LawCheck {
  const costs = (expected: string, received: unknown): BrokenLaw =>
    broken('costs', 'end, spent', expected, received);
  const { hops, spent: sum } = soFar;
  for (const name of ['documents', 'contextTokens'] as const)
    if ((spent[name] ?? 0) !== (sum[name] ?? 0))
      yield costs(`${sum[name] ?? 0} ${name}, the sum over the hops`, spent[name]);
  if ((spent.hops ?? 0) !== hops.length) yield costs(`${hops.length} hops`, spent.hops);
  for (const [name, amount] of Object.entries(sum))
    if ((spent[name as keyof Usage] ?? 0) < amount)
      yield costs(`at least the ${amount} ${name} of the hops`, spent[name as keyof Usage]);
  if (context!.evidence.length > 0 && context!.context.text === '' && sum.contextTokens && !stopped)
    yield broken('evidence', 'end', 'the reason for an empty context of evidence', stopped);
  yield* stopLaws(hops.at(-1)?.incomplete, stopped);
}

/** Checks that an incomplete hop was ended by what stopped the run. */
function* stopLaws(incomplete: Hop['incomplete'], stopped: Stopped | undefined): LawCheck {
  if (incomplete === undefined) return;
  const by = stopped?.by === 'limit' ? stopped.limit : stopped?.by;
  if (by !== incomplete)
    yield broken('sequence', 'end, stopped', `"${incomplete}", which ended the last hop`, stopped);
}
