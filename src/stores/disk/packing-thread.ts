/** The second thread, which packs the units that it is sent. */
import { parentPort } from 'node:worker_threads';
import { finish } from '../../core/steps.ts';
import { packUnit } from './build-indexes.ts';
import { tableDocuments } from './document-table.ts';
import type { Sent } from './index-thread.ts';

/** Characters of documents that stay parsed: each pass reads them in their order. */
const KEEP = 1 << 20;

parentPort!.on('message', ({ unit, chunker, table, bytes }: Sent) => {
  const documents = tableDocuments(table, 'a line', (from, to) => bytes.subarray(from, to), KEEP);
  const packed = finish(packUnit(documents, unit, chunker));
  const parts = [packed.items, ...[...packed.lexical.values()].map(({ arrays }) => arrays)];
  const memory = parts.flatMap(arrays =>
    Object.values(arrays).map(({ buffer }) => buffer as ArrayBuffer),
  );
  parentPort!.postMessage(packed, [...new Set(memory)]);
});
