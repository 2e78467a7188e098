/** Checks the lines of answers, evidence and costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop } from '../../trace/trace.ts';
import { degradedLines } from './answer-text.ts';
import { styleOf } from './style.ts';

const hop = (...texts: string[]): Hop => ({
  searches: [],
  kept: [],
  rejected: [],
  spent: {},
  outputs: [
    { role: 'plan', text: 'not this', parsed: true },
    ...texts.map(text => ({ role: 'degraded', text, parsed: true })),
  ],
});

test('lists losses once each, in the order of the hops', () => {
  const lines = degradedLines(
    [
      hop('No model'),
      hop('No model', 'It failed \u001b[2J'),
      { searches: [], kept: [], rejected: [], spent: {} },
    ],
    {
      style: styleOf(false),
      width: 80,
    },
  );
  assert.equal(lines.length, 2);
  assert.equal(lines[0], 'Degraded: No model');
  assert.ok(lines[1]!.startsWith('Degraded: It failed ') && !lines[1]!.includes('\u001b'));
  assert.deepEqual(degradedLines([], { style: styleOf(false), width: 80 }), []);
});
