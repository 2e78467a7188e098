/** Reads simple front matter: lines `key: value` between two `---`, `key = value` between `+++`. */
import type { Metadata } from '../../core/corpus/document.ts';
import { documentFromRecord } from '../records/record.ts';

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly rest: string;
  /** Number of lines before `rest`. */
  readonly lines: number;
}

const FENCES: readonly (readonly [open: string, close: RegExp])[] = [
  ['---\n', /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/],
  ['+++\n', /\n\+\+\+[ \t]*(?:\n|$)/],
];

/** Splits front matter from a text with `\n` line ends. Lists: `[a, b]`, or lines `- a`. */
export function frontMatter(text: string): FrontMatter {
  const none = { fields: {}, rest: text, lines: 0 };
  const fence = FENCES.find(([open]) => text.startsWith(open));
  const end = fence?.[1].exec(text.slice(3));
  if (!end) return none;
  const fields = new Map<string, unknown>();
  let last = '';
  for (const row of text.slice(4, 3 + end.index).split('\n')) {
    const item = /^\s*-\s+(.+)$/.exec(row);
    const pair = /^([\p{L}_][\p{L}\p{N}_.-]*)(?::| =)[ \t]*(.*)$/u.exec(row);
    if (pair) fields.set((last = pair[1]!), frontValue(pair[2]!.trim()));
    else if (item && last !== '') {
      const known = fields.get(last);
      const list = Array.isArray(known) ? known : [];
      list.push(unquoted(item[1]!.trim()));
      fields.set(last, list);
    }
  }
  const length = 3 + end.index + end[0].length;
  return {
    fields: Object.fromEntries(fields),
    rest: text.slice(length),
    lines: text.slice(0, length).split('\n').length - 1,
  };
}

function frontValue(value: string): unknown {
  if (value === '') return null;
  if (value.startsWith('[') && value.endsWith(']'))
    return value
      .slice(1, -1)
      .split(',')
      .map(part => unquoted(part.trim()))
      .filter(Boolean);
  return unquoted(value);
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

/** Returns the metadata as of any record: dates named `published_at`, null and title left out. */
export function frontMetadata({ title: _, ...fields }: FrontMatter['fields']): Metadata {
  const loaded = documentFromRecord({ metadata: fields, text: '-', id: '-' });
  return 'skipped' in loaded ? {} : loaded.document.metadata;
}

/** Returns the title that front matter states. */
export function frontTitle({ title }: FrontMatter['fields']): string | undefined {
  return typeof title === 'string' ? title : undefined;
}
