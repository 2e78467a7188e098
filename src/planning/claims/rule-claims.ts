/** Generates the claims of a document by rules, for a claim base that needs no model. */
import type { Document } from '../../core/corpus/document.ts';
import { stemOf } from '../../language/english/words/stems.ts';
import type { ClaimGenerator } from '../../models/claim-generator.ts';
import { aboutOf } from '../paragraphs.ts';
import { ClaimSpace } from './claim-space.ts';
import { entitiesOf } from './entities.ts';
import { FACT_TOKENS, isFact } from './facts.ts';
import { type ClaimSource, writeClaim } from './write-claim.ts';

type Span = { readonly start: number; readonly end: number };

/** Returns a sentence of a document as the rules read it. */
export function sourceOf(
  { title, text, metadata }: Document,
  { start, end }: Span,
): Omit<ClaimSource, 'entities'> {
  return { sentence: text.slice(start, end), start, title, about: aboutOf(metadata) };
}

/** Weighs the words of topics by how rare they are in the document: claims depend on it alone. */
export const ruleClaims: ClaimGenerator = {
  id: 'rules',
  async generate(document, sentences) {
    const spans = sentences.map(({ start, end }) => [start, end] as const);
    const entities = entitiesOf(document, spans);
    const words = new ClaimSpace(sentences.map(({ text }) => text));
    const weight = (word: string): number => words.weight(stemOf(word));
    return sentences.flatMap((span, sentence) =>
      isFact(span.text, { minTokens: FACT_TOKENS })
        ? { sentence, ...writeClaim({ ...sourceOf(document, span), entities }, weight) }
        : [],
    );
  },
};
