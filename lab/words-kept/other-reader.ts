/** Texts of files as other programs read them, to compare with the words of documents. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { textsOfHtml } from './html-text.ts';

/** Reads the bytes of a file as text. Throws what the program throws. */
type OtherReader = (bytes: Uint8Array) => string | Promise<string>;

const shown = (html: string): string => textsOfHtml(html).join('\n');

const visible = (bytes: Uint8Array): string => shown(decoded(bytes));

const PANDOC: Readonly<Record<string, string>> = {
  md: 'gfm',
  markdown: 'gfm',
  mdx: 'gfm',
  rst: 'rst',
};

const HTML_ENTRIES = ['html', 'htm', 'xhtml'].map(extension => [extension, visible] as const);

const READERS: Readonly<Record<string, OtherReader>> = {
  ...Object.fromEntries(HTML_ENTRIES),
  ...Object.fromEntries(
    Object.entries(PANDOC).map(([extension, from]) => [
      extension,
      (bytes: Uint8Array) => pandoc(from, Buffer.from(decoded(bytes))),
    ]),
  ),
  docx: bytes => pandoc('docx', bytes),
  epub: book,
  adoc: asciidoctor,
  asciidoc: asciidoctor,
  csv: decoded,
  tsv: decoded,
  pdf: bytes => program('pdftotext', ['-', '-'], bytes),
};

/** Tells which program reads a file; undefined if none is known. */
export function otherReader(path: string): OtherReader | undefined {
  const extension = extname(path.replace(/\.gz$/, '')).slice(1).toLowerCase();
  // Sections of manual pages.
  return READERS[extension] ?? (/^[1-9n][a-z]*$/.test(extension) ? manual : undefined);
}

/** Reads a file once and keeps what was read in a folder, by the bytes of the file. */
export async function otherText(path: string, folder: string): Promise<string> {
  const bytes = readFileSync(path);
  const name = createHash('sha256').update(extname(path)).update(bytes).digest('hex');
  const kept = join(folder, `${name}.txt`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const text = await otherReader(path)!(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  mkdirSync(folder, { recursive: true });
  writeFileSync(kept, text);
  return text;
}

const program = (name: string, words: readonly string[], input: Uint8Array): string =>
  execFileSync(name, words, {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    timeout: 20_000,
    stdio: ['pipe', 'pipe', 'ignore'],
  });

const pandoc = (from: string, bytes: Uint8Array): string =>
  shown(program('pandoc', ['--sandbox', '-f', from, '-t', 'html', '--wrap=none'], bytes));

/** Prints the pages of a ZIP archive. */
const PRINT_PAGES = `
import io, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
for entry in archive.infolist():
    if entry.filename.lower().endswith(('.xhtml', '.html', '.htm')):
        sys.stdout.buffer.write(archive.read(entry))
`;

/** Pandoc refuses books that break a rule; all their pages are taken instead. */
function book(bytes: Uint8Array): string {
  try {
    return pandoc('epub', bytes);
  } catch {
    return shown(program('python3', ['-c', PRINT_PAGES], bytes));
  }
}

/** The lines at head and foot of a printed manual page. */
const MANUAL_EDGE = /<table class="(?:head|foot)">.*?<\/table>/gs;

function manual(bytes: Uint8Array): string {
  const words = ['-T', 'html', '-O', 'fragment', '-K', 'utf-8'];
  return shown(program('mandoc', words, Buffer.from(decoded(bytes))).replace(MANUAL_EDGE, ''));
}

/** Numbers and lists that Asciidoctor adds, which the file does not hold. */
const ADDED = ['toc', 'sectnums', 'table-caption', 'example-caption', 'figure-caption'];

async function asciidoctor(bytes: Uint8Array): Promise<string> {
  const { convert } = await import('@asciidoctor/core');
  const attributes = { showtitle: '', ...Object.fromEntries(ADDED.map(name => [name, null])) };
  return shown(String(await convert(decoded(bytes), { safe: 'secure', attributes })));
}

/** Decodes as UTF-8, else by the encoding that a page declares, else as Windows-1252. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const head = Buffer.from(bytes).toString('latin1');
    if (head.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(bytes);
    if (head.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(bytes);
    const label = /(?:charset|coding)[=:]\s*["']?([\w-]+)/i.exec(head)?.[1] ?? 'windows-1252';
    return new TextDecoder(label).decode(bytes);
  }
}
