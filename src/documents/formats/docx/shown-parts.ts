/**
 * Rewrites the XML of a Word document before the library reads it, so that what the library leaves
 * out stands where it knows it: formulas and alternative texts behind marks that HTML replaces
 * later, text boxes, fields, characters with a reading.
 */
import { MARK_ATTRIBUTE } from '../html/block-output.ts';
import { escaped, type MathElement, mathML } from './formulas.ts';
import type { NewParser } from './numbering.ts';

type Attributes = Readonly<Record<string, string>>;

/** Elements that the library ignores with what they hold, which stands for itself. */
const UNWRAPPED: ReadonlySet<string> = new Set(
  'm:oMathPara w:fldSimple w:dir w:bdo w:ruby w:rubyBase mc:AlternateContent mc:Choice'.split(' '),
);
/** Their content is said otherwise: a fallback repeats the choice before it. */
const DROPPED: ReadonlySet<string> = new Set(['mc:Fallback', 'w:rubyPr']);
const RENAMED: Readonly<Record<string, string>> = { 'w:cr': '<w:br/>', 'w:ptab': '<w:tab/>' };
const BOX = [
  '<w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>',
  '</v:textbox></v:shape></w:pict>',
] as const;

/** HTML that takes the place of marks in the text of the library. */
export class Insertions {
  private readonly made: string[] = [];

  /** Returns a run that holds the mark of a piece of HTML. */
  markOf(html: string): string {
    this.made.push(html);
    return `\ufdd4${this.made.length - 1}\ufdd5`;
  }

  /** Returns a run for the number of a paragraph, which stands for the mark of its item. */
  numberRun(number: string): string {
    const mark = this.markOf(`<span ${MARK_ATTRIBUTE}="${escaped(number)}"></span>`);
    return `<w:r><w:t xml:space="preserve">${mark}</w:t></w:r>`;
  }

  /** Puts each piece in the place of its mark. */
  into(html: string): string {
    return html.replace(/\ufdd4(\d+)\ufdd5/g, (_, at) => this.made[Number(at)] ?? '');
  }
}

/** Rewrites a part of a document. */
export function withShownParts(xml: string, insertions: Insertions, parser: NewParser): string {
  const rewriter = new Rewriter(xml, insertions);
  const reading = new parser(
    {
      onopentag: (name, attributes) =>
        rewriter.open(name, attributes, reading.startIndex, reading.endIndex + 1),
      onclosetag: name => rewriter.close(name, reading.startIndex, reading.endIndex + 1),
      ontext: text => rewriter.text(text),
    },
    { xmlMode: true, decodeEntities: true },
  );
  reading.end(xml);
  return rewriter.finish();
}

/** Deeper formulas are not read. */
const MAX_DEPTH = 200;

class Rewriter {
  private readonly xml: string;
  private readonly insertions: Insertions;
  private readonly out: string[] = [];
  /** Offset up to which the XML was copied or left out. */
  private at = 0;
  /** Elements that end or begin copying, outermost first. */
  private readonly states: { readonly name: string; readonly copies: boolean }[] = [];
  private readonly formula: MathElement[] = [];
  /** The reading of characters that is open, and the last, which stands before them. */
  private reading: string | undefined;
  private read = '';

  constructor(xml: string, insertions: Insertions) {
    this.xml = xml;
    this.insertions = insertions;
  }

  private get copies(): boolean {
    return this.states.at(-1)?.copies ?? true;
  }

  open(name: string, attributes: Attributes, start: number, end: number): void {
    if (this.formula.length > 0) this.openInFormula(name, attributes);
    else if (!this.copies) this.openUnseen(name, attributes, start);
    else if (UNWRAPPED.has(name)) this.put(start, end, '');
    else if (name in RENAMED) this.put(start, start, RENAMED[name]!);
    else if (name === 'm:oMath') {
      this.put(start, start, '');
      this.formula.push({ name: 'oMath', value: undefined, inside: [], text: '' });
    } else if (name === 'w:drawing' || name === 'w:rt' || DROPPED.has(name)) {
      this.put(start, start, '');
      this.states.push({ name, copies: false });
      if (name === 'w:rt') this.reading = '';
    }
  }

  /** Meets an element inside a drawing or what is dropped. */
  private openUnseen(name: string, attributes: Attributes, start: number): void {
    const { name: outer } = this.states.at(-1)!;
    if (outer !== 'w:drawing') {
      if (name === outer) this.states.push({ name, copies: false });
    } else if (name === 'wp:docPr') this.image(attributes['descr']?.trim() || attributes['title']);
    else if (name === 'w:txbxContent') {
      this.out.push(BOX[0]);
      this.at = start;
      this.states.push({ name, copies: true });
    }
  }

  private image(alternative: string | undefined): void {
    if (alternative === undefined || alternative.trim() === '') return;
    const mark = this.insertions.markOf(`<img alt="${escaped(alternative)}">`);
    this.out.push(`<w:t xml:space="preserve"> ${mark} </w:t>`);
  }

  private openInFormula(name: string, attributes: Attributes): void {
    if (this.formula.length > MAX_DEPTH)
      throw new Error(`a formula is nested deeper than ${MAX_DEPTH} elements`);
    const plain = name.slice(name.indexOf(':') + 1);
    const element = { name: plain, value: attributes['m:val'], inside: [], text: '' };
    this.formula.at(-1)!.inside.push(element);
    this.formula.push(element);
  }

  text(text: string): void {
    if (this.formula.length > 0) this.formula.at(-1)!.text += text;
    else if (this.reading !== undefined) this.reading += text.trim();
  }

  close(name: string, start: number, end: number): void {
    if (this.formula.length > 0) this.closeInFormula(end);
    else if (this.states.at(-1)?.name === name) this.leave(name, end);
    else if (this.copies && name === 'w:ruby') {
      this.put(start, end, `<w:r><w:t>(${escaped(this.read)})</w:t></w:r>`);
      this.read = '';
    } else if (this.copies && (UNWRAPPED.has(name) || name in RENAMED)) this.put(start, end, '');
  }

  private closeInFormula(end: number): void {
    const element = this.formula.pop()!;
    if (this.formula.length > 0) return;
    const mark = this.insertions.markOf(`<math>${mathML(element)}</math>`);
    this.out.push(`<w:r><w:t xml:space="preserve">${mark}</w:t></w:r>`);
    this.at = end;
  }

  private leave(name: string, end: number): void {
    const { copies } = this.states.pop()!;
    if (copies) this.put(end, end, BOX[1]);
    else {
      this.at = end;
      if (name !== 'w:rt') return;
      this.read = this.reading ?? '';
      this.reading = undefined;
    }
  }

  /** Copies up to an offset, adds a text, and goes on at another. */
  private put(start: number, end: number, text: string): void {
    this.out.push(this.xml.slice(this.at, start), text);
    this.at = end;
  }

  finish(): string {
    return this.out.join('') + this.xml.slice(this.at);
  }
}
