/**
 * Cuts a text into the word pieces of BERT's uncased vocabularies, as `BertTokenizerFast` does:
 * lower case without accents, a word for each punctuation mark and CJK character, then the longest
 * piece of the vocabulary first. A text that spells a special token, such as "[SEP]", is read as
 * its marks and letters, so that no passage can end itself.
 */
import { InputError } from '../../core/errors.ts';

/** The numbers of the pieces of a text, at most `most` of them. */
export type WordPieces = (text: string, most: number) => number[];

export interface Vocabulary {
  readonly ids: ReadonlyMap<string, number>;
  readonly unknown: number;
  /** [CLS], which begins a pair. */
  readonly start: number;
  /** [SEP], which ends each text of it. */
  readonly end: number;
  /** UTF-16 units of the longest token: no longer piece is looked up. */
  readonly longest: number;
}

/** Code points; a longer word is unknown. */
const LONGEST_WORD = 100;
const CONTINUED = '##';
/** The pieces of so many words are remembered: the passages of a question share most words. */
const REMEMBERED_WORDS = 4096;

/** Controls, formats, private and lone halves, but for white space; and U+FFFD. */
const DROPPED = /\ufffd|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const NOT_ASCII = /[^\0-\x7f]/;
const CJK =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const MARKS = /\p{Mn}/gu;
/** ASCII punctuation counts whatever its category, as `$` and `+`. */
const WORDS = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

/**
 * Numbers the tokens by their order. Throws `InputError('bad-vocabulary')` for a token that stands
 * there twice and where a special token is missing.
 */
export function vocabularyOf(tokens: readonly string[]): Vocabulary {
  const ids = new Map(tokens.map((token, id) => [token, id]));
  if (ids.size < tokens.length) {
    const twice = tokens.find((token, id) => ids.get(token) !== id)!;
    throw new InputError('bad-vocabulary', 'The vocabulary of a ranker', {
      expected: 'each token once',
      received: `${JSON.stringify(twice.slice(0, 80))} twice`,
    });
  }
  const special = (token: string): number => {
    const id = ids.get(token);
    if (id !== undefined) return id;
    throw new InputError('bad-vocabulary', `The vocabulary of a ranker has no ${token}`, {
      expected: '[UNK], [CLS] and [SEP] among the tokens',
      received: `${tokens.length} tokens`,
    });
  };
  return {
    ids,
    unknown: special('[UNK]'),
    start: special('[CLS]'),
    end: special('[SEP]'),
    longest: tokens.reduce((most, token) => Math.max(most, token.length), 0),
  };
}

export function wordPieces(vocabulary: Vocabulary): WordPieces {
  const known = new Map<string, readonly number[]>();
  const piecesOf = (word: string): readonly number[] => {
    const before = known.get(word);
    if (before) return before;
    const pieces = piecesOfWord(word, vocabulary);
    if (word.length > LONGEST_WORD) return pieces;
    if (known.size >= REMEMBERED_WORDS) known.clear();
    known.set(word, pieces);
    return pieces;
  };
  return (text, most) => {
    const found: number[] = [];
    for (const [word] of plainText(text).matchAll(WORDS)) {
      if (found.length >= most) break;
      found.push(...piecesOf(word));
    }
    return found.slice(0, most);
  };
}

/** The text in lower case, without accents and control characters, CJK characters set apart. */
function plainText(text: string): string {
  const kept = text.replace(DROPPED, '');
  if (!NOT_ASCII.test(kept)) return kept.toLowerCase();
  // `toLowerCase` writes a sigma at the end of a word otherwise; BERT reads letter by letter.
  return kept
    .replace(CJK, ' $& ')
    .normalize('NFD')
    .replace(MARKS, '')
    .replaceAll('Σ', 'σ')
    .toLowerCase();
}

function piecesOfWord(word: string, { ids, unknown, longest }: Vocabulary): number[] {
  const characters = [...word];
  if (characters.length > LONGEST_WORD) return [unknown];
  const pieces: number[] = [];
  for (let from = 0; from < characters.length; ) {
    const head = from > 0 ? CONTINUED : '';
    let to = Math.min(characters.length, from + longest);
    let id: number | undefined;
    while (to > from && (id = ids.get(head + characters.slice(from, to).join(''))) === undefined)
      to--;
    if (id === undefined) return [unknown];
    pieces.push(id);
    from = to;
  }
  return pieces;
}
