/**
 * Replaces typographic variants of characters by ASCII, as Contriever's normaliser does before
 * TreeHop (arXiv 2504.20114) embeds a text.
 */

/** Ranges of characters, each with its replacement. Case and all other characters are unchanged. */
const FORMS: readonly (readonly [characters: string, form: string])[] = [
  // Control characters, except Unicode white space; U+0000 and U+0010 are not in the original's
  // list either.
  ['\u0001-\u0008\u000e\u000f\u0011-\u001b', ''],
  // Vertical tab, form feed, next line; not tab and line feed.
  ['\u000b\u000c\u0085', ' '],
  // Hyphen, non-breaking hyphen, figure dash, en dash, em dash, horizontal bar, hyphen bullet;
  // superscript minus, minus, full-width hyphen-minus.
  ['\u2010-\u2015\u2043\u207b\u2212\uff0d', '-'],
  // Soft hyphen.
  ['\u00ad', ''],
  // Double quotes: curly left and right, low, reversed.
  ['\u201c-\u201f', '"'],
  // Single quotes; Armenian apostrophe, saltillo (capital and small), full-width apostrophe; grave
  // and acute accent.
  ['\u2018-\u201b\u055a\ua78b\ua78c\uff07\u0060\u00b4', "'"],
  // Primes and reversed primes: single, double, triple, quadruple.
  ['\u2032\u2035', "'"],
  ['\u2033\u2036', "''"],
  ['\u2034\u2037', "'''"],
  ['\u2057', "''''"],
  // Ellipsis.
  ['\u2026', '...'],
  // Fraction slash, division slash.
  ['\u2044\u2215', '/'],
  // Small tilde, swung dash, tilde operator, reversed tilde, sine wave, wave dash, full-width
  // tilde.
  ['\u02dc\u2053\u223c\u223d\u223f\u301c\uff5e', '~'],
];
const PATTERNS = FORMS.map(
  ([characters, form]) => [new RegExp(`[${characters}]`, 'g'), form] as const,
);

/**
 * Replaces hyphens, quotes, primes, ellipses, slashes and tildes by ASCII, deletes control
 * characters and soft hyphens, and joins full stops that are separated by spaces.
 */
export function cleanCharacters(text: string): string {
  return PATTERNS.reduce(
    (cleaned, [pattern, form]) => cleaned.replace(pattern, form),
    text,
  ).replaceAll(' . . . ', ' ... ');
}
