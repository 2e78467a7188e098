/**
 * Fuzzes loaders: any bytes give documents, reasons or an `InputError`; written documents read back
 * equal.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../src/core/errors.ts';
import { readSource } from '../src/documents/files/read-source.ts';
import { ReadingProcesses } from '../src/documents/files/reading-processes.ts';
import { DEFAULT_LIMITS, memorySource, type Source } from '../src/documents/files/source.ts';
import { formats } from '../src/documents/formats.ts';
import { jsonErrorOffset } from '../src/documents/records/json-text.ts';
import { splitLines } from '../src/documents/records/lines.ts';

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Returns a source whose stream comes in pieces of these lengths. */
function pieces(path: string, bytes: Uint8Array, lengths: readonly number[]): Source {
  return {
    ...memorySource(path, bytes),
    async *stream() {
      let at = 0;
      for (let turn = 0; at < bytes.length; turn++) {
        const length = Math.max(1, lengths[turn % lengths.length] ?? 1);
        yield bytes.subarray(at, at + length);
        at += length;
      }
    },
  };
}

const MARKUP = `< > </ <p> </p> <table> <td> <script> <!-- <![CDATA[ <dd> <li> <h2> <pre> &amp; &# " '
  = # - 1. > \`\`\` | |---| [ ] ( ) * _ \\ { } : , text "text" "id" null 1e5 .TP\n .SH .RS\n \\f :: . \``;
const markup = fc.constantFrom(
  ...MARKUP.split(/\s+/),
  ...[
    '\n',
    '\r\n',
    '---\n',
    '===\n',
    '\n\n  ',
    '.. note:: ',
    '.It Fl ',
    '|===\n',
    '# ',
    '- ',
    '> ',
  ],
  ...[' ', '\t', '\0', '\ufeff', '\ud800', '😂', 'é', 'a'],
);
const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.array(markup, { maxLength: 60 }).map(list => new TextEncoder().encode(list.join(''))),
  fc
    .array(markup, { maxLength: 60 })
    .map(list => new Uint8Array(Buffer.from(`\ufeff${list.join('')}`, 'utf16le'))),
  fc.json({ maxDepth: 6 }).map(text => new TextEncoder().encode(text)),
  fc
    .array(fc.json({ maxDepth: 3 }), { maxLength: 6 })
    .map(list => new TextEncoder().encode(list.join('\n'))),
);

const isolated = new ReadingProcesses();

for (const format of [...formats, undefined])
  test(`any bytes as ${format?.name ?? 'an unknown file'}: give documents, reasons or an InputError`, async () => {
    await fc.assert(
      fc.asyncProperty(
        someBytes,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(20, 1000),
        async (bytes, lengths, documentBytes) => {
          const limits = { ...DEFAULT_LIMITS, documentBytes };
          try {
            let events = 0;
            for await (const found of readSource(
              pieces('f', bytes, lengths),
              true,
              format,
              limits,
              isolated,
            )) {
              events++;
              if (found.type === 'skipped') assert.ok(found.reason.length > 3);
              else {
                assert.ok(
                  found.document.text.isWellFormed() &&
                    found.document.title.isWellFormed() &&
                    found.document.id.isWellFormed(),
                );
                assert.notEqual(found.document.id, '');
                for (const value of Object.values(found.document.metadata))
                  assert.ok(value !== null && value !== undefined);
              }
            }
            assert.ok(events > 0, 'something is always said');
          } catch (error) {
            if (!InputError.is(error)) throw error;
            assert.match(error.message, /"f"/);
          }
        },
      ),
      // The bytes of these go to another process.
      { numRuns: format?.isIsolated ? 50 : 1500 },
    );
  });

const field = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter(text => text.trim() !== '' && !text.includes('\0'));
const records = fc.uniqueArray(fc.record({ id: field, title: field, text: field, source: field }), {
  selector: record => record.id,
  maxLength: 12,
});
const documentsOf = (
  list: readonly { id: string; title: string; text: string; source: string }[],
): unknown[] =>
  list.map(({ id, title, text, source }) => ({ id, title, text, metadata: { source } }));

