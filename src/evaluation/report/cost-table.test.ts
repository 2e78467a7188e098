import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costTable } from './cost-table.ts';

test('costs in milliseconds and megabytes; no figure for a process that opened several', () => {
  const { rows } = costTable(
    [
      {
        retriever: 'a',
        questions: 30,
        milliseconds: { mean: 1.234, p50: 12.34, p95: 123.4 },
        cpuMilliseconds: 0.5,
        heapBytes: 8_800_000,
        residentBytes: 22_500_000,
      },
      {
        retriever: 'b',
        questions: 30,
        milliseconds: { mean: 1, p50: 1, p95: 1 },
        cpuMilliseconds: 1,
        heapBytes: 1e6,
      },
    ],
    name => name.toUpperCase(),
  );
  assert.deepEqual(rows, [
    ['A', '1.23', '12.3', '123', '0.50', '8.8', '22.5'],
    ['B', '1.00', '1.00', '1.00', '1.00', '1.0', '–'],
  ]);
});
