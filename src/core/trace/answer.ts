/** Declares what reading the evidence results in: an answer, or an abstention with its reason. */

/** A span of a document that an answer rests on. `id` is the id of the evidence item. */
export interface Citation {
  readonly id: string;
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
}

/** The reader's confidence in its answer; a fitted curve makes it a probability. */
export interface Confidence {
  /**
   * One of several named things, yes or no, or a text of the evidence; `value` is any of these of
   * documents under headings, whose share is the probability itself.
   */
  readonly form: 'choice' | 'verdict' | 'span' | 'value';
  /** Share of the answer among the candidates, from 0 to 1. */
  readonly share: number;
}

/** A text that a reader considered, and the probability that it is the answer. */
export interface Alternative {
  readonly text: string;
  /** From 0 to 1. */
  readonly probability: number;
}

/** A sentence of an answer, by offsets in its text (UTF-16 units), and what it cites. */
export interface CitedSentence {
  readonly start: number;
  readonly end: number;
  readonly citations: readonly Citation[];
}

/** A text, number or boolean of an answer that has a schema, and what it cites. */
export interface CitedField {
  /** Names of fields and indexes of lists from the value down; empty for the value itself. */
  readonly path: readonly (string | number)[];
  readonly citations: readonly Citation[];
  /** True if the cited passages do not hold it. */
  readonly unsupported?: true;
  /**
   * True of a boolean whose passages are about the question: words cannot tell true from false, so
   * `support` leaves it out.
   */
  readonly unjudged?: true;
}

/** The limit at which a reply of a model was cut. */
export interface Cut {
  /** Tokens that the reply could have. */
  readonly tokens?: number;
  /** Milliseconds that it could take. */
  readonly ms?: number;
  /** True if its model still thought, and had begun no answer. */
  readonly thinking?: true;
}

/**
 * The result of reading.
 * `evidence`: the reader does not answer but shows what supports the question best; answer measures
 * are undefined for it.
 * `support` is on the reader's own scale from 0 to 1; a withheld answer stands in the trace but is
 * not given to the user.
 * `probability`, from 0 to 1, is that of the answer being right, fitted on other domains; missing
 * where the reader states none. `confidence` is what it follows from, `alternatives` are the next
 * best texts.
 * `below`: the least probability that was asked for, if the answer is withheld for nothing else.
 * `unsupported`: sentences of the answer that the passages which it cites do not hold; missing
 * where there are none, and where nobody looked.
 * `sentences`: those of an answer in free form, in order, each with its own citations; missing
 * elsewhere.
 * `fields`: those of an answer that has a schema, whose text is its JSON; missing elsewhere.
 * `dropped`: numbers that the answer cited and under which nothing was shown; missing where there
 * are none.
 * `unread`: parts of the context that the reader did not read to their end, for want of room;
 * missing where there are none.
 * `cut`: the limit at which the reply of the reader's model was cut; missing if it came to its end.
 * `readBy`: the reader whose answer it is, if that of the trace left it to another, or needs a port
 * that failed.
 * `sides`: for each claim of a question whose evidence the reader does not judge, what it found on
 * it; missing where there are none.
 * `questionType`: what the reader, or else the strategy, took the question for, `null` for one that
 * has no answer here; missing where neither says.
 */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly citations: readonly Citation[];
      readonly support?: number;
      readonly probability?: number;
      readonly confidence?: Confidence;
      readonly alternatives?: readonly Alternative[];
      readonly unsupported?: readonly string[];
      readonly sentences?: readonly CitedSentence[];
      readonly fields?: readonly CitedField[];
      readonly dropped?: readonly number[];
      readonly unread?: number;
      readonly cut?: Cut;
      readonly readBy?: string;
      readonly questionType?: string;
    }
  | {
      readonly kind: 'evidence';
      readonly text: string;
      readonly citations: readonly Citation[];
      readonly support?: number;
      readonly readBy?: string;
      readonly questionType?: string;
    }
  | {
      readonly kind: 'abstained';
      readonly reason: string;
      readonly support?: number;
      readonly probability?: number;
      readonly confidence?: Confidence;
      readonly alternatives?: readonly Alternative[];
      readonly below?: number;
      readonly dropped?: readonly number[];
      readonly withheld?: { readonly text: string; readonly citations: readonly Citation[] };
      readonly sides?: readonly {
        readonly claim: string;
        readonly citations: readonly Citation[];
      }[];
      readonly unread?: number;
      readonly cut?: Cut;
      readonly readBy?: string;
      readonly questionType?: string;
    };
