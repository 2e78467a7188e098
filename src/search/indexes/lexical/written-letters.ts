/**
 * Tells the characters that the WebAssembly reader (reader.wat) puts in their form by itself: those
 * whose form does not depend on what stands around them, and has as many bytes.
 */

import { bareTerms } from '../../../core/text/accents.ts';
import { foldedText, MAY_BE_GRAMS } from '../../../core/text/folded.ts';
import { hasUnusual } from '../../../core/text/identifier-runs.ts';
import { isOfTerm } from './term-reader.ts';

const IN_TERM = 1;
const OUTSIDE = 2;
const CHANGED = 3;
/** A text with such a character is put in its form in JavaScript. */
const COMPLEX = 4;

/** Classes of code points up to U+FFFF; 0 = not yet known. */
export const writtenClasses: Uint8Array = new Uint8Array(0x10000);
/** Forms of changed letters up to U+1FFF, eight bytes each, as reader.wat describes them. */
export const writtenForms: Uint8Array = new Uint8Array(8 * 0x2000);

/** Returns the class of a code point beyond ASCII; its form is written to `writtenForms`. */
export const writtenClass = (code: number): number =>
  (writtenClasses[code] ||= classOf(code, String.fromCharCode(code)));

/** Matches marks, which are composed with the letter before them, numbers and surrogates. */
const DEPENDS = /[\p{M}\p{N}\p{Cs}]/u;
const CAPITAL = /\p{Lu}/u;
const encoder = new TextEncoder();

function classOf(code: number, character: string): number {
  if (DEPENDS.test(character) || hasUnusual(character)) return COMPLEX;
  const form = foldedText(character);
  // A character that is not seen has no form: the words around it are one.
  if (form === '') return COMPLEX;
  const letters = [...form].filter(letter => isOfTerm(letter.codePointAt(0)!)).length;
  if (letters === 0) return form.includes('_') ? COMPLEX : OUTSIDE;
  if (letters < form.length || DEPENDS.test(form) || MAY_BE_GRAMS.test(form)) return COMPLEX;
  const bare = encoder.encode(bareTerms(form)).subarray(2);
  const isCapital = CAPITAL.test(character);
  if (form === character && bare.length === 0 && !isCapital) return IN_TERM;
  const bytes = encoder.encode(form);
  if (code >= 0x2000 || bytes.length !== encoder.encode(character).length || bare.length > 3)
    return COMPLEX;
  writtenForms.set(bytes, 8 * code);
  writtenForms[8 * code + 3] = isCapital ? 1 : 0;
  writtenForms.set(bare, 8 * code + 4);
  writtenForms[8 * code + 7] = bare.length;
  return CHANGED;
}
