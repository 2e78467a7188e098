/** Reads a formula of MathML while its page is read: as LaTeX if it states that, else in line. */

interface MathNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly inside: (MathNode | string)[];
}

/** Elements of which each child stands for a part of the formula. */
const PARTS: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  mfrac: ([above = '', below = '']) => `${grouped(above)}/${grouped(below)}`,
  msup: ([base = '', power = '']) => `${grouped(base)}^${grouped(power)}`,
  msub: ([base = '', index = '']) => `${grouped(base)}_${grouped(index)}`,
  msubsup: ([base = '', index = '', power = '']) =>
    `${grouped(base)}_${grouped(index)}^${grouped(power)}`,
  munder: ([base = '', below = '']) => `${base}_${grouped(below)}`,
  mover: ([base = '', above = '']) => `${base}^${grouped(above)}`,
  munderover: ([base = '', below = '', above = '']) =>
    `${base}_${grouped(below)}^${grouped(above)}`,
  mroot: ([base = '', degree = '']) => `root(${base}, ${degree})`,
  msqrt: parts => `sqrt(${joined(parts)})`,
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
  if (UNSEEN.has(node.name)) return '';
  const parts = node.inside.map(linear);
  if (node.name === 'mo' || node.name === 'mtext') return spaced(node.name, parts.join(''));
  return PARTS[node.name]?.(parts) ?? joined(parts);
}

/** Operators between terms stand apart; invisible ones do not show. */
function spaced(name: string, text: string): string {
  if (name === 'mo' && /^[\u2061-\u2064]$/.test(text)) return '';
  return name === 'mtext' || /^[=<>≤≥≠≈∈→⇒+\-−±×·∧∨]$/.test(text) ? ` ${text} ` : text;
}

const joined = (parts: readonly string[]): string => parts.join('').replace(/\s+/g, ' ');

function grouped(text: string): string {
  const shown = text.trim();
  return /^[\p{L}\p{N}.]*$/u.test(shown) ? shown : `(${shown})`;
}
