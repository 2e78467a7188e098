/**
 * Finds sources that a question names with a misspelling, or without capitals: by one edit in one
 * word of a name of the catalogue.
 */

import { inSteps, type Steps } from '../../../core/steps.ts';
import { isTransposition, MisspellingIndex } from '../../../core/text/one-edit.ts';
import { SpanIndex } from '../../../core/text/span-index.ts';
import { capitalsTell, isCitedAt, OPENINGS } from './citing-words.ts';
import type { SourceAlias, SourceMention } from './source-names.ts';

/** A mention that is not spelled as in the catalogue. */
export interface MisspelledSource extends SourceMention {
  /** The catalogue's name or the alias that is meant. */
  readonly spelling: string;
}

/** The spellings of sources, word by word in lower case. */
interface Node {
  readonly after: Map<string, Node>;
  /** Spellings that end here. */
  readonly ends: SourceAlias[];
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
  readonly alias: SourceAlias;
  readonly from: number;
  /** The number of its words. */
  readonly words: number;
  readonly edit: Edit;
}

const tokensOf = (text: string): Token[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));

/** Names or words between two pauses of the preparation. */
const STEP = 1024;
/** Number of UTF-16 units before a name that are read for the word before it. */
const NEAR = 60;
/** A name may be cited through one that is found later: "techcrunch and acme article". */
const MOST_ROUNDS = 8;
/** Between two words of a name: "Sports Writers", "The Roar | Sports", "CBSSports.com". */
const GAP = /^(?:\s?[|&:–-]?\s?|\.)$/u;

/** An index of the spellings of sources by their words, for one catalogue. */
export class SourceSpellings {
  private readonly root: Node;
  private readonly index: MisspellingIndex;
  /** Letters of the longest word: a text's longer word is no misspelling of one. */
  private readonly longest: number;
  /** The number of distinct words, for the size of caches. */
  readonly size: number;

  private constructor(root: Node, index: MisspellingIndex, longest: number, size: number) {
    this.root = root;
    this.index = index;
    this.longest = longest;
    this.size = size;
  }

  /** Indexes the spellings of a catalogue, in steps. */
  static *prepare(aliases: readonly SourceAlias[]): Steps<SourceSpellings> {
    const root = newNode();
    const words = new Set<string>();
    let longest = 0;
    yield* inSteps(aliases, STEP, alias => {
      let node = root;
      for (const { word } of tokensOf(alias.text)) {
        words.add(word);
        longest = Math.max(longest, word.length);
        node = nodeAfter(node, word);
      }
      if (node !== root) node.ends.push(alias);
    });
    const index = new MisspellingIndex();
    yield* inSteps(words, STEP, word => index.add(word));
    return new SourceSpellings(root, index, longest, words.size);
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
      for (const { alias, from, words, edit } of candidates) {
        const [start, end] = [tokens[from]!.start, tokens[from + words - 1]!.end];
        const contains = (other: SourceMention): boolean =>
          start <= other.start && other.end <= end && other.end - other.start < end - start;
        if (places.overlaps(start, end)) continue;
        if (!mentions.overlapping(start, end).every(contains)) continue;
        if (words === 1) {
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
    const candidates: Candidate[] = [];
    for (const from of tokens.keys()) {
      // The spellings that fit so far, with at most one misspelt word each.
      let open: readonly Fit[] = [{ node: this.root, edit: 'case' }];
      for (let at = from; open.length > 0 && at < tokens.length; at++) {
        if (at > from && !GAP.test(text.slice(tokens[at - 1]!.end, tokens[at]!.start))) break;
        open = open.flatMap(fit => continued(fit, tokens[at]!.word, near[at]!));
        for (const { node, edit } of open)
          for (const alias of node.ends)
            candidates.push({ alias, from, edit, words: at - from + 1 });
      }
    }
    return candidates.sort(
      (a, b) =>
        b.alias.text.length - a.alias.text.length ||
        EDITS.indexOf(a.edit) - EDITS.indexOf(b.edit) ||
        a.from - b.from ||
        Number(b.alias.folds) - Number(a.alias.folds) ||
        (a.alias.text < b.alias.text ? -1 : 1),
    );
  }
}

interface Fit {
  readonly node: Node;
  readonly edit: Edit;
}

const newNode = (): Node => ({ after: new Map(), ends: [] });

function nodeAfter(node: Node, word: string): Node {
  let next = node.after.get(word);
  if (!next) node.after.set(word, (next = newNode()));
  return next;
}

/** Returns how a fit goes on with the next word of the text, or one that it may misspell. */
function continued({ node, edit }: Fit, word: string, near: readonly string[]): Fit[] {
  const fits: Fit[] = [];
  const same = node.after.get(word);
  if (same) fits.push({ node: same, edit });
  for (const other of edit === 'case' ? near : []) {
    const next = node.after.get(other);
    if (!next) continue;
    fits.push({ node: next, edit: isTransposition(word, other) ? 'transposition' : 'other' });
  }
  return fits;
}

/** Returns true for a capitalised word without capitalised neighbours. */
const isNameAlone = (text: string, start: number, end: number): boolean =>
  /^\p{Lu}/u.test(text.slice(start, start + 2)) &&
  !/\p{Lu}[\p{L}\p{N}’'.-]*\s$/u.test(
    text
      .slice(Math.max(0, start - NEAR), start)
      .replace(/(?:^|(?<=[\s"“‘']))\p{Lu}\p{L}*\s$/u, opener =>
        OPENER.test(opener) ? '' : opener,
      ),
  ) &&
  !/^\s\p{Lu}/u.test(text.slice(end));

const OPENER = new RegExp(String.raw`^(?:${OPENINGS})\s$`);
