/** Declares claims, and what generates those of a document: rules, or a language model. */
import type { Document, Passage } from '../core/corpus/document.ts';
import type { Call } from '../core/trace/call.ts';

export interface Claim {
  /** The sentence, self-contained. */
  readonly text: string;
  /** The entity that it is about; empty if none is known. */
  readonly target: string;
  /** A short phrase for what it says of it; may be empty. */
  readonly topic: string;
  /** Up to two further entities. */
  readonly targets: readonly string[];
  /** False if the claim is the plain sentence because no other wording was supported by it. */
  readonly verified: boolean;
}

/** Returns the text by which a claim is found: target, topic and claim. */
export const claimText = ({ target, topic, text }: Claim): string =>
  [target, topic, text].filter(part => part !== '').join(' | ');

/** The claim of one sentence of a document. */
export interface SentenceClaim extends Claim {
  /** Position of the sentence in its document, from 0. */
  readonly sentence: number;
}

export interface ClaimGenerator {
  /** Names the model and every setting that changes its claims. */
  readonly id: string;
  /**
   * Returns the claims of the sentences that state facts, in their order: they depend on the
   * document alone. Throws `PortError` for faults of the environment.
   */
  generate(
    document: Document,
    sentences: readonly Passage[],
    call: Call,
  ): Promise<readonly SentenceClaim[]>;
}
