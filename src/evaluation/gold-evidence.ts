/**
 * Reads gold evidence for measures: its distinct documents, its facts, and those of them that stand
 * in a text.
 */
import { distinctDocuments } from '../core/ranking/ranking.ts';
import { foldWhitespaceAndPunctuation, isBlank, squash } from '../core/text/normalise.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Example } from './example.ts';

/** The distinct gold documents, in order of first appearance. */
export const goldDocuments = (example: Example): string[] => distinctDocuments(example.gold);

/** `S`: the distinct documents of the evidence. */
export const evidenceDocuments = (trace: Trace): Set<string> =>
  new Set(trace.evidence.map(item => item.documentId));

/** A null question has no answer in the corpus; its right answer is to refuse. */
export const isNull = (example: Example): boolean => example.type === 'null';

/**
 * The gold facts under `squash`, each once, in list order. Facts that squash to nothing are left
 * out.
 */
export function distinctSquashedFacts(example: Example): string[] {
  const facts = example.gold.map(gold => squash(gold.fact ?? ''));
  return [...new Set(facts)].filter(fact => fact !== '');
}

/**
 * Tells for every gold entry with a fact, in list order and with duplicates, whether the context
 * contains the fact verbatim, whitespace and punctuation folded on both sides. Leaves out facts
 * without a word.
 */
export function statedFacts(
  example: Example,
  trace: Trace,
): { readonly documentId: string; readonly stated: boolean }[] {
  const context = foldWhitespaceAndPunctuation(trace.context.text);
  const found: { documentId: string; stated: boolean }[] = [];
  for (const gold of example.gold) {
    if (gold.fact === undefined) continue;
    const fact = foldWhitespaceAndPunctuation(gold.fact);
    if (!isBlank(fact)) found.push({ documentId: gold.documentId, stated: context.includes(fact) });
  }
  return found;
}
