/** Declares an earlier turn of a conversation. */

export interface Turn {
  /** Its text, best the one that stands alone. */
  readonly question: string;
  /** Missing if there was none. */
  readonly answer?: string | undefined;
}