async function documents(
  path: string,
  content: string | Uint8Array,
  lengths: readonly number[],
): Promise<unknown[]> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const found = await gather(
    readSource(pieces(path, bytes, lengths), true, undefined, DEFAULT_LIMITS),
  );
  return found.flatMap(item => (item.type === 'document' ? [item.document] : []));
}

const lengths = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 3 });

test('JSON, JSONL and CSV read back equal, however the bytes are split', async () => {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(records, lengths, fc.constantFrom('\n', '\r\n'), async (list, cuts, end) => {
      const lines = list.map(record => JSON.stringify(record)).join(end) + end;
      assert.deepEqual(
        await documents('a.json', JSON.stringify(list, null, 1), cuts),
        documentsOf(list),
      );
      assert.deepEqual(await documents('a.jsonl', lines, cuts), documentsOf(list));
      assert.deepEqual(
        await documents('a.jsonl', new Uint8Array(Buffer.from(`\ufeff${lines}`, 'utf16le')), cuts),
        documentsOf(list),
      );
      const rows = [
        ['id', 'title', 'text', 'source'],
        ...list.map(record => [record.id, record.title, record.text, record.source]),
      ];
      assert.deepEqual(
        await documents('a.csv', rows.map(row => row.map(cell).join(',')).join(end), cuts),
        documentsOf(list),
      );
    }),
    { numRuns: 500 },
  );
});

test('lines equal those of split, with their numbers, for any cap', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'bb', '\n', '\n', '\r\n', ' ', 'é'), { maxLength: 40 }),
      lengths,
      fc.integer({ min: 0, max: 6 }),
      async (parts, cuts, cap) => {
        const text = parts.join('');
        const got = await gather(
          splitLines(pieces('f', new TextEncoder().encode(text), cuts).stream(), cap),
        );
        const all = text
          .split('\n')
          .map((part, index) => ({ line: index + 1, text: part.replace(/\r$/, '') }));
        const kept = all.filter(
          ({ text: part }) => part.trim() !== '' || Buffer.byteLength(part) > cap,
        );
        assert.deepEqual(
          got.map(({ line, bytes }) => ({ line, text: bytes && Buffer.from(bytes).toString() })),
          kept.map(({ line, text: part }) => ({
            line,
            text: Buffer.byteLength(part) > cap ? undefined : part,
          })),
        );
      },
    ),
    { numRuns: 2000 },
  );
});

/** The oracle: an error is at the end of the longest prefix that some continuation completes. */
test('a JSON error is at the first character that no continuation can mend', () => {
  const tails = `
    " 0 } ] :0} ":0} "} "] e0 ull rue "a":0} "a" 0] 0} .0 "":0} u0000" 000" 00" 0" n" \\"`.split(
    /\s+/,
  );
  const token = fc.constantFrom(
    ...'{ } [ ] , : "a" " \\n \\x \\u00 1 - .5 e true nul x'.split(' '),
    ...[' ', '\n', '\u0001'],
  );
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.array(token, { maxLength: 10 }), list => {
      const text = list.join('');
      if (parses(text)) return;
      const at = jsonErrorOffset(text);
      assert.ok(at >= 0 && at <= text.length);
      // No text that begins with one character more than the valid part is JSON.
      if (at < text.length && !/["\d\w\\.+-]/.test(text[at]!))
        for (const tail of tails)
          assert.ok(
            !parses(text.slice(0, at + 1) + tail),
            `${JSON.stringify(text)} at ${at} with ${tail}`,
          );
    }),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) =>
      assert.equal(jsonErrorOffset(text.slice(0, cut % text.length)) <= text.length, true),
    ),
  );
  for (const [text, at] of [
    ['', 0],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":}', 5],
    ['[1,2', 4],
    ['[1 2]', 3],
    ['{"a":1,}', 7],
    ['tru', 0],
    ['"abc', 4],
    ['"a\\q"', 2],
    ['01', 1],
    ['1.', 1],
    ["{'a':1}", 1],
  ] as const)
    assert.equal(jsonErrorOffset(text), at, text);
});
