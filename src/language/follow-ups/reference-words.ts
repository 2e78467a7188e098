/**
 * Declares the words of a language by which a follow-up refers to what was said before it.
 * `reference-tables.ts` lists them by language.
 */

/**
 * Kinds that a word may stand for; `either` where grammar does not tell persons from things, and a
 * person is likelier; `any` where nothing is.
 */
export type ReferentKind = 'person' | 'thing' | 'several' | 'place' | 'either' | 'any';

/** Words in lower case, separated by blanks, by what they stand for. */
export type WordsByKind = Readonly<Partial<Record<ReferentKind, string>>>;

export interface ReferenceWords {
  /** ISO 639-1. */
  readonly code: string;
  /** Words without content, by which a question shows its language. */
  readonly marks: ReadonlySet<string>;
  /** Matches "and" and the like at the beginning. */
  readonly opening: RegExp;
  /** Matches at the beginning what asks the question before about something else. */
  readonly about: RegExp;
  readonly pronouns: WordsByKind;
  readonly possessives: WordsByKind;
  /** Articles of what is known: a question of nothing else may be about what was said before. */
  readonly articles: string;
  /** Further words that begin a phrase for which a later pronoun may stand: "a", "my". */
  readonly determiners: string;
  /** Words that begin a further clause: "if". */
  readonly joins: string;
  /** Matches words such as "else", by which a question with names may refer back too. */
  readonly hints: RegExp;
  /** Words before a noun that name something known: "this". */
  readonly demonstratives: string;
  /** Matches words that refer back and do not say to what: "the second one". */
  readonly unnamed: RegExp;
  /** Matches phrases whose pronoun stands for nothing: "is there". */
  readonly idle: RegExp;
  /** Matches pronouns that may stand for nothing: "it". */
  readonly mayBeIdle: RegExp;
  /** Matches questions in which they may: of weather, of time, with a clause behind them. */
  readonly impersonal: RegExp;
  /** Matches words before a pronoun that it may stand for: "someone". */
  readonly bound: RegExp;
  /** Matches question words that a possessive behind their verb may stand for: "who". */
  readonly whose: RegExp;
  /** Match verbs that only persons, and only other things, are subjects of. */
  readonly ofPersons: RegExp;
  readonly ofThings: RegExp;
  /** Articles and prepositions that may stand before a name in "And in Berlin?". */
  readonly links: string;
  /** Matches at the beginning what asks for a person, where no table of the language says so. */
  readonly who?: RegExp;
  /** Question words that may take each other's place: "when", "where". */
  readonly adjuncts: string;
  /**
   * Puts a name in the place of a word; missing where the name is added at the end, as words agree
   * with or lean on others.
   */
  readonly replacing?: {
    /** Returns the name as an owner: "Acme's". */
    owner(name: string): string;
    /** The preposition of places: "in". */
    readonly at: string;
  };
  /** True if a subject may be missing: "¿Cuándo murió?". */
  readonly dropsSubjects: boolean;
}
