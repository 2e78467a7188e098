/**
 * Defines the items of a lexical index: documents, passages or sentences, and their indexed fields.
 */
import {
  type Metadata,
  metadataText,
  publishedDay,
  statedLanguage,
} from '../../../core/corpus/document.ts';
import { languageTerm, stemmedLanguage, stemTerms } from '../../../language/stems/stems.ts';

/** One unit of retrieval. `text` is its own span; title and metadata are those of its document. */
export interface LexicalItem {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly metadata: Metadata;
}

/** Items in the order of their ids, made one by one: not all of them need be in memory. */
export interface LexicalItems extends Iterable<LexicalItem> {
  readonly length: number;
  /** About how many characters they have; counted if missing, which makes each item. */
  readonly characters?: number;
}

/**
 * Analysis that splits text into terms: `plain` for BM25, `s1` for the profile of the
 * budgeted-agent paper.
 */
export type Analysis = 'plain' | 's1';

/**
 * A text and its weight, the number of times that its terms count; further terms that stand beside
 * its own.
 */
export type Field = readonly [text: string, times: number, beside?: string];

/** The facts that S1 boosts by, in the order in which their boosts are added. */
export const BOOSTED_FACTS = ['source', 'category', 'day'] as const;
export type BoostedFact = (typeof BOOSTED_FACTS)[number];

/** Returns a boosted fact of an item as text; the empty string if it is missing. */
export function factOf(item: LexicalItem, fact: BoostedFact): string {
  return fact === 'day' ? publishedDay(item.metadata) : metadataText(item.metadata, fact);
}

/**
 * Returns the indexed fields in reading order. The repetitions of S1 are those of the profile S1
 * (docs/papers/budgeted-agent.md).
 */
export function indexedFields(item: LexicalItem, analysis: Analysis): readonly Field[] {
  const { title, text, metadata } = item;
  const source = metadataText(metadata, 'source');
  const category = metadataText(metadata, 'category');
  const author = metadataText(metadata, 'author');
  const day = publishedDay(metadata);
  if (analysis === 's1')
    return [
      [title, 4],
      [source, 3],
      [category, 2],
      [day, 3],
      [author, 2],
      [text, 1],
    ];
  const language = stemmedLanguage(statedLanguage(metadata));
  const own: readonly Field[] =
    language === undefined
      ? [
          [title, 1],
          [text, 1],
        ]
      : [
          [title, 1, stemTerms(title, language)],
          [text, 1, `${languageTerm(language)} ${stemTerms(text, language)}`],
        ];
  if (source === '' && author === '' && category === '' && day === '') return own;
  return [...own, [source, 1], [author, 1], [category, 1], [day, 1]];
}
