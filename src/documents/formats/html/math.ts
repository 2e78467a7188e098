/** Reads a formula of MathML while its page is read: as LaTeX if it states that, else in line. */

interface MathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly inside: (MathNode | string)[];
  /** Its text, once it was asked for: elements around it look at it several times. */
  printed?: string;
}

/** Prints an element, given its children as they are printed. */
type PartsWriter = (parts: readonly string[], node: MathNode) => string;

/** Elements of which each child stands for a part of the formula. */
const PARTS: Readonly<Record<string, PartsWriter>> = {
  mfrac: ([above = '', below = ''], { attributes, inside }) =>
    /^0(?:\D|$)/.test(attributes['linethickness'] ?? '')
      ? `binom(${above.trim()}, ${below.trim()})`
      : `${grouped(above)}/${grouped(below, inside[1])}`,
  msup: ([base = '', power = ''], { inside: [first, second] }) =>
    `${grouped(base, first)}^${grouped(power, second)}`,
  msub: ([base = '', index = '']) => `${grouped(base)}_${grouped(index)}`,
  msubsup: ([base = '', index = '', power = '']) =>
    `${grouped(base)}_${grouped(index)}^${grouped(power)}`,
  munder: ([base = '', below = '']) => `${base}_${grouped(below)}`,
  mover: ([base = '', above = '']) => `${base}^${grouped(above)}`,
  munderover: ([base = '', below = '', above = '']) =>
    `${base}_${grouped(below)}^${grouped(above)}`,
  mroot: ([base = '', degree = '']) => `root(${base}, ${degree})`,
  msqrt: (_, { inside }) => `sqrt(${inLine(inside)})`,
  mtable: parts => parts.join('; '),
  mtr: parts => parts.join(', '),
  mfenced: parts => `(${parts.join(', ')})`,
};
const UNSEEN: ReadonlySet<string> = new Set(['annotation', 'annotation-xml', 'mphantom', 'none']);
/** Makers of pages put this style around every formula. */
const STYLE = '{\\displaystyle ';
const LATEX = /^(?:application\/x-tex|latex|tex)$/i;

export class MathReader {
  private readonly open: MathNode[] = [];
  private readonly root: MathNode = { name: 'math', attributes: {}, inside: [] };
  private readonly stated: string;
  private latex = '';

  constructor(attributes: Readonly<Record<string, string>>) {
    this.stated = attributes['alttext'] ?? '';
    this.open.push(this.root);
  }

  enter(name: string, attributes: Readonly<Record<string, string>>): void {
    const node = { name: name.slice(name.indexOf(':') + 1), attributes, inside: [] };
    this.open.at(-1)!.inside.push(node);
    this.open.push(node);
  }

  leave(): void {
    if (this.open.length > 1) this.open.pop();
  }

  add(text: string): void {
    const node = this.open.at(-1)!;
    if (node.name === 'annotation') {
      if (LATEX.test(node.attributes['encoding'] ?? '')) this.latex += text;
    } else if (text.trim() !== '') node.inside.push(text);
  }

  /** Returns the formula. */
  text(): string {
    const latex = (this.latex || this.stated).replace(/\s+/g, ' ').trim();
    const isStyled = latex.startsWith(STYLE) && latex.endsWith('}');
    return (isStyled ? latex.slice(STYLE.length, -1).trim() : latex) || linear(this.root).trim();
  }
}

function linear(node: MathNode | string): string {
  if (typeof node === 'string') return node.replace(/\s+/g, ' ').trim();
  return (node.printed ??= linearOf(node));
}

function linearOf(node: MathNode): string {
  if (UNSEEN.has(node.name)) return '';
  const parts = node.inside.map(linear);
  if (node.name === 'mo' || node.name === 'mtext') return spaced(node.name, parts.join(''));
  return PARTS[node.name]?.(parts, node) ?? inLine(node.inside);
}

/** Operators between terms stand apart; invisible ones do not show. */
function spaced(name: string, text: string): string {
  if (name === 'mo' && /^[\u2061-\u2064]$/.test(text)) return '';
  return name === 'mtext' || /^[=<>≤≥≠≈∈→⇒+\-−±×·∧∨]$/.test(text) ? ` ${text} ` : text;
}

const ENDS_TERM = /[\p{L}\p{M}\p{N})\]}'′]$/u;
const BEGINS_TERM = /^[\p{L}\p{N}([{]/u;

/**
 * Prints elements that stand beside each other. A fraction beside another factor stands in
 * brackets; a term after a power, an index or a name is set apart, or it would be part of it.
 */
function inLine(nodes: readonly (MathNode | string)[]): string {
  const parts = nodes.map(node => ({ node, text: linear(node) })).filter(({ text }) => text !== '');
  const shown = parts.map(({ node, text: own }, at) => {
    const [before = '', next = ''] = [parts[at - 1]?.text, parts[at + 1]?.text];
    const isAfter = ENDS_TERM.test(before);
    const isMixed = isAfter && /\d$/.test(before) && /^\d+\/\d+$/.test(own);
    const isFactor = !isMixed && isFraction(node) && (isAfter || BEGINS_TERM.test(next));
    const isSign = at === 0 && /^ [+\-−±] $/.test(own);
    const said = isFactor ? `(${own})` : isSign ? own.trim() : own;
    const isApart = isMixed || (at > 0 && isAfter && isSetApart(parts[at - 1]!, said));
    return isApart ? ` ${said}` : said;
  });
  return shown.join('').replace(/\s+/g, ' ');
}

interface Printed {
  readonly node: MathNode | string;
  readonly text: string;
}

const NAME = /^\p{L}{2,}/u;

/** Tells whether a term would be read as part of the one before it. */
function isSetApart({ node, text }: Printed, next: string): boolean {
  if (!/^[\p{L}\p{N}]/u.test(next)) return false;
  return NAME.test(next) || isScript(node) || (NAME.test(text) && /^\p{L}+$/u.test(text));
}

const SCRIPTS: ReadonlySet<string> = new Set(['msup', 'msub', 'msubsup']);
const WRAPPERS: ReadonlySet<string> = new Set(['mrow', 'mstyle', 'mpadded', 'semantics']);

/** Most wrappers around an element that are looked through. */
const MOST_WRAPPERS = 8;

/** Returns the element that is all of another one. */
function core(node: MathNode | string, depth = 0): MathNode | string {
  if (typeof node === 'string' || !WRAPPERS.has(node.name) || depth === MOST_WRAPPERS) return node;
  const shown = node.inside.filter(each => linear(each) !== '');
  return shown.length === 1 ? core(shown[0]!, depth + 1) : node;
}

const nameOf = (node: MathNode | string): string => {
  const found = core(node);
  return typeof found === 'string' ? '' : found.name;
};
const isFraction = (node: MathNode | string): boolean => nameOf(node) === 'mfrac';
const isScript = (node: MathNode | string): boolean => SCRIPTS.has(nameOf(node));

/** Puts brackets around what is no word or number; of `node` also around several of them. */
function grouped(text: string, node: MathNode | string = ''): string {
  const shown = text.trim();
  const found = core(node);
  const isSeveral = typeof found !== 'string' && WRAPPERS.has(found.name);
  return /^[\p{L}\p{N}.]*$/u.test(shown) && !isSeveral ? shown : `(${shown})`;
}
