/** Checks that JSON is extracted from hostile texts in linear time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonValuesIn } from './json-in-text.ts';

test('takes linear time', () => {
  const hostile: readonly ((size: number) => string)[] = [
    size => '{'.repeat(size),
    size => '{"a":'.repeat(size / 5),
    size => '{ x '.repeat(size / 4),
    size => `${'{}'.repeat(size / 2)}`,
    size => `{"a": "${'\\"'.repeat(size / 2)}`,
    size => `[${'1,'.repeat(size / 2)}`,
    size => '<think>'.repeat(size / 7),
    size => `${' '.repeat(size)}{"a": 1}`,
    size => `${'[x '.repeat(31)}${'"'.repeat(size)}`,
  ];
  const time = (text: string): number => {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 5; run++) {
      // Measures processor time, so that other work on the machine does not count.
      const start = process.cpuUsage();
      Array.from(jsonValuesIn(text));
      const { user, system } = process.cpuUsage(start);
      best = Math.min(best, (user + system) / 1000);
    }
    return best;
  };
  for (const make of hostile) {
    time(make(1000));
    const [small, large] = [time(make(50_000)), time(make(800_000))];
    // The text is 16 times as long; quadratic time would be 256 times. Short times are noise.
    assert.ok(large < 50 || large / small < 80, `${make}: ${small} ms, ${large} ms`);
  }
});
