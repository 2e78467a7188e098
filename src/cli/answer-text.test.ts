/** Checks the lines of answers, evidence and costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop } from '../core/trace/trace.ts';
import { answerLines, sideLines } from './answer-text.ts';
import { degradedLines } from './run-text.ts';
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
    { style: styleOf(false), width: 80 },
  );
  assert.equal(lines.length, 2);
  assert.equal(lines[0], 'Degraded: No model');
  assert.ok(lines[1]!.startsWith('Degraded: It failed ') && !lines[1]!.includes('\u001b'));
  assert.deepEqual(degradedLines([], { style: styleOf(false), width: 80 }), []);
});

test('lays out what was found on each claim, and says if an answer rests on the question', () => {
  const page = { style: styleOf(false), width: 60 };
  const citation = {
    id: 'a',
    documentId: 'a',
    title: 'Fares',
    source: 'Ledger',
    date: '2025-10-07',
    start: 0,
    end: 14,
    text: 'Fares will rise.',
  };
  const sides = [
    { claim: 'that the fares rise', citations: [citation] },
    { claim: 'that the fares fall', citations: [] },
  ];
  assert.deepEqual(sideLines(sides, page), [
    '',
    '   1. that the fares rise',
    '      Fares (Ledger, 2025-10-07)',
    '      “Fares will rise.”',
    '',
    '   2. that the fares fall',
  ]);
  assert.deepEqual(sideLines([], page), []);
  assert.deepEqual(answerLines({ kind: 'answered', text: 'Yes', citations: [] }, page), ['Yes']);
});
