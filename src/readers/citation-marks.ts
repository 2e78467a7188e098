/**
 * Finds the marks by which a written answer cites passages by number, as models write them: `[2]`,
 * `[1-3]`, `[source 5]`, `(5)`, `(passages 1 and 3)`, `<<passage 5>>`, "according to passage 5".
 */

/** A mark with its place in the text. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly numbers: readonly number[];
  /** Missing for a phrase that is part of its sentence: "Passage 5 says so." */
  readonly removed: boolean;
}

/** Nouns by which answers mention what was shown; others, as "number 5", may be of the world. */
const SHOWN =
  'passages?|sources?|excerpts?|quellen?|passagen|fuentes?|pasajes?|passagens?|fontes?|passaggi|passaggio|fonti|bronnen?|источники?|отрывк[аеуи]|отрывок|段落|来源|來源|출처|문단';
const NOUN = `(?:${SHOWN}|documents?|docs?|references?|refs?|texts?|nos?|numbers?|abschnitte?|dokumente?|documentos?|文档|資料)\\.?`;
const AND = '(?:\\s{0,2}(?:[,;&、，]|and|und|et|y|e|en|и|和|と)\\s{0,2}){1,2}';
const RANGE = '\\d{1,3}(?:\\s{0,2}(?:-|–|—|to|bis|à)\\s{0,2}\\d{1,3})?';
/** One of `^1`, `#1`, `passage 1`, or a list of them; never a number of four digits, as years. */
const ITEM = `(?:\\^|#|${NOUN}\\s{0,3}(?:#|:|nos?\\.)?\\s{0,3})?${RANGE}(?:†[^\\]】]{0,40})?`;
const LIST = `${ITEM}(?:${AND}${ITEM}){0,30}`;
const SQUARE = `\\\\?[\\[【［]\\s{0,4}${LIST}\\s{0,4}\\\\?[\\]】］](?!\\()`;
/** A raised mark; a bare number behind a short word is a power, as in "km<sup>2</sup>". */
const RAISED = `<sup>\\s{0,2}${SQUARE}\\s{0,2}</sup>|(?<=[.!?,;:)"”。，\\s]|\\p{L}{4})<sup>\\s{0,2}${LIST}\\s{0,2}</sup>`;
const ANGLE = `<{1,2}\\s{0,2}${NOUN}\\s{0,2}${RANGE}\\s{0,2}>{1,2}`;
const SEE = '(?:see|cf\\.?|per|from|siehe|vgl\\.?|voir|véase|ver|см\\.?|参见|見)\\s{1,3}';
const ONE = `(?:${SQUARE}|${ANGLE}|${RAISED})`;
const RUN = `${ONE}(?:(?:${AND})?[ \\t]{0,3}${ONE}){0,30}`;
const named = (noun: string): string =>
  `${noun}\\s{0,3}(?:#|:|nos?\\.)?\\s{0,3}${RANGE}(?:${AND}(?:${noun}\\s{0,3})?${RANGE}){0,30}`;
const NAMED = named(`(?:${SHOWN})`);
const REFERRED = named(
  `(?:${SHOWN}|documents?|docs?|references?|refs?|dokumente?|documentos?|文档|資料)\\.?`,
);
/** The line at the end that lists what was used. */
const TAIL = new RegExp(
  `(?:^|\\n|(?<=[.!?。]\\s{0,3}))[ \\t]{0,4}[*_(]{0,3}(?:sources?|citations?|references?|passages?|cited passages|quellen|sources citées|fuentes|fontes|fonti|bronnen|источники|来源|來源|出典|출처)[*_]{0,3}\\s{0,2}[:：][*_]{0,3}\\s{0,3}(?:${RUN}|${LIST})\\s{0,2}[.)]{0,2}\\s{0,20}$`,
  'giu',
);

