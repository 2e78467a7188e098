/** Text of reStructuredText inside a block: marks and roles removed, links gathered. */
import type { Inline } from './markdown-inline.ts';

/** Definitions of `|name|`, and the extension of files that `:doc:` names. */
export interface RstNames {
  readonly substitutions: ReadonlyMap<string, string>;
  readonly extension: string;
}

/** Each part ends at the next mark of its kind, so the time is linear. */
const MARKED =
  /\\(\s|.)|``([^`]+)``|(?::([\w.+-]+(?::[\w.+-]+)?):)?`([^`]+)`_{0,2}|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\|([^|\s][^|]*)\|_{0,2}|\s?\[(?:\d{1,3}|#[\w-]*|\*)\]_|\b([A-Za-z][A-Za-z0-9-]*)_(?![\w`])/g;

/** Reads running text. */
export function rstInline(text: string, names: RstNames): Inline {
  const links: string[] = [];
  const shown = text.replace(
    MARKED,
    (whole, escaped, literal, role, interpreted, strong, emphasis, name, target) => {
      if (escaped !== undefined) return escaped.trim();
      if (literal !== undefined) return literal;
      if (interpreted !== undefined) return roleText(role, interpreted, links, names.extension);
      if (name !== undefined) return names.substitutions.get(name) ?? name;
      if (whole.endsWith(']_')) return '';
      return strong ?? emphasis ?? target;
    },
  );
  return { text: shown, links };
}

const NUMBERED: Readonly<Record<string, string>> = {
  pep: 'PEP ',
  rfc: 'RFC ',
  issue: '#',
  pr: '#',
  ticket: '#',
};

function roleText(
  role: string | undefined,
  content: string,
  links: string[],
  extension: string,
): string {
  const named = /^([^<]*[^<\s])\s*<([^>]*)>$/s.exec(content);
  const target = named?.[2] ?? content;
  if (role === 'doc' || role === 'any') links.push(`${target.trim()}${extension}`);
  else if (role === undefined || role === 'download') {
    if (named) links.push(target);
  }
  if (named) return named[1]!;
  const plain = content.replace(/^!/, '');
  if (plain.startsWith('~')) return plain.slice(plain.lastIndexOf('.') + 1).replace(/^~/, '');
  return `${NUMBERED[role ?? ''] ?? ''}${plain}`;
}
