/** Reads front matter: YAML between two lines `---`, TOML between two lines `+++`. */
import type { Metadata } from '../../core/corpus/document.ts';
import { documentFromRecord, type Fields, isFields } from '../records/record.ts';

export interface FrontMatter {
  readonly fields: Fields;
  readonly rest: string;
  /** Number of lines before `rest`. */
  readonly lines: number;
  /** Lines that hold no valid fields, to be kept as text, and what is wrong with them. */
  readonly unread?: { readonly text: string; readonly note: string };
}

interface Syntax {
  readonly name: string;
  readonly open: RegExp;
  readonly close: RegExp;
  /** Returns fields; undefined for what is no front matter. Throws for what is malformed. */
  read(text: string): Promise<Fields | undefined>;
}

const SYNTAXES: readonly Syntax[] = [
  {
    name: 'YAML',
    open: /^---[ \t]*\n(?=\S)/,
    close: /(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/,
    read: yamlFields,
  },
  {
    name: 'TOML',
    open: /^\+\+\+[ \t]*\n/,
    close: /(?:^|\n)\+\+\+[ \t]*(?:\n|$)/,
    read: tomlFields,
  },
];

/** Longer front matter is text: its parsers need seconds for a megabyte. */
const MOST_CHARACTERS = 1_000_000;
/** Deeper lines, and more lists or maps in brackets, are not given to a parser that recurses. */
const DEEP = /^[ \t?:-]{200}/m;
const MOST_BRACKETS = 1000;

/** Splits front matter from a text with `\n` line ends. A rule `---` at the top begins none. */
export async function frontMatter(text: string): Promise<FrontMatter> {
  const none: FrontMatter = { fields: {}, rest: text, lines: 0 };
  const syntax = SYNTAXES.find(({ open }) => open.test(text));
  if (syntax === undefined) return none;
  const from = syntax.open.exec(text)![0].length;
  const end = syntax.close.exec(text.slice(from));
  if (end === null) return none;
  const inside = text.slice(from, from + end.index);
  const length = from + end.index + end[0].length;
  const split = { rest: text.slice(length), lines: text.slice(0, length).split('\n').length - 1 };
  try {
    if (inside.length > MOST_CHARACTERS) throw new Error('it is too long');
    if (DEEP.test(inside) || inside.split(/[[{]/).length > MOST_BRACKETS)
      throw new Error('it is nested too deep');
    const fields = await syntax.read(inside);
    if (fields === undefined) return none;
    const loaded = loadedFrom(fields);
    if ('skipped' in loaded) throw new Error(loaded.skipped);
    return { fields, ...split };
  } catch (error) {
    const fields = plainFields(inside);
    if (fields === undefined) return none;
    const why = (error as Error).message
      .split('\n')[0]!
      .replace(/[.:]+$/, '')
      .slice(0, 100);
    const note = `its front matter is not valid ${syntax.name} and is kept as text (${why})`;
    return { fields, ...split, unread: { text: inside, note } };
  }
}

/** Values are texts as they are written, as those of CSV, apart from `true`, `false` and `null`. */
async function yamlFields(text: string): Promise<Fields | undefined> {
  const { isMap, parseDocument } = await import('yaml');
  const document = parseDocument(text, {
    schema: 'failsafe',
    customTags: ['null', 'bool'],
    merge: true,
    // The parser compares each key with each other.
    uniqueKeys: false,
    logLevel: 'silent',
    prettyErrors: false,
  });
  if (document.errors.length > 0) throw document.errors[0]!;
  const fields: unknown = document.toJS({ maxAliasCount: 100 });
  if (fields === null && text.trim() === '') return {};
  if (isMap(document.contents) && document.contents.items.length > Object.keys(fields ?? {}).length)
    throw new Error('a key stands twice');
  // A sentence with a colon between two rules is no field.
  return isFields(fields) && Object.keys(fields).some(key => PLAIN_KEY.test(key))
    ? fields
    : undefined;
}

const PLAIN_KEY = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

async function tomlFields(text: string): Promise<Fields> {
  const { parse } = await import('smol-toml');
  return asTexts(parse(text, { maxDepth: 64 })) as Fields;
}

/** Prints numbers and dates. */
function asTexts(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().replace(/\.000(?=Z|[+-]|$)/, '');
  if (Array.isArray(value)) return value.map(asTexts);
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asTexts(each)]));
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
}

/** Reads lines such as `title: A: b`; undefined where the first line states no field. */
function plainFields(text: string): Fields | undefined {
  const pairs = text
    .split('\n')
    .filter(line => !/^\s*(?:#|$)/.test(line))
    .map(line => /^([\p{L}_][\p{L}\p{N}_.-]*)(?::[ \t]| = |:$)[ \t]*(.*)$/u.exec(line));
  if (pairs[0] == null) return undefined;
  return Object.fromEntries(
    pairs.flatMap(pair => {
      const value = pair?.[2]?.trim().replace(/^(["'])(.*)\1$/, '$2');
      return pair && value && !/^[[{>|&*]/.test(value) ? [[pair[1]!, value]] : [];
    }),
  );
}

/** Returns the metadata as of any record: dates named `published_at`, null and title left out. */
export function frontMetadata(fields: Fields): Metadata {
  const loaded = loadedFrom(fields);
  return 'skipped' in loaded ? {} : loaded.document.metadata;
}

const loadedFrom = ({ title: _, ...fields }: Fields): ReturnType<typeof documentFromRecord> =>
  documentFromRecord({ metadata: fields, text: '-', id: '-' });

/** Returns the title that front matter states. */
export function frontTitle({ title }: Fields): string | undefined {
  return typeof title === 'string' || typeof title === 'boolean' ? String(title) : undefined;
}
