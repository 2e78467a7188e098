/**
 * Implements the evidence rule of the budgeted-agent paper: the conditions under which the selected
 * documents suffice for the answer.
 */
import { normAlnum } from '../core/text/normalise.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Example } from './example.ts';
import { evidenceDocuments, goldDocuments } from './gold-evidence.ts';

/**
 * Coverage that is enough for a yes or no. The paper gives no number; with at most three documents
 * every value in (2/3, 1] is the same.
 */
const TAU_HIGH = 0.75;

/**
 * Tells whether the evidence rule of the gold type of the question holds; undefined for types that
 * the paper does not have.
 */
export function evidenceSuffices(example: Example, trace: Trace): boolean | undefined {
  const gold = goldDocuments(example);
  if (gold.length === 0) return undefined;
  const selected = evidenceDocuments(trace);
  const coverage = gold.filter(id => selected.has(id)).length / gold.length;
  if (example.type === 'inference') return selected.has(gold.at(-1)!) && coverage >= 0.5;
  if (example.type !== 'comparison' && example.type !== 'temporal') return undefined;
  const verdict = ['yes', 'no'].includes(normAlnum(example.answers[0] ?? ''));
  return coverage === 1 || (verdict && coverage >= TAU_HIGH);
}
