/** Writes superscripts and subscripts into a line, so that each number keeps its value. */

/** Characters before a superscript on which it depends. */
export const MARKED_CHARACTERS = 100;

/** Ordinals and shortened words of English, French, Spanish, Portuguese, Italian and Dutch. */
const ENDINGS: ReadonlySet<string> = new Set(
  'st nd rd th er ers re res ère ères ème èmes me mes nd nde nds ndes os as ro do to vo mo ra da ta va na ma ste de lle lles gr te tes'.split(
    ' ',
  ),
);
/** Languages that write ordinals with a raised a or o; elsewhere these are a power and degrees. */
const RAISED_VOWEL = /^(?:es|pt|it|gl|ca|la)\b/i;
/** Ends a number, also a Roman one, or the word for number. */
const NUMBER_END = /(?:\p{N}|(?<!\p{L})(?:[IVXLC]+|[nN]))$/u;
/** Numbers, letters and signs, but no word. */
const EXPONENT = /^[\p{L}\p{N}\s.,/*·×+\-−–()^_|=!<>']{1,40}$/u;
const WORD = /\p{L}{3}/u;
const SINGLE = /^[+\-−–]?(?:\p{N}+(?:\.\p{N}+)?|\p{L}+)$|^\p{N}?[+\-−–]$/u;
const READABLE = /[\p{L}\p{N}]/u;

export interface RaisedMarks {
  /** The superscript leads to a note. */
  readonly isNote: boolean;
  readonly language: string;
}

/**
 * Returns what a superscript adds to the text before it, of which `end` is the end: "^6" behind 10,
 * "st" behind 1, "[1]" for the mark of a note.
 */
export function raised(end: string, stated: string, { isNote, language }: RaisedMarks): string {
  const text = stated.replace(/\s+/g, ' ').trim();
  if (!READABLE.test(text)) return text;
  if (isNote) return /^[[({]/.test(text) ? text : `[${text}]`;
  // Brackets set it apart, and above nothing it stands for itself, as in ¹⁴C.
  if (/^[[({]/.test(text) || !/[\p{L}\p{N})\]}]$/u.test(end)) return text;
  if (isEnding(end, text, language)) return text;
  if (/^o$/i.test(text) && /\p{N}$/u.test(end)) return '°';
  const isLabel = /\p{L}{2}$/u.test(end) && /^\p{L}{2}/u.test(text);
  if (isLabel || !EXPONENT.test(text) || WORD.test(text)) return ` ${text}`;
  return SINGLE.test(text) ? `^${text}` : `^(${text})`;
}

function isEnding(end: string, text: string, language: string): boolean {
  const ending = text.toLowerCase().replace(/\.$/, '');
  if (ending.length > 1) return ENDINGS.has(ending);
  if (!NUMBER_END.test(end)) return false;
  return ending === 'e' || (/^[ao]$/.test(ending) && RAISED_VOWEL.test(language));
}

/** A noncharacter, which no text has, behind the lower number of a fraction. */
const LOWER = '\ufdd4';
/** A raised number, a stroke and a lowered number are a fraction: replaced by " $1/$2". */
export const FRACTION: RegExp = /\^(\p{N}{1,4}) ?[/⁄] ?(\p{N}{1,4})\ufdd4/gu;

/**
 * Returns what a subscript adds to the text before it: H₂O is "H2O", a digit after a number "10_2".
 * A text with it that is complete is freed of `FRACTION`.
 */
export function lowered(end: string, stated: string): string {
  const text = stated.replace(/\s+/g, ' ').trim();
  if (/\^\p{N}{1,4} ?[/⁄] ?$/u.test(end) && /^\p{N}{1,4}$/u.test(text)) return text + LOWER;
  return /\p{N}$/u.test(end) && /^\p{N}/u.test(text) ? `_${text}` : text;
}

/** Returns a short text with a superscript behind it. */
export const withRaised = (before: string, stated: string, marks: RaisedMarks): string =>
  before + raised(before, stated, marks);

/** Returns a short text with a subscript behind it. */
export const withLowered = (before: string, stated: string): string =>
  (before + lowered(before, stated)).replace(FRACTION, ' $1/$2');
