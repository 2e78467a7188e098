/**
 * Defines the laws of file formats: no text is lost, blocks and lines ascend, equal bytes make
 * equal documents however they arrive, and no bytes break a reader.
 */
import type { Document } from '../core/corpus/document.ts';
import { outlineProblem } from '../core/corpus/outline.ts';
import { InputError } from '../core/errors.ts';
import { mulberry32 } from '../core/mulberry32.ts';
import { holds, type Law, law, same } from './law.ts';

/** A format of `documents`, as far as laws see it. */
interface FormatUnderTest {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly summary: string;
  read(
    source: {
      readonly path: string;
      readonly id: string;
      readonly size: number;
      stream(): AsyncIterable<Uint8Array>;
    },
    limits: { readonly documentBytes: number; readonly jsonBytes: number },
  ): AsyncIterable<Found>;
}

type Found =
  | { readonly type: 'document'; readonly document: Document; readonly line?: number }
  | { readonly type: 'skipped'; readonly reason: string; readonly line?: number };

const SENTENCES = [
  'Herons nest above the river in March.',
  'Their keeper counts them twice a week.',
  'In April the bridge was closed for repairs.',
];
const LIMITS = { documentBytes: 1 << 20, jsonBytes: 1 << 20 };
const TRIALS = 100;

/**
 * Returns the laws of a format. `example`: a file that holds these sentences; by default they are
 * paragraphs of plain text.
 */
export function formatLaws(
  format: FormatUnderTest,
  example: (sentences: readonly string[]) => Uint8Array | string = sentences =>
    `${sentences.join('\n\n')}\n`,
): Law[] {
  const file = bytesOf(example(SENTENCES));
  const read = (bytes: Uint8Array, pieces = bytes.length, limits = LIMITS): Promise<Found[]> =>
    gathered(format, bytes, pieces, limits);
  return [
    law('format: has a name, a summary, and extensions in lower case without a dot', () => {
      holds(format.name !== '' && format.summary !== '', 'name and summary', 'texts', format);
      for (const extension of format.extensions)
        holds(/^[a-z0-9]+$/.test(extension), 'an extension', 'such as "md"', extension);
    }),
    law('format: no sentence of a file is lost, and their order is kept', async () => {
      const texts = documentsOf(await read(file)).map(({ title, text }) => `${title}\n${text}`);
      const text = texts.join('\n').replace(/\s+/g, ' ');
      const places = SENTENCES.map(sentence => text.indexOf(sentence));
      holds(!places.includes(-1), 'the text', 'all sentences of the file', text);
      same(
        places.toSorted((a, b) => a - b),
        places,
        'places of the sentences',
      );
    }),
    law('format: blocks and lines ascend inside their document', async () =>
      checkBlocks(await read(file)),
    ),
    law('format: equal files make equal documents', async () =>
      same(await read(file), await read(file), 'a second reading'),
    ),
    law('format: a file in pieces makes the same documents as in one', async () => {
      for (const pieces of [1, 7, 64])
        same(await read(file, pieces), await read(file), `${pieces}`);
    }),
    law('format: a file beyond the limit is skipped, with a reason', async () => {
      const found = await read(file, file.length, { documentBytes: 3, jsonBytes: 3 });
      same(documentsOf(found), [], 'documents');
      holds(found.length > 0, 'events', 'a reason', found);
    }),
    law('format: any bytes make documents or reasons, or are refused by an InputError', () =>
      checkHostile(file, read),
    ),
  ];
}

const bytesOf = (content: Uint8Array | string): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

async function gathered(
  format: FormatUnderTest,
  bytes: Uint8Array,
  pieces: number,
  limits: typeof LIMITS,
): Promise<Found[]> {
  const path = `a.${format.extensions[0] ?? ''}`;
  const source = {
    path,
    id: path,
    size: bytes.length,
    async *stream() {
      // A library may take the bytes away from their owner.
      for (let at = 0; at < bytes.length; at += pieces) yield bytes.slice(at, at + pieces);
    },
  };
  const found: Found[] = [];
  for await (const each of format.read(source, limits)) found.push(each);
  return found;
}

const documentsOf = (found: readonly Found[]): Document[] =>
  found.flatMap(each => (each.type === 'document' ? [each.document] : []));

function checkBlocks(found: readonly Found[]): void {
  const lines = found.flatMap(({ line }) => (line === undefined ? [] : [line]));
  same(
    lines.toSorted((a, b) => a - b),
    lines,
    'lines of the documents',
  );
  for (const document of documentsOf(found)) {
    same(outlineProblem(document), undefined, `the outline of ${document.id}`);
    const rows = (document.outline ?? []).flatMap(({ line, page }) => line ?? page ?? []);
    same(
      rows.toSorted((a, b) => a - b),
      rows,
      `lines or pages of the blocks of ${document.id}`,
    );
  }
}

/** Reads cut and changed files, and random bytes. */
async function checkHostile(
  file: Uint8Array,
  read: (bytes: Uint8Array) => Promise<Found[]>,
): Promise<void> {
  const random = mulberry32(1);
  const below = (most: number): number => Math.floor(random() * most);
  for (let trial = 0; trial < TRIALS; trial++) {
    const changed = file.slice(0, below(file.length));
    changed[below(changed.length)] = below(256);
    const other = Uint8Array.from({ length: below(300) }, () =>
      random() < 0.7 ? 32 + below(95) : below(256),
    );
    for (const bytes of [changed, other])
      try {
        checkFound(await read(bytes));
      } catch (error) {
        if (!InputError.is(error) && (error as Error).name !== 'Unreadable') throw error;
      }
  }
}

function checkFound(found: readonly Found[]): void {
  for (const each of found)
    if (each.type === 'skipped') holds(each.reason !== '', 'a reason', 'a text', each);
    else {
      const { id, title, text, metadata } = each.document;
      holds(
        id !== '' && [id, title, text].every(part => part.isWellFormed()),
        'a document',
        'well-formed texts',
        each,
      );
      const values = Object.values(metadata);
      holds(
        !values.some(value => value === undefined || value === null),
        'metadata',
        'values',
        metadata,
      );
    }
}
