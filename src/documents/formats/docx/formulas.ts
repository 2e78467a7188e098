/** Formulas of Word (OMML) as MathML, which the reader of HTML prints. */

/** An element of a formula. */
export interface MathElement {
  /** Without its prefix. */
  readonly name: string;
  /** Its attribute `m:val`. */
  readonly value: string | undefined;
  readonly inside: MathElement[];
  text: string;
}

type Writer = (element: MathElement) => string;

const inside = ({ inside: parts }: MathElement): string => parts.map(mathML).join('');
const part = (element: MathElement, name: string): MathElement | undefined =>
  element.inside.find(each => each.name === name);
const row = (element: MathElement, name: string): string => {
  const found = part(element, name);
  return `<mrow>${found ? inside(found) : ''}</mrow>`;
};
const operator = (text: string): string => `<mo>${escaped(text)}</mo>`;
const wrapped =
  (tag: string, ...names: readonly string[]): Writer =>
  element =>
    `<${tag}>${names.map(name => row(element, name)).join('')}</${tag}>`;

const WRITERS: Readonly<Record<string, Writer>> = {
  r: ({ inside: parts }) =>
    parts.map(({ name, text }) => (name === 't' ? tokens(text) : '')).join(''),
  f: element => {
    const fraction = wrapped('mfrac', 'num', 'den')(element);
    const isBinomial = property(element, 'fPr', 'type') === 'noBar';
    return isBinomial ? fraction.replace('>', ' linethickness="0">') : fraction;
  },
  sSup: wrapped('msup', 'e', 'sup'),
  sSub: wrapped('msub', 'e', 'sub'),
  sSubSup: wrapped('msubsup', 'e', 'sub', 'sup'),
  sPre: element => wrapped('msubsup', '', 'sub', 'sup')(element) + row(element, 'e'),
  limLow: wrapped('munder', 'e', 'lim'),
  limUpp: wrapped('mover', 'e', 'lim'),
  rad: element =>
    row(element, 'deg') === row(element, '')
      ? wrapped('msqrt', 'e')(element)
      : wrapped('mroot', 'e', 'deg')(element),
  func: element => {
    const argument = row(element, 'e');
    const isPlain = part(element, 'e')?.inside.every(({ name }) => /^(?:r|d|ctrlPr)$/.test(name));
    const shown = isPlain ? argument : operator('(') + argument + operator(')');
    return `${row(element, 'fName')}<mtext> </mtext>${shown}`;
  },
  nary: element => {
    const sign = operator(property(element, 'naryPr', 'chr') ?? '∫');
    const [below, above] = [row(element, 'sub'), row(element, 'sup')];
    return `<munderover>${sign}${below}${above}</munderover><mtext> </mtext>${row(element, 'e')}`;
  },
  d: element => {
    const [open, close, between] = ['begChr', 'endChr', 'sepChr'].map(name =>
      property(element, 'dPr', name),
    );
    const parts = element.inside.filter(({ name }) => name === 'e').map(inside);
    return operator(open ?? '(') + parts.join(operator(between ?? '|')) + operator(close ?? ')');
  },
  m: element => rows(element.inside.filter(({ name }) => name === 'mr').map(each => each.inside)),
  eqArr: element => rows(element.inside.filter(({ name }) => name === 'e').map(each => [each])),
};

const rows = (all: readonly (readonly MathElement[])[]): string =>
  `<mtable>${all.map(cells => `<mtr>${cells.map(cell => `<mtd>${inside(cell)}</mtd>`).join('')}</mtr>`).join('')}</mtable>`;

/** Returns the MathML of an element and what it holds. */
export function mathML(element: MathElement): string {
  const { name } = element;
  if (name.endsWith('Pr')) return '';
  return Object.hasOwn(WRITERS, name) ? WRITERS[name]!(element) : inside(element);
}

function property(element: MathElement, name: string, value: string): string | undefined {
  const found = part(element, name);
  return found && part(found, value)?.value;
}

/** Operators are elements of their own, so that they stand apart. */
function tokens(text: string): string {
  const parts = text.match(/[\p{L}\p{M}\p{N}.,'′]+|\s+|\P{L}/gu) ?? [];
  return parts
    .map(each =>
      /^[\p{L}\p{N}.,]/u.test(each)
        ? `<mi>${escaped(each)}</mi>`
        : each.trim() === ''
          ? '<mtext> </mtext>'
          : operator(each),
    )
    .join('');
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
