/** The numbering of a Word document: what its styles and lists say of the numbers of paragraphs. */
import type { Parser } from 'htmlparser2';
import { numberText } from './number-formats.ts';

export type NewParser = new (...options: ConstructorParameters<typeof Parser>) => Parser;
type Attributes = Readonly<Record<string, string>>;

interface Level {
  start: number;
  format: string;
  text: string;
  /** Numbers of outer levels are shown in digits. */
  isLegal: boolean;
  /** The innermost of the outer levels that begin it anew, from 1; 0 for none. */
  restart: number;
}

interface List {
  readonly levels: Level[];
  /** The level of each style that numbers its paragraphs. */
  readonly styles: Map<string, number>;
  /** The style whose list it is another name of. */
  link?: string;
}

interface Instance {
  list: string;
  readonly starts: Map<number, number>;
  /** Levels that it has in place of those of its list. */
  readonly levels: Map<number, Level>;
}

/** A place in a list, as a paragraph or a style states it. */
export interface NumberPlace {
  readonly instance?: string | undefined;
  readonly level?: number | undefined;
}

interface Style extends NumberPlace {
  readonly basedOn?: string;
}

/** Levels of a list of Word. */
const LEVELS = 9;
/** Longer chains of styles are circles. */
const MOST_STYLES = 32;

/** Reads an element of a file with those around it, outermost first. */
type Meet = (name: string, value: string, attributes: Attributes, path: readonly string[]) => void;

function readXml(xml: string, parser: NewParser, meet: Meet): void {
  const path: string[] = [];
  const reading = new parser(
    {
      onopentag(name, attributes) {
        meet(name, attributes['w:val'] ?? '', attributes, path);
        path.push(name);
      },
      onclosetag: () => void path.pop(),
    },
    { xmlMode: true, decodeEntities: true },
  );
  reading.end(xml);
}

export class Numbering {
  private readonly lists = new Map<string, List>();
  private readonly instances = new Map<string, Instance>();
  private readonly styles = new Map<string, Style>();
  private defaultStyle = '';
  /** The numbers of each list so far, and the instances that have begun anew. */
  private readonly counts = new Map<List, (number | undefined)[]>();
  private readonly begun = new Set<string>();

  constructor(numbering: string, styles: string, parser: NewParser) {
    this.readLists(numbering, parser);
    this.readStyles(styles, parser);
  }

  private readLists(xml: string, parser: NewParser): void {
    let list: List | undefined;
    let instance: Instance | undefined;
    let level = 0;
    const levelOf = (): Level | undefined => list?.levels[level] ?? instance?.levels.get(level);
    readXml(xml, parser, (name, value, attributes, path) => {
      if (name === 'w:abstractNum') {
        list = { levels: Array.from({ length: LEVELS }, newLevel), styles: new Map() };
        this.lists.set(attributes['w:abstractNumId'] ?? '', list);
      } else if (name === 'w:num') {
        instance = { list: '', starts: new Map(), levels: new Map() };
        list = undefined;
        this.instances.set(attributes['w:numId'] ?? '', instance);
      } else if (name === 'w:lvl' || name === 'w:lvlOverride') {
        level = Number(attributes['w:ilvl']);
        if (name === 'w:lvl' && !list) instance?.levels.set(level, newLevel());
      } else if (name === 'w:abstractNumId' && instance) instance.list = value;
      else if (name === 'w:startOverride') instance?.starts.set(level, Number(value));
      else if (name === 'w:numStyleLink' && list) list.link = value;
      else if (path.at(-1) !== 'w:lvl' || !levelOf()) return;
      else if (name === 'w:start') levelOf()!.start = Number(value);
      else if (name === 'w:numFmt') levelOf()!.format = value;
      else if (name === 'w:lvlText') levelOf()!.text = value;
      else if (name === 'w:isLgl') levelOf()!.isLegal = value !== '0' && value !== 'false';
      else if (name === 'w:lvlRestart') levelOf()!.restart = Number(value);
      else if (name === 'w:pStyle') list?.styles.set(value, level);
    });
  }

  private readStyles(xml: string, parser: NewParser): void {
    let [id, style]: [string, { -readonly [key in keyof Style]: Style[key] }] = ['', {}];
    readXml(xml, parser, (name, value, attributes, path) => {
      if (name === 'w:style') {
        [id, style] = [attributes['w:styleId'] ?? '', {}];
        this.styles.set(id, style);
        if (attributes['w:type'] === 'paragraph' && attributes['w:default'] === '1')
          this.defaultStyle = id;
      } else if (name === 'w:basedOn') style.basedOn = value;
      else if (path.at(-1) !== 'w:numPr') return;
      else if (name === 'w:numId') style.instance = value;
      else if (name === 'w:ilvl') style.level = Number(value);
    });
  }

  /** Returns the number of the next paragraph; undefined if it has none or a sign. */
  next(style: string | undefined, stated: NumberPlace): string | undefined {
    const { id, instance: name, level } = this.placeOf(style ?? this.defaultStyle, stated);
    const instance = name === undefined ? undefined : this.instances.get(name);
    const list = instance && this.listOf(instance);
    if (!list) return undefined;
    const at = level ?? (id === undefined ? undefined : list.styles.get(id)) ?? 0;
    const levels = list.levels.map((each, index) => instance.levels.get(index) ?? each);
    const own = levels[at];
    if (!own) return undefined;
    const counts = this.counts.get(list) ?? [];
    this.counts.set(list, counts);
    const start = this.begun.has(`${name} ${at}`) ? undefined : instance.starts.get(at);
    this.begun.add(`${name} ${at}`);
    count(counts, levels, at, start);
    return own.format === 'bullet' ? undefined : textOf(own, levels, counts).trim() || undefined;
  }

  /** Finds what numbers a paragraph: itself, its style, or one that this is based on. */
  private placeOf(style: string, stated: NumberPlace): NumberPlace & { readonly id?: string } {
    if (stated.instance !== undefined) return stated;
    let id: string | undefined = style;
    for (let count = 0; id !== undefined && count < MOST_STYLES; count++) {
      const found: Style | undefined = this.styles.get(id);
      if (found?.instance !== undefined)
        return { id: style, instance: found.instance, level: stated.level ?? found.level };
      id = found?.basedOn;
    }
    return {};
  }

  private listOf({ list }: Instance): List | undefined {
    const found = this.lists.get(list);
    if (found?.link === undefined) return found;
    const linked = this.instances.get(this.styles.get(found.link)?.instance ?? '');
    return linked && this.lists.get(linked.list);
  }
}

/** Counts a paragraph of a level, and one of each level around it that has none. */
function count(
  counts: (number | undefined)[],
  levels: readonly Level[],
  at: number,
  start: number | undefined,
): void {
  for (let outer = 0; outer < at; outer++) counts[outer] ??= levels[outer]!.start;
  const before = counts[at];
  counts[at] = start ?? (before === undefined ? levels[at]!.start : before + 1);
  for (let deeper = at + 1; deeper < LEVELS; deeper++)
    if (at < levels[deeper]!.restart) counts[deeper] = undefined;
}

/** Returns the number as the text of its level states it. */
function textOf(
  { text, isLegal }: Level,
  levels: readonly Level[],
  counts: readonly (number | undefined)[],
): string {
  return text.replace(/%([1-9])/g, (_, digit: string) => {
    const { start, format } = levels[Number(digit) - 1]!;
    return numberText(isLegal ? 'decimal' : format, counts[Number(digit) - 1] ?? start);
  });
}

const newLevel = (): Level => ({
  start: 0,
  format: 'decimal',
  text: '',
  isLegal: false,
  restart: LEVELS,
});
