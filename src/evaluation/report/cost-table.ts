/** Builds the table of the cost of one search by each retriever. */
import type { RetrieverCost } from '../evaluation-result.ts';
import type { ReportTable } from './report-table.ts';

/** Three digits or so: below 10 ms the first decimal counts. */
const milliseconds = (ms: number): string => ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);

/** Megabytes of 10^6 bytes. */
const megabytes = (bytes: number | undefined): string =>
  bytes === undefined ? '–' : (bytes / 1e6).toFixed(1);

/** `label`: how a retriever is called in the other tables. */
export function costTable(
  costs: readonly RetrieverCost[],
  label: (retriever: string) => string = name => name,
): ReportTable {
  const counts = [...new Set(costs.map(({ questions }) => questions))].join(', ');
  return {
    id: 'costs',
    heading: 'What one search costs',
    notes: [
      `One search with the question as it stands, 30 hits, on ${counts} questions after three that warm up; every query is embedded and every pair scored anew. Milliseconds of this machine; CPU over all threads.`,
      'Held: heap, buffers and kernel memory after a collection, beyond the documents; of a local model its tokenizer, not its weights. Process: by how much it grew, models and their run time included; only where it opened one retriever alone. Megabytes of 10^6 bytes.',
    ],
    columns: ['retriever', 'mean ms', 'p50 ms', 'p95 ms', 'CPU ms', 'held MB', 'process MB'],
    rows: costs.map(
      ({
        retriever,
        milliseconds: { mean, p50, p95 },
        cpuMilliseconds,
        heapBytes,
        residentBytes,
      }) => [
        label(retriever),
        ...[mean, p50, p95, cpuMilliseconds].map(milliseconds),
        megabytes(heapBytes),
        megabytes(residentBytes),
      ],
    ),
  };
}
