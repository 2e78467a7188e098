/**
 * What measures ask of gold evidence: its distinct documents, its facts, and which of them stand in
 * a text.
 */
import { distinctDocuments } from '../ranking/ranking.ts';
import { foldWhitespaceAndPunctuation, isBlank, squash } from '../text/normalise.ts';
import type { ContextText, Trace } from '../trace/trace.ts';
import type { Example, Gold } from './example.ts';

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

// The same text is folded for several measures in a row; the memory goes with the trace.
const foldedContexts = new WeakMap<ContextText, string>();
const foldedFacts = new WeakMap<Gold, string>();

function foldedOnce<K extends object>(memory: WeakMap<K, string>, key: K, text: string): string {
  let folded = memory.get(key);
  if (folded === undefined) memory.set(key, (folded = foldWhitespaceAndPunctuation(text)));
  return folded;
}

/**
 * For every gold entry with a fact, in list order and with duplicates, whether the fact stands
 * verbatim in the context, whitespace and punctuation folded on both sides. A fact without a word
 * can be found nowhere and is left out.
 */
export function statedFacts(
  example: Example,
  trace: Trace,
): { readonly documentId: string; readonly stated: boolean }[] {
  const context = foldedOnce(foldedContexts, trace.context, trace.context.text);
  const found: { documentId: string; stated: boolean }[] = [];
  for (const gold of example.gold) {
    if (gold.fact === undefined) continue;
    const fact = foldedOnce(foldedFacts, gold, gold.fact);
    if (!isBlank(fact)) found.push({ documentId: gold.documentId, stated: context.includes(fact) });
  }
  return found;
}
