/** Characters that roff writes by name: groff_char(7), mdoc(7), and Unicode. */

const GREEK = 'ABGDEZYHIKLMNCOPRSTUFXQW';
const greek = (letters: string): [string, string][] =>
  [...letters].map((letter, at) => [`*${GREEK[at]}`, letter]);
/** Names and characters, separated by spaces. */
const pairs = (text: string): [string, string][] => {
  const parts = text.trim().split(/\s+/);
  return parts.flatMap((name, at) => (at % 2 === 0 ? [[name, parts[at + 1]!]] : []));
};

const SPECIAL: ReadonlyMap<string, string> = new Map([
  ...greek('ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ'),
  ...greek('αβγδεζηθικλμνξοπρστυφχψω').map(([name, letter]): [string, string] => [
    name.toLowerCase(),
    letter,
  ]),
  ...pairs(`
    aq ' cq ’ oq ‘ lq “ rq ” dq " Bq „ bq ‚ Fo « Fc » fo ‹ fc › r! ¡ r? ¿ em — en – hy -
    bu • co (c) rg (R) R (R) tm (TM) Tm (TM) mi - ha ^ ti ~ rs \\ at @ sh # Do $ ga \` aa ´
    lB [ rB ] lC { rC } la < ra > ba | or | br | bv | bb ¦ Ba | sl / ul _ rn ‾
    mu × di ÷ +- ± -+ ∓ pl + eq = <= ≤ >= ≥ != ≠ == ≡ ne ≢ =~ ≅ ~= ≈ ~~ ≈ ap ∼ << ≪ >> ≫
    -> → <- ← <> ↔ ua ↑ da ↓ va ↕ rA ⇒ lA ⇐ hA ⇔ uA ⇑ dA ⇓ pt ∝ if ∞ te ∃ fa ∀ mo ∈ nm ∉
    sb ⊂ sp ⊃ ib ⊆ ip ⊇ ca ∩ cu ∪ es ∅ sr √ is ∫ integral ∫ pd ∂ gr ∇ no ¬ tno ¬ AN ∧ OR ∨
    ** ∗ c* ⊗ c+ ⊕ 3d ∴ tf ∴ product ∏ sum ∑ de ° sc § dg † dd ‡ ps ¶ fm ′ sd ″ mc µ
    12 ½ 14 ¼ 34 ¾ S1 ¹ S2 ² S3 ³ Of ª Om º f/ ⁄ %0 ‰ ct ¢ Eu € eu € Po £ Ye ¥ Fn ƒ Cs ¤
    ci ○ sq □ lz ◊ OK ✓ CR ↵ lh ☜ rh ☞ CL ♣ SP ♠ HE ♥ DI ♦ Ah ℵ Im ℑ Re ℜ wp ℘ -h ℏ hbar ℏ
    AE Æ ae æ OE Œ oe œ IJ Ĳ ij ĳ ss ß -D Ð Sd ð TP Þ Tp þ /L Ł /l ł /O Ø /o ø .i ı .j ȷ
    q " L ( Lq “ Rq ” Le ≤ Ge ≥ Ne ≠ Pm ± Am & Gt > Lt < Pi π Na NaN If ∞`),
]);

/** Marks that stand before the letter that has them. */
const ACCENTS: Readonly<Record<string, string>> = {
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
  ':': '\u0308',
  ',': '\u0327',
  o: '\u030a',
  v: '\u030c',
};

/** Returns the text of a name such as `bu`, `:u`, `u00FC` or `u0075_0308`; empty if unknown. */
export function specialCharacter(name: string): string {
  const known = SPECIAL.get(name);
  if (known !== undefined) return known;
  const accent = ACCENTS[name[0] ?? ''];
  if (accent !== undefined && /^.[A-Za-z]$/.test(name)) return (name[1]! + accent).normalize('NFC');
  const codes = /^u([0-9A-F]{4,6}(?:_[0-9A-F]{4,6}){0,4})$/i.exec(name)?.[1]?.split('_');
  if (codes)
    return codes
      .map(code => characterOf(Number.parseInt(code, 16)))
      .join('')
      .normalize('NFC');
  const decimal = /^char(\d{1,7})$/.exec(name)?.[1];
  return decimal === undefined ? '' : characterOf(Number(decimal));
}

const characterOf = (point: number): string =>
  point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : '';
