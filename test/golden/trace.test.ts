/**
 * The golden traces open for ever, and today's code writes the same content for the same script.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sealEvents, splitTraces, verifyTrace } from '../../src/core/trace/audit.ts';
import { traceOf } from '../../src/core/trace/trace.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { FULL_GOLDEN_TRACE, GOLDEN_TRACE, goldenTrace } from './golden-run.ts';

/**
 * Kept here, away from the files, as `verify-trace --head` asks for: a full rewrite of a file is
 * noticed.
 */
const GOLDEN = [
  {
    name: 'in full',
    full: true,
    file: FULL_GOLDEN_TRACE,
    head: '02d11ecf2f33bdced1b880efb7b8383a5bd12a05784cdd2d04e474ac26cc0d50',
  },
  {
    name: 'compact',
    full: false,
    file: GOLDEN_TRACE,
    head: 'f576c07afac34a3113b67f22198265cc264ff7c9f5492c7d93a24a0e2755d748',
  },
];

for (const { name, full, file, head } of GOLDEN)
  describe(name, () => {
    const stored = readFileSync(file, 'utf8');

    test('the stored trace is accepted under its head', () => {
      const verified = verifyTrace(stored, sha256, head);
      assert.ok(verified.ok, verified.ok ? '' : `line ${verified.line}: ${verified.problem}`);
      const traces = splitTraces(verified.events).map(traceOf);
      assert.deepEqual(
        traces.map(trace => [
          trace!.strategy,
          trace!.hops.length,
          trace!.evidence.length > 0,
          trace!.answer.kind,
          trace!.stopped,
        ]),
        [
          // Its second round brings nothing new, so there is no third.
          ['iterative(rounds=3)', 2, true, 'evidence', undefined],
          ['slot-agent(dates=true)', 1, true, 'evidence', undefined],
          [
            'budgeted-agent(tokens=620, calls=4)',
            2,
            true,
            'evidence',
            { by: 'limit', limit: 'retrievals' },
          ],
        ],
      );
    });

    test('the same script writes the same content today', async () => {
      const today = await goldenTrace(full);
      const heads = [stored, today].map(text => {
        const verified = verifyTrace(text, sha256);
        assert.ok(verified.ok);
        return verified.heads;
      });
      const withoutTimes = (text: string): unknown[] =>
        text
          .trimEnd()
          .split('\n')
          .map(line => (JSON.parse(line) as { event?: unknown }).event);
      // The events first, because their difference can be read.
      assert.deepEqual(withoutTimes(today), withoutTimes(stored));
      assert.equal(heads[1]!.content, heads[0]!.content);
    });
  });

test('both record the same run: what the full one holds is recorded as the compact one', () => {
  const verified = verifyTrace(readFileSync(FULL_GOLDEN_TRACE, 'utf8'), sha256);
  assert.equal(sealEvents(verified.events, sha256), readFileSync(GOLDEN_TRACE, 'utf8'));
});