/** Code has no marks: `list[0]`. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
/** The end of the passages, which a model may repeat. */
const END = '<{2}end>{2}';
const BRACKETED = new RegExp(
  [
    `[ \\t]{0,8}(?:[(（]\\s{0,3}(?:${SEE})?(?:${NOUN}\\s?:?\\s?)?${RUN}\\s{0,3}[)）]|${RUN}|${END})`,
    `[ \\t]{0,8}[(（]\\s{0,3}(?:${SEE})?${REFERRED}\\s{0,3}[)）]`,
  ].join('|'),
  'giu',
);
/** A number in round brackets after white space or a stop, which ends a clause. */
const ROUND = new RegExp(
  `(?<=^|\\d{4}|[\\p{L}\\p{M}"”»'’%)\\].,;!?。！？、])[ \\t]{0,8}[(（]\\s{0,2}(${RANGE}(?:${AND}${RANGE}){0,30})\\s{0,2}[)）](?=\\s{0,2}(?:[.,;:!?。，、！？(（\\[]|$)|[ \\t]{0,8}\\n)`,
  'giu',
);
const STATES = '(?:stated|mentioned|described|said|noted|shown|reported|given|found|explained)';
/** A phrase that says nothing else. */
const ACCORDING = new RegExp(
  `(?<=^|[.!?]\\s|\\n)(?:according to|based on|as ${STATES} (?:in|by)|as per|per|from|in|laut|gemäß|nach|selon|d['’]après|según|segundo|secondo|volgens)\\s(?:the\\s)?${NAMED}\\s{0,2}[,，]\\s{0,2}|,?\\s(?:according to|based on|as (?:is )?${STATES} (?:in|by)|as per|per|laut|gemäß|selon|d['’]après|según|secondo|volgens)\\s(?:the\\s)?${NAMED}(?=\\s{0,2}(?:[.!?;]|$))`,
  'giu',
);
const PHRASE = new RegExp(`(?<![\\p{L}\\p{N}])${NAMED}(?![\\p{L}\\p{N}])`, 'giu');

/** A spelled number before its figure, as contracts write: "five (5)". */
const SPELLED =
  /(?:^|\P{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}{3,}teen|twenty|thirty|fifty|hundred|article|(?:sub)?section|(?:sub)?paragraph|clause|figure|table|chapter|step|version|item|rule|part|phase|type|grade|stage|level|annex|appendix|equation|vitamin|no)$/iu;

/** Greatest number of passages that a range names. */
const LONGEST_RANGE = 50;

/** Reads the numbers of a mark; a range that falls or is long is its two ends. */
function numbersIn(mark: string): number[] {
  const text = mark.replace(/†[^\]】]{0,40}/g, '');
  return Array.from(
    text.matchAll(/(\d{1,3})(?:\s{0,2}(?:-|–|—|to|bis|à)\s{0,2}(\d{1,3}))?/giu),
    ([, first, last]) => {
      const [from, to] = [Number(first), Number(last ?? first)];
      if (to < from || to - from >= LONGEST_RANGE) return [from, to];
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    },
  ).flat();
}

/**
 * Returns the marks of a text, ascending and disjoint. A number in round brackets is one only if
 * all its numbers are shown: an answer may count, "(5)" or "(1998)". Takes linear time.
 */
export function citationMarks(written: string, shown: ReadonlySet<number>): Mark[] {
  const marks: Mark[] = [];
  let taken = Array.from(
    written.matchAll(CODE),
    ({ 0: code, index }): Range => [index, index + code.length],
  );
  const read = (pattern: RegExp, removed: boolean, counts: (found: RegExpExecArray) => boolean) => {
    const found = [...written.matchAll(pattern)].filter(
      each => !overlaps(taken, each.index, each.index + each[0].length) && counts(each),
    );
    const read = found.map(({ 0: text, index }): Mark => {
      return { start: index, end: index + text.length, numbers: numbersIn(text), removed };
    });
    marks.push(...read);
    taken = [...taken, ...read.map(({ start, end }): Range => [start, end])].sort(
      ([a], [b]) => a - b,
    );
  };
  const isShown = ({ 0: text }: RegExpExecArray): boolean =>
    numbersIn(text).every(number => shown.has(number));
  read(TAIL, true, () => true);
  read(BRACKETED, true, found =>
    /[[【［<]/u.test(found[0]) ? !isIndex(found, written) || isShown(found) : isShown(found),
  );
  // A reply that cites in square brackets counts in round ones.
  const isRound = marks.length === 0;
  read(
    ROUND,
    true,
    found => isRound && isShown(found) && !SPELLED.test(before(written, found.index)),
  );
  read(ACCORDING, true, isShown);
  read(PHRASE, false, isShown);
  return marks.sort((a, b) => a.start - b.start);
}

/** Tells if brackets with a number hang on a word or hold an interval: `x[10]`, `[0, 1]`. */
const isIndex = ({ 0: text, index }: RegExpExecArray, written: string): boolean =>
  numbersIn(text).includes(0) ||
  (/^\\?[[【［]/u.test(text) && /[\p{L}\p{N}_]$/u.test(before(written, index)));

type Range = readonly [start: number, end: number];

/** Returns the characters before an offset that may spell a number. */
const before = (text: string, at: number): string => text.slice(Math.max(0, at - 20), at);

/** Returns a text without the phrases that name passages, which are no words of its answer. */
export const withoutPhrases = (text: string): string => text.replace(PHRASE, ' ');

/** Returns true if a range overlaps one of these, which ascend and are disjoint. */
function overlaps(taken: readonly Range[], start: number, end: number): boolean {
  let [low, high] = [0, taken.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (taken[middle]![1] <= start) low = middle + 1;
    else high = middle;
  }
  return low < taken.length && taken[low]![0] < end;
}
