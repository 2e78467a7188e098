/**
 * Says of the files of an EPUB what they are (EPUB 2 and 3): container, package document, table of
 * contents and list of encrypted files.
 */
import { oneLine } from '../../blocks/block-writer.ts';
import { decode } from '../../files/decode.ts';
import { BadZip, type Zip } from '../../files/zip.ts';

/** An element of XML, without its namespace. */
interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text and that of all elements inside. */
  readonly text: string;
  /** Number of the items of a table of contents that it stands in. */
  readonly level: number;
}

/** A chapter that the table of contents names. */
export interface ContentsEntry {
  readonly label: string;
  /** From 1, the outermost. */
  readonly level: number;
}

export interface EpubPackage {
  readonly title: string | undefined;
  readonly authors: readonly string[];
  readonly date: string | undefined;
  readonly language: string | undefined;
  /** Names of the chapters in reading order, each once. */
  readonly chapters: readonly string[];
  /** The one of them that holds the table of contents, which is not read, and maybe more. */
  readonly navigation: string | undefined;
  /** By the names of chapters. */
  readonly contents: ReadonlyMap<string, ContentsEntry>;
  readonly encrypted: ReadonlySet<string>;
}

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
/** Far more than a large book needs: elements take more memory than their bytes. */
const MOST_XML_BYTES = 4 * 1024 * 1024;
const PAGES = /^(?:application\/xhtml\+xml|text\/html|text\/x-oeb1-document)$/;

/** Reads the package document. Throws `BadZip` if it, or what leads to it, cannot be read. */
export async function readPackage(zip: Zip): Promise<EpubPackage> {
  const container = await elementsOf(zip, CONTAINER);
  const path = elementsNamed(container, 'rootfile')[0]?.attributes['full-path'];
  if (path === undefined) throw new BadZip(`${CONTAINER} names no package`);
  const elements = await elementsOf(zip, path);
  const items = new Map(
    elementsNamed(elements, 'item').map(({ attributes: item }) => [item['id'], item]),
  );
  const isNav = (item: Readonly<Record<string, string>>): boolean =>
    /\bnav\b/.test(item['properties'] ?? '');
  const chapters = new Set<string>();
  for (const { attributes } of elementsNamed(elements, 'itemref')) {
    const item = items.get(attributes['idref']);
    if (item?.['href'] === undefined) continue;
    if (PAGES.test(item['media-type'] ?? '')) chapters.add(within(path, item['href']));
  }
  const texts = (name: string): string[] =>
    elementsNamed(elements, name)
      .map(({ text }) => oneLine(text))
      .filter(text => text !== '');
  const nav = [...items.values()].find(isNav);
  const toc =
    nav ?? [...items.values()].find(item => item['media-type'] === 'application/x-dtbncx+xml');
  return {
    title: texts('title')[0],
    authors: texts('creator'),
    date: texts('date')[0],
    language: texts('language')[0],
    chapters: [...chapters],
    navigation: nav?.['href'] === undefined ? undefined : within(path, nav['href']),
    contents:
      toc?.['href'] === undefined ? new Map() : await contentsOf(zip, within(path, toc['href'])),
    encrypted: await encryptedIn(zip),
  };
}

/** Returns the entries of a table of contents; none if it cannot be read. */
async function contentsOf(zip: Zip, path: string): Promise<Map<string, ContentsEntry>> {
  const entries = new Map<string, ContentsEntry>();
  let label = '';
  let inContents = true;
  for (const { name, attributes, text, level } of await elementsOf(zip, path).catch(none)) {
    // Lists of pages and landmarks stand beside the table.
    if (name === 'nav') inContents = /\btoc\b/.test(attributes['epub:type'] ?? '');
    else if (name === 'pageList' || name === 'navList') inContents = false;
    // EPUB 2 names a label before its file, EPUB 3 links it.
    else if (name === 'text') label = text;
    const href = name === 'a' ? attributes['href'] : attributes['src'];
    if (!inContents || href === undefined) continue;
    const shown = oneLine(name === 'a' ? text : label);
    const chapter = within(path, href);
    if (shown !== '' && !entries.has(chapter)) entries.set(chapter, { label: shown, level });
  }
  return entries;
}

function none(error: unknown): XmlElement[] {
  if (error instanceof BadZip) return [];
  throw error;
}

/** Names of the files that only a key opens: fonts often, chapters of a protected book. */
async function encryptedIn(zip: Zip): Promise<Set<string>> {
  if (!zip.has(ENCRYPTION)) return new Set();
  const elements = await elementsOf(zip, ENCRYPTION);
  const uris = elementsNamed(elements, 'CipherReference').map(
    ({ attributes }) => attributes['URI'] ?? '',
  );
  return new Set(uris.map(uri => within('', uri)));
}

/** Returns the name of a file that another names, from the root of the archive. */
export function within(from: string, href: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of decoded(href.replace(/[?#].*$/s, '')).split('/'))
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  return parts.join('/');
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** Returns the text of a file of at most `most` bytes. Throws `BadZip`. */
export function textOf(zip: Zip, name: string, most?: number): string {
  const text = decode(zip.read(name, most));
  if (typeof text === 'string') return text;
  throw new BadZip(`${name} is ${text.skipped}`);
}

const elementsNamed = (elements: readonly XmlElement[], name: string): XmlElement[] =>
  elements.filter(element => element.name === name);

/** Elements whose text is read. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'creator', 'date', 'language', 'a', 'text']);
/** Elements of which attributes are read, or the place alone. */
const OTHERS: ReadonlySet<string> = new Set([
  ...['rootfile', 'item', 'itemref', 'CipherReference'],
  ...['nav', 'content', 'pageList', 'navList'],
]);
/** Elements whose nesting is the level of a chapter. */
const LEVELS: ReadonlySet<string> = new Set(['navPoint', 'ol']);

/** Reads elements of XML in the order in which they begin. No entity of a DTD is expanded. */
async function elementsOf(zip: Zip, path: string): Promise<XmlElement[]> {
  const { Parser } = await import('htmlparser2');
  const elements: XmlElement[] = [];
  /** The open element that is read; text of elements inside belongs to it. */
  let open: { readonly element: { text: string }; readonly depth: number } | undefined;
  let [depth, level] = [0, 0];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        const local = localName(name);
        if (LEVELS.has(local)) level++;
        if (!TEXTS.has(local) && !OTHERS.has(local)) return;
        const element = { name: local, attributes, text: '', level };
        elements.push(element);
        if (TEXTS.has(local)) open ??= { element, depth };
      },
      ontext(text) {
        if (open) open.element.text += text;
      },
      onclosetag(name) {
        if (open?.depth === depth) open = undefined;
        if (LEVELS.has(localName(name))) level--;
        depth--;
      },
    },
    { xmlMode: true },
  );
  parser.end(textOf(zip, path, MOST_XML_BYTES));
  return elements;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
