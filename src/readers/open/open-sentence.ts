/** Declares the passages and sentences of the evidence of an open question. */
import type { Mention } from '../../language/english/names/mentions.ts';

/** A sentence to read: its text and the index of its passage. */
export interface GivenSentence {
  readonly part: number;
  readonly text: string;
}

export interface OpenSentence {
  /** Index among all sentences. */
  readonly index: number;
  readonly passage: number;
  /** Place in its passage as shown, from 0. */
  readonly place: number;
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly stems: ReadonlySet<string>;
}

export interface OpenPassage {
  readonly title: string;
  /** The title without a part in parentheses. */
  readonly bare: string;
  readonly sentences: readonly OpenSentence[];
}
