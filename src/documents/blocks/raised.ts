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

/**
 * Returns the text before a superscript with it: "10^6", "1st", "25[1]". `isNote`: it leads to a
 * note.
 */
export function withRaised(
  before: string,
  stated: string,
  { isNote, language }: { readonly isNote: boolean; readonly language: string },
): string {
  const text = stated.replace(/\s+/g, ' ').trim();
  if (!READABLE.test(text)) return before + text;
  if (isNote) return before + (/^[[({]/.test(text) ? text : `[${text}]`);
  // Brackets set it apart, and above nothing it stands for itself, as in ¹⁴C.
  if (/^[[({]/.test(text) || !/[\p{L}\p{N})\]}]$/u.test(before)) return before + text;
  if (isEnding(before, text, language)) return before + text;
  if (/^o$/i.test(text) && /\p{N}$/u.test(before)) return `${before}°`;
  const isLabel = /\p{L}{2}$/u.test(before) && /^\p{L}{2}/u.test(text);
  if (isLabel || !EXPONENT.test(text) || WORD.test(text)) return `${before} ${text}`;
  return SINGLE.test(text) ? `${before}^${text}` : `${before}^(${text})`;
}

function isEnding(before: string, text: string, language: string): boolean {
  const ending = text.toLowerCase().replace(/\.$/, '');
  if (ending.length > 1) return ENDINGS.has(ending);
  if (!NUMBER_END.test(before)) return false;
  return ending === 'e' || (/^[ao]$/.test(ending) && RAISED_VOWEL.test(language));
}

/** Returns the text before a subscript with it: H₂O is "H2O", a digit after a number "10_2". */
export function withLowered(before: string, stated: string): string {
  const text = stated.replace(/\s+/g, ' ').trim();
  // A raised and a lowered number around a stroke are a fraction: "3 1/2".
  const fraction = /^(.*)\^(\p{N}+)(\s*[/⁄]\s*)$/su.exec(before);
  if (fraction && /^\p{N}/u.test(text)) return `${fraction[1]} ${fraction[2]}/${text}`;
  if (/[/⁄]\s*$/.test(before)) return before + text;
  return /\p{N}$/u.test(before) && /^\p{N}/u.test(text) ? `${before}_${text}` : before + text;
}
