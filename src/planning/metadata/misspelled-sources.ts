/**
 * Finds sources that a question names with a misspelling, or without capitals: by one edit in one
 * word of a name of the catalogue.
 */
import { isTransposition, MisspellingIndex } from '../../text/one-edit.ts';
import { SpanIndex } from '../../text/span-index.ts';
import { capitalsTell, isCitedAt } from './citing-words.ts';
import type { SourceAlias, SourceMention } from './source-names.ts';

/** A mention that is not spelled as in the catalogue. */
export interface MisspelledSource extends SourceMention {
  /** The catalogue's name or the alias that is meant. */
  readonly spelling: string;
}

interface Spelling {
  readonly alias: SourceAlias;
  /** Its words in lower case. */
  readonly words: readonly string[];
}

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The difference of a span from a spelling: case alone, a transposition, or another edit. */
type Edit = 'case' | 'transposition' | 'other';
const EDITS: readonly Edit[] = ['case', 'transposition', 'other'];

interface Candidate {
  readonly spelling: Spelling;
  readonly from: number;
  readonly edit: Edit;
}

const tokensOf = (text: string): Token[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));

/** Number of UTF-16 units before a name that are read for the word before it. */
const NEAR = 60;
/** A name may be cited through one that is found later: "techcrunch and acme article". */
const MOST_ROUNDS = 8;
/** Between two words of a name: "Sports Writers", "The Roar | Sports", "CBSSports.com". */
const GAP = /^(?:\s?[|&:–-]?\s?|\.)$/u;

/** An index of the spellings of sources by their words, for one catalogue. */
export class SourceSpellings {
  private readonly byFirst: ReadonlyMap<string, readonly Spelling[]>;
  private readonly index: MisspellingIndex;
  /** Letters of the longest word: a text's longer word is no misspelling of one. */
  private readonly longest: number;
  /** The number of distinct words, for the size of caches. */
  readonly size: number;

  constructor(aliases: readonly SourceAlias[]) {
    const spellings = aliases
      .map((alias): Spelling => ({ alias, words: tokensOf(alias.text).map(({ word }) => word) }))
      .filter(({ words }) => words.length > 0);
    this.byFirst = Map.groupBy(spellings, ({ words }) => words[0]!);
    const words = new Set(spellings.flatMap(each => each.words));
    this.index = new MisspellingIndex(words);
    this.longest = Math.max(0, ...Array.from(words, word => word.length));
    this.size = words.size;
  }

  /**
   * Returns mentions in order, without overlaps, longest names first; none overlaps a mention in
   * `known`, except one that it contains ("The Roar" in "The Roar | Sports Wirters Blog"). At most
   * one word of a name is misspelt, by one edit. Where `capitals` tell names from words, a name of
   * one word must be capitalised and part of no longer capitalised name; where they do not, or its
   * edit is no transposition, the text must cite it. Time grows with the number of words.
   */
  find(
    text: string,
    known: readonly SourceMention[],
    capitals: boolean = capitalsTell(text),
  ): MisspelledSource[] {
    const tokens = tokensOf(text);
    const candidates = this.candidates(text, tokens).filter(
      // A name in another case is no mention where capitals tell.
      ({ edit }) => !capitals || edit !== 'case',
    );
    const found: MisspelledSource[] = [];
    const joinable = (start: number, end: number): SourceMention[] => [
      ...mentions.overlapping(start - NEAR, end + NEAR),
      ...places.overlapping(start - NEAR, end + NEAR),
    ];
    const opening = /[\p{L}\p{N}]/u.exec(text)?.index ?? 0;
    const mentions = new SpanIndex(known);
    const places = new SpanIndex<MisspelledSource>();
    for (let [before, round] = [-1, 0]; before < found.length && round < MOST_ROUNDS; round++) {
      before = found.length;
      for (const { spelling, from, edit } of candidates) {
        const { alias, words } = spelling;
        const [start, end] = [tokens[from]!.start, tokens[from + words.length - 1]!.end];
        const contains = (other: SourceMention): boolean =>
          start <= other.start && other.end <= end && other.end - other.start < end - start;
        if (places.overlaps(start, end)) continue;
        if (!mentions.overlapping(start, end).every(contains)) continue;
        if (words.length === 1) {
          if (capitals && !isNameAlone(text, start, end)) continue;
          // The first word of a text has a capital whatever it is.
          const sure = capitals && edit === 'transposition' && start > opening;
          if (!sure && !isCitedAt(text, start, end, joinable(start, end))) continue;
        }
        const mention = { names: alias.names, spelling: alias.text, start, end };
        found.push(mention);
        places.add(mention);
      }
    }
    return found.sort((a, b) => a.start - b.start);
  }

  /** Returns the spellings that fit somewhere with at most one misspelt word. */
  private candidates(text: string, tokens: readonly Token[]): Candidate[] {
    const near = tokens.map(({ word }) =>
      word.length > this.longest + 1 ? [] : this.index.near(word),
    );
    const candidates = tokens.flatMap(({ word }, from) =>
      [word, ...near[from]!].flatMap(first =>
        (this.byFirst.get(first) ?? []).flatMap((spelling): Candidate[] => {
          const edit = editOf(spelling, text, tokens, near, from);
          return edit === undefined ? [] : [{ spelling, from, edit }];
        }),
      ),
    );
    return candidates.sort(
      (a, b) =>
        b.spelling.alias.text.length - a.spelling.alias.text.length ||
        EDITS.indexOf(a.edit) - EDITS.indexOf(b.edit) ||
        a.from - b.from ||
        Number(b.spelling.alias.full) - Number(a.spelling.alias.full) ||
        (a.spelling.alias.text < b.spelling.alias.text ? -1 : 1),
    );
  }
}

function editOf(
  { words }: Spelling,
  text: string,
  tokens: readonly Token[],
  near: readonly (readonly string[])[],
  from: number,
): Edit | undefined {
  let edit: Edit = 'case';
  for (const [place, word] of words.entries()) {
    const token = tokens[from + place];
    if (!token) return undefined;
    if (place > 0 && !GAP.test(text.slice(tokens[from + place - 1]!.end, token.start)))
      return undefined;
    if (token.word === word) continue;
    if (edit !== 'case' || !near[from + place]!.includes(word)) return undefined;
    edit = isTransposition(token.word, word) ? 'transposition' : 'other';
  }
  return edit;
}

/** Returns true for a capitalised word without capitalised neighbours. */
const isNameAlone = (text: string, start: number, end: number): boolean =>
  /^\p{Lu}/u.test(text.slice(start, start + 2)) &&
  !/\p{Lu}[\p{L}\p{N}’'.-]*\s$/u.test(
    text
      .slice(Math.max(0, start - NEAR), start)
      .replace(/(?:^|(?<=[\s"“‘']))\p{Lu}\p{L}*\s$/u, opener =>
        OPENERS.test(opener) ? '' : opener,
      ),
  ) &&
  !/^\s\p{Lu}/u.test(text.slice(end));

/** Words that open a sentence or a name and are no part of the name that follows. */
const OPENERS =
  /^(?:The|A|An|Did|Does|Do|Has|Have|Had|Is|Are|Was|Were|If|After|Before|Since|While|Between|Considering|In|On|By|From|For|Per|Both|Based|To)\s$/;
