/** Every file format keeps the laws, by a file of sentences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formats } from '../../src/documents/formats.ts';
import { formatLaws } from '../../src/testing/format-laws.ts';
import { docxOf, epubOf, paragraph, pdfOf } from '../office-files.ts';
import { runLaws } from './run-laws.ts';

type Example = (sentences: readonly string[]) => Uint8Array | string;

const lines: Example = sentences => sentences.map(text => JSON.stringify({ text })).join('\n');
const rows =
  (delimiter: string): Example =>
  sentences =>
    ['id,text', ...sentences.map((text, at) => `${at},${text}`)]
      .join('\n')
      .replaceAll(',', delimiter);

/** Files of formats that do not read sentences as they stand. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  json: sentences => JSON.stringify(sentences.map(text => ({ text }))),
  jsonl: lines,
  csv: rows(','),
  tsv: rows('\t'),
  pdf: sentences => pdfOf([sentences.map(text => [10, 30, text] as const)]),
  docx: sentences => docxOf(sentences.map(text => paragraph(text)).join('')),
  epub: sentences => epubOf(sentences.map(text => `<p>${text}</p>`).join('')),
};

for (const format of formats) runLaws(format.name, formatLaws(format, EXAMPLES[format.name]));

test('an extension belongs to one format', () => {
  const extensions = formats.flatMap(format => format.extensions);
  assert.deepEqual(extensions, [...new Set(extensions)]);
});
