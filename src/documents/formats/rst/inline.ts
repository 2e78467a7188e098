/** Text of reStructuredText inside a block: marks and roles removed, links gathered. */
import { LABEL } from '../../../core/corpus/outline.ts';
import type { Inline } from '../../blocks/inline.ts';
import { MARKED_CHARACTERS, withLowered, withRaised } from '../../blocks/raised.ts';

/** Definitions of `|name|` and of `.. _name: target`, and the extension that `:doc:` omits. */
export interface RstNames {
  readonly substitutions: ReadonlyMap<string, string>;
  /** By `referenceName`. */
  readonly targets: ReadonlyMap<string, string>;
  readonly extension: string;
}

/** Returns a name as references compare it: without quotes and case, white space as one space. */
export const referenceName = (name: string): string =>
  name.replace(/`/g, '').replace(/\s+/g, ' ').trim().toLowerCase();

/** Each part ends at the next mark of its kind, so the time is linear. */
const MARKED =
  /\\(\s|.)|``([^`]+)``|(?::([\w.+-]+(?::[\w.+-]+)?):)?`([^`]+)`_{0,2}|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\|([^|\s][^|]*)\|_{0,2}|\s?\[(?:\d{1,3}|#[\w-]*|\*)\]_|\[([A-Za-z][\w.-]*)\]_(?!\w)|\b([A-Za-z][A-Za-z0-9-]*)_(?![\w`])/g;

/** Reads running text. */
export function rstInline(text: string, names: RstNames): Inline {
  const links: string[] = [];
  const done: string[] = [];
  let shown = '';
  let at = 0;
  for (const match of text.matchAll(MARKED)) {
    shown += text.slice(at, match.index);
    at = match.index + match[0].length;
    const [, , , role, interpreted] = match;
    const marks = { isNote: false, language: '' };
    if (RAISED.has(role ?? '') || LOWERED.has(role ?? '')) {
      done.push(shown.slice(0, -MARKED_CHARACTERS));
      shown = shown.slice(-MARKED_CHARACTERS);
    }
    if (RAISED.has(role ?? '')) shown = withRaised(shown, interpreted!, marks);
    else if (LOWERED.has(role ?? '')) shown = withLowered(shown, interpreted!);
    else shown += markedText(match, links, names);
  }
  shown = done.join('') + shown + text.slice(at);
  // No spread: an engine takes only so many arguments.
  for (const [address] of shown.matchAll(ADDRESS)) links.push(address);
  return { text: shown, links };
}

const RAISED: ReadonlySet<string> = new Set(['sup', 'superscript']);
const LOWERED: ReadonlySet<string> = new Set(['sub', 'subscript']);

/** Returns what a mark shows, and adds the links that it holds. */
function markedText(match: RegExpExecArray, links: string[], names: RstNames): string {
  const [whole, escaped, literal, role, interpreted, strong, emphasis, name, citation, target] =
    match;
  if (escaped !== undefined) return escaped.trim();
  if (literal !== undefined) return literal;
  if (interpreted !== undefined) return roleText(role, interpreted, links, names);
  if (name !== undefined) return names.substitutions.get(name) ?? name;
  if (citation !== undefined) return `[${citation}]`;
  if (whole.endsWith(']_')) return '';
  if (target !== undefined) links.push(names.targets.get(referenceName(target)) ?? '');
  return strong ?? emphasis ?? target ?? '';
}

/** Addresses in running text are links by themselves. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`()[\]{}]*[^\s<>"'`()[\]{}.,;:!?]/g;

const NUMBERED: Readonly<Record<string, string>> = {
  pep: 'PEP ',
  rfc: 'RFC ',
  issue: '#',
  pr: '#',
  ticket: '#',
};

/** Roles of Sphinx that name a label. */
const LABELLED: ReadonlySet<string> = new Set(['ref', 'std:ref', 'numref']);

function roleText(
  role: string | undefined,
  content: string,
  links: string[],
  { extension, targets }: RstNames,
): string {
  const withTarget = /^([^<]*[^<\s])\s*<([^>]*)>$/s.exec(content);
  const target = withTarget?.[2] ?? content;
  if (role === 'doc' || role === 'any') links.push(`${target.trim()}${extension}`);
  else if (LABELLED.has(role ?? '')) links.push(`${LABEL}${referenceName(target)}`);
  else if (role === undefined || role === 'download') {
    const defined = targets.get(referenceName(target.replace(/_$/, '')));
    if (withTarget || defined !== undefined) links.push(defined ?? target);
  }
  if (withTarget) return withTarget[1]!;
  const plain = content.replace(/^!/, '');
  if (plain.startsWith('~')) return plain.slice(plain.lastIndexOf('.') + 1).replace(/^~/, '');
  return `${NUMBERED[role ?? ''] ?? ''}${plain}`;
}
