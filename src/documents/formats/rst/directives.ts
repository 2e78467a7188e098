/** Directives of reStructuredText and Sphinx: which are code, notes, tables, or descriptions. */
import { termLead } from '../../blocks/block-writer.ts';
import { endOfParagraph, indentOf, leastIndent, type Range } from './lines.ts';
import type { RstContext, RstOutput } from './output.ts';
import { csvTable, listTable, optionOf } from './table-directives.ts';

/** `.. name:: argument` */
export interface Directive {
  readonly name: string;
  readonly argument: string;
}

/** Reads the first line of a directive; undefined for anything else, substitutions among it. */
export function directiveOf(line: string): Directive | undefined {
  const found = /^\.\. +([A-Za-z][\w.+-]*(?::[\w.+-]+)*) ?::(?: +(.*))?$/.exec(line);
  return found ? { name: found[1]!.toLowerCase(), argument: found[2] ?? '' } : undefined;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const CODE = words(
  'code-block code sourcecode parsed-literal console prompt doctest testcode testoutput testsetup ipython math productionlist literal command-block code-tabs',
);
/** Nothing in these is text of the document. */
const SILENT = words(
  'contents toctree index meta include literalinclude highlight currentmodule module py:module py:currentmodule default-role default-domain role sectionauthor moduleauthor codeauthor tabularcolumns highlightlang program sectnum graphviz digraph unicode replace date testcleanup',
);
/** Their content is text like any other; what stands on their line says how it looks. */
const TRANSPARENT = words(
  'only container compound class rst-class cssclass tabs tab-set glossary hlist grid table line-block',
);
/** Their content is text like any other, which may begin on their line. */
const QUOTED = words('epigraph highlights pull-quote centered');
/** A label stands on their line. */
const LABELLED = words(
  'tab group-tab code-tab tab-item card grid-item-card dropdown details collapse',
);
/** Their line names what the documented program has, with a description or without. */
const NAMING =
  /^(?:[\w-]+:)*(?:auto)?(?:function|class|(?:class|static|abstract)?method|attribute|data|exception|property|decorator|decoratormethod|module|option|cmdoption|program|envvar|confval|describe|object|setting|macro|type|typedef|var|struct|enum|enumerator|member|union|namespace|signal|variable|constant|command|target)s?$/;
const NOTES = words(
  'note warning tip important caution danger attention hint error seealso admonition topic sidebar todo',
);
const VERSIONS: Readonly<Record<string, string>> = {
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
  'deprecated-removed': 'Deprecated since version',
  versionremoved: 'Removed in version',
};

/** Writes a directive; `range` begins with its first line. */
export function writeDirective(
  blocks: RstOutput,
  directive: Directive,
  range: Range,
  context: RstContext,
): void {
  const { name, argument } = directive;
  if (SILENT.has(name)) return;
  const { from, to } = range;
  const body = bodyOf(blocks.lines, range);
  const inner = { under: context.under, depth: context.depth + 1 };
  if (CODE.has(name)) code(blocks, directive, range, context);
  else if (name in VERSIONS) {
    const [version = '', ...rest] = argument.split(/\s+/);
    note(blocks, { title: `${VERSIONS[name]} ${version}`, first: rest.join(' ') }, range, inner);
  } else if (NOTES.has(name)) {
    const titled =
      name === 'admonition' || name === 'topic' || name === 'sidebar' || name === 'todo';
    const title = titled ? argument : name === 'seealso' ? 'See also' : capital(name);
    note(blocks, { title: title || capital(name), first: titled ? '' : argument }, range, inner);
  } else if (name === 'raw') blocks.page(from, inner);
  else if (name === 'rubric') caption(blocks, argument, from, inner);
  else if (name === 'figure' || name === 'image') image(blocks, name, range, inner);
  else if (name === 'list-table' || name === 'csv-table') table(blocks, directive, range, inner);
  else if (name === 'autosummary') blocks.items(body, inner);
  else if (QUOTED.has(name)) note(blocks, { title: '', first: argument }, range, inner);
  else if (TRANSPARENT.has(name) || LABELLED.has(name) || argument === '') {
    if (name === 'table' || LABELLED.has(name)) caption(blocks, argument, from, inner);
    blocks.body(body, inner);
  } else if (body.from < to || NAMING.test(name)) describe(blocks, directive, range, inner);
}

function caption(blocks: RstOutput, text: string, from: number, inner: RstContext): void {
  if (text !== '') blocks.say([text], from, { ...inner, open: { prefix: '', kind: 'caption' } });
}

/** Writes code below its caption; a formula may begin on the line of its directive. */
function code(
  blocks: RstOutput,
  { name, argument }: Directive,
  range: Range,
  context: RstContext,
): void {
  const body = bodyOf(blocks.lines, range);
  const stated = optionOf(blocks.lines.slice(range.from + 1, body.from), 'caption');
  if (stated !== undefined) caption(blocks, stated, range.from, { ...context });
  if (name === 'math' && argument !== '') blocks.formula(argument, range.from, context);
  if (body.from < range.to) blocks.code(body, context);
}

/** Writes what an image shows, and the caption and the legend of a figure. */
function image(blocks: RstOutput, name: string, range: Range, inner: RstContext): void {
  const body = bodyOf(blocks.lines, range);
  const alternative = optionOf(blocks.lines.slice(range.from + 1, body.from), 'alt');
  if (alternative !== undefined) caption(blocks, alternative, range.from, { ...inner });
  if (name === 'figure') blocks.body(body, { ...inner, open: { prefix: '', kind: 'caption' } });
}

/** Returns the content of a directive, after its options. */
function bodyOf(lines: readonly string[], { from, to, indent }: Range): Range {
  let start = from + 1;
  while (start < to && lines[start] === '') start++;
  if (OPTION.test(lines[start] ?? '')) {
    const column = indentOf(lines[start]!);
    // The value of an option goes on further to the right.
    while (start < to && (OPTION.test(lines[start]!) || indentOf(lines[start]!) > column)) {
      if (lines[start] === '' && !OPTION.test(lines[start + 1] ?? '')) break;
      start++;
    }
  }
  while (start < to && lines[start] === '') start++;
  return { from: start, to, indent: leastIndent(lines, start, to, indent + 1) };
}

const OPTION = /^\s*:[\w-]+:(?: |$)/;

/** Writes a note: its title before its first paragraph. */
function note(
  blocks: RstOutput,
  { title, first }: { readonly title: string; readonly first: string },
  range: Range,
  inner: RstContext,
): void {
  const { lines } = blocks;
  const prefix = title === '' ? '' : `${title.replaceAll('``', '')}: `;
  const context: RstContext = { ...inner, open: { prefix, kind: 'prose', lead: '' } };
  if (first === '') {
    blocks.body(bodyOf(lines, range), context);
    return;
  }
  const end = endOfParagraph(lines, range.from + 1, range.to);
  blocks.say([first, ...lines.slice(range.from + 1, end)], range.from, context);
  const indent = leastIndent(lines, end, range.to, range.indent + 1);
  blocks.body({ from: end, to: range.to, indent }, context);
}

/** Writes the description of an object: a function, a setting, an option. */
function describe(
  blocks: RstOutput,
  { name, argument }: Directive,
  range: Range,
  inner: RstContext,
): void {
  const { lines } = blocks;
  let next = range.from + 1;
  const names = [argument];
  // Further lines before the options or a blank line are further signatures.
  while (next < range.to && lines[next] !== '' && !/^\s*:[\w-]+:/.test(lines[next]!))
    names.push(lines[next++]!.trim());
  const body = bodyOf(lines, { ...range, from: next - 1 });
  const facts = factsOf(lines.slice(next, body.from)).map(fact => blocks.inline(fact).text);
  const term = names.join(', ').replace(/\\(.)/g, '$1');
  const kind = /option|cmdoption/.test(name) ? 'option' : 'definition';
  // A default without its description is found by no question, so both are one block.
  const stated = facts.length === 0 ? '' : `${facts.join('; ')}. `;
  const isAlone = body.from >= range.to && facts.length === 0;
  const prefix = isAlone ? term : `${term}: ${stated}`;
  const open = { prefix, kind, lead: termLead(term) } as const;
  if (body.from < range.to) blocks.body(body, { ...inner, open });
  else blocks.say([''], range.from, { ...inner, open });
}

/** Fields of a description that say something of its object; others direct the build. */
const FACTS = words('type default value required deprecated replaced requires');

/** Reads fields such as `:default: 30`. */
function factsOf(lines: readonly string[]): string[] {
  return lines.flatMap(line => {
    const [, name = '', value = ''] = /^\s*:([\w-]+): +(.*)$/.exec(line) ?? [];
    return FACTS.has(name) && value.trim() !== '' ? [`${name}: ${value.trim()}`] : [];
  });
}

/** Writes a table below its title. */
function table(
  blocks: RstOutput,
  { name, argument: title }: Directive,
  range: Range,
  inner: RstContext,
): void {
  const { lines } = blocks;
  const body = bodyOf(lines, range);
  const stated = { lines, body, options: lines.slice(range.from + 1, body.from) };
  caption(blocks, title, range.from, inner);
  blocks.rows(name === 'csv-table' ? csvTable(stated) : listTable(stated), 1, inner);
}

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;
