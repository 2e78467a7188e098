/** A block of how long the recorded traces of the first row of evaluations are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '../../src/evaluation/value-of-scores.ts';
import type { Block } from './report.ts';
import { table } from './tables.ts';

/** Returns the bytes of each question's lines in a file of traces. */
export function traceBytes(text: string): number[] {
  const bytes: number[] = [];
  for (const line of text.split('\n')) {
    const { event } = (line === '' ? {} : JSON.parse(line)) as { event?: { type: string } };
    if (event === undefined) continue;
    if (event.type === 'question') bytes.push(0);
    bytes[bytes.length - 1]! += Buffer.byteLength(line) + 1;
  }
  return bytes;
}

/** One evaluation a line, by its name in the report; they keep their traces. */
export const traceSizes =
  (names: Readonly<Record<string, string>>): Block =>
  ({ measured }) => {
    const lines = Object.entries(names).flatMap(([says, name]) => {
      const found = measured.get(name);
      if (!found) return [];
      const folder = join(found.kept, 'traces');
      const first = readdirSync(folder).sort()[0]!;
      const bytes = traceBytes(readFileSync(join(folder, first), 'utf8'));
      const mean = bytes.reduce((sum, one) => sum + one, 0) / bytes.length;
      const p95 = quantile(Float64Array.from(bytes).sort(), 0.95);
      return [[says, String(bytes.length), ...[mean, p95].map(size => (size / 1000).toFixed(1))]];
    });
    return lines.length === 0
      ? undefined
      : table(['traces of', 'questions', 'mean kB a question', 'p95 kB'], lines);
  };
