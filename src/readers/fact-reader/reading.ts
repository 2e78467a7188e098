/**
 * Reads a question and its evidence: clauses, sentences, and the paired sentence of each clause.
 */
import { metadataText, publishedDay } from '../../core/corpus/document.ts';
import type { ContextText, Evidence } from '../../core/trace/trace.ts';
import type { Asked } from '../../language/asked.ts';
import type { MetadataCatalogue } from '../../language/catalogue.ts';
import { topicStems } from '../../language/english/words/topic-stems.ts';
import { heldShare, rarity } from '../features.ts';
import type { SaidSentence } from '../shown-sentences.ts';

/** A part of the context, with the fields of its header. */
export interface ReadPart {
  readonly documentId: string;
  readonly title: string;
  readonly source: string;
  readonly day: string;
}

/** A clause of the question, paired with the sentence that shares most with it. */
export interface ClauseFact {
  readonly text: string;
  readonly stems: readonly string[];
  /** Sources and days that the clause names. */
  readonly sources: readonly string[];
  readonly days: readonly { readonly from?: string; readonly to?: string }[];
  /** For each sentence, the weighted share of the clause's stems that it contains. */
  readonly shares: readonly number[];
  /**
   * Index of the sentence with the greatest share, among those of the sources that the clause names
   * if there are any; undefined without sentences.
   */
  readonly best: number | undefined;
  readonly share: number;
}

export interface FactReading {
  readonly asked: Pick<Asked, 'text' | 'sought' | 'cited'>;
  readonly catalogue: MetadataCatalogue;
  readonly parts: readonly ReadPart[];
  readonly sentences: readonly SaidSentence[];
  readonly facts: readonly ClauseFact[];
}

export function readFacts(
  asked: Asked,
  context: ContextText,
  evidence: readonly Evidence[],
  sentences: readonly SaidSentence[],
  catalogue: MetadataCatalogue,
): FactReading {
  const items = new Map(evidence.map(item => [item.id, item]));
  const parts = context.parts.map(({ id, documentId }): ReadPart => {
    const item = items.get(id);
    if (!item) return { documentId, title: '', source: '', day: '' };
    return {
      documentId,
      title: item.title,
      source: metadataText(item.metadata, 'source'),
      day: publishedDay(item.metadata),
    };
  });
  return {
    asked,
    catalogue,
    parts,
    sentences,
    facts: clauseFacts(asked, catalogue, parts, sentences),
  };
}

function clauseFacts(
  { text: question, cited: filter, clauses }: Asked,
  catalogue: MetadataCatalogue,
  parts: readonly ReadPart[],
  sentences: readonly SaidSentence[],
): ClauseFact[] {
  const weight = stemWeights(question, sentences);
  // A corpus that records no sources cannot be expected to hold their names.
  const unrecorded = catalogue.sources.length > 0 ? [] : filter.unknown;
  return clauses.flatMap(({ text, sources, days }): ClauseFact[] => {
    const sourceStems = topicStems([...sources, ...unrecorded].join(' '));
    const stems = [...topicStems(text)].filter(stem => !sourceStems.has(stem));
    if (stems.length === 0) return [];
    const weights = stems.map(stem => [stem, weight(stem)] as const);
    const shares = sentences.map(each => heldShare(weights, stem => each.said.topics.has(stem)));
    const isCited = sentences.map(({ part }) => sources.includes(parts[part]!.source));
    const fits = isCited.includes(true) ? isCited : sentences.map(() => true);
    let best: number | undefined;
    for (const [index, share] of shares.entries())
      if (fits[index] && (best === undefined || share > shares[best]!)) best = index;
    return [
      { text, stems, sources, days, shares, best, share: best === undefined ? 0 : shares[best]! },
    ];
  });
}

/** Weighs stems by their rarity in the shown sentences, as `Articles.weight` in whole articles. */
function stemWeights(
  question: string,
  sentences: readonly SaidSentence[],
): (stem: string) => number {
  const weights = new Map<string, number>();
  for (const stem of topicStems(question)) {
    const holding = sentences.filter(({ said }) => said.topics.has(stem)).length;
    weights.set(stem, rarity(sentences.length, holding));
  }
  return stem => weights.get(stem) ?? 1;
}
