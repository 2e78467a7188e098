/** Defines the report of a trace that breaks one of its laws. */

/**
 * Laws of a trace that its reader can check without the store.
 *
 * - `shape`: every event has the fields of its type.
 * - `sequence`: a question, its hops in order, context, answer, end; only the last hop is
 *   incomplete.
 * - `hits`: hits are in total order, each id once; a search that leaves hits out counts them.
 * - `references`: `from` names a search of an earlier hop; kept and rejected items are hits of the
 *   search that they name, of the same hop or an earlier one. Of a search that leaves hits out no
 *   more items are kept than it has hits.
 * - `choice`: a hop withdraws, orders and scores only evidence, and keeps nothing twice at once.
 * - `evidence`: the evidence equals what the hops kept less what they withdrew, in order.
 * - `ranking`: a ranking lists documents of hits, each once, those of the evidence first; where
 *   hits are left out, no more documents than there are hits.
 * - `costs`: documents and context tokens spent are those of the evidence; hops and searches are
 *   paid for.
 * - `answer`: an answer cites spans of the evidence; without evidence it abstains.
 */
export type TraceLaw =
  | 'shape'
  | 'sequence'
  | 'hits'
  | 'references'
  | 'choice'
  | 'evidence'
  | 'ranking'
  | 'costs'
  | 'answer';

/** One law that a trace breaks, and the place: `hop 1, kept[0]`. `expected` is a phrase. */
export interface BrokenLaw {
  readonly law: TraceLaw;
  readonly where: string;
  readonly expected: string;
  readonly received: unknown;
}

/** Yields the broken laws of one part of a trace; a caller that needs one takes the first. */
export type LawCheck = Generator<BrokenLaw, void, void>;

/** Returns the report of a broken law in one line. */
export function printBrokenLaw({ law, where, expected, received }: BrokenLaw): string {
  const json = JSON.stringify(received) ?? String(received);
  const shown = json.length <= 200 ? json : `${json.slice(0, 200)}...`;
  return `the law "${law}" is broken: ${where}: expected ${expected}, received ${shown}`;
}
