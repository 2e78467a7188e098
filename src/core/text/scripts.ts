/**
 * Defines the scripts that are written without spaces between words, as ranges of code points: the
 * same on every runtime, whatever its version of Unicode.
 */

/** Han and the ideographs of planes 2 and 3. */
export const HAN: string = String.raw`\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3fffd}`;
/** Hiragana, Katakana and Bopomofo. */
export const KANA: string = String.raw`\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u{1aff0}-\u{1b16f}`;
/** Words have spaces between them, but particles are written at their end. */
export const HANGUL: string = String.raw`\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb`;
export const THAI_AND_LAO: string = String.raw`\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf`;
/** Myanmar, Khmer, Javanese. */
export const MYANMAR_AND_KHMER: string = String.raw`\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17d7\u17dc\u17dd\ua980-\ua9c0\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f`;

/** The body of a character class, for the flag `u`, of scripts whose words are read as n-grams. */
export const GRAM_SCRIPTS: string = HAN + KANA + HANGUL + THAI_AND_LAO + MYANMAR_AND_KHMER;
