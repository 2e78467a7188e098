/** Tests that `ask` shows the result of checking an answer, as text and as JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerLines } from '../src/cli/answer-text.ts';
import { styleOf } from '../src/cli/style.ts';
import { sealEvents, splitTraces, verifyTrace } from '../src/core/trace/audit.ts';
import type { Answer, TraceEvent } from '../src/core/trace/trace.ts';
import { traceOf } from '../src/core/trace/trace.ts';
import { emptyTrace } from '../src/evaluation/empty-trace.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { answerAt } from '../src/readers/answer-at.ts';
import { askEvents } from '../src/run/ask.ts';
import { runResult } from '../src/session/run-result.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';
import { engineOf } from '../src/testing/strategy-run.ts';

const style = styleOf(false);
const page = { style, width: 60 };
const answered: Answer = {
  kind: 'answered',
  text: 'Osk Maren',
  citations: [],
  support: 0,
  unsupported: ['Osk Maren'],
  unread: 2,
};
const abstained: Answer = {
  kind: 'abstained',
  reason: 'Insufficient information.',
  support: 0,
  unread: 1,
  withheld: { text: 'x', citations: [] },
};
interface Shown {
  readonly answer: unknown;
  readonly reason?: string;
  readonly below?: number;
  readonly probability?: number;
  readonly candidates?: unknown;
}
const resultOf = (answer: Answer): Shown => {
  const row = { strategy: 's', retriever: 'r', context: 'c', reader: 'generative', budget: {} };
  const trace = { ...emptyTrace({ id: 'q', text: 'Who?' }, row), answer };
  return runResult(trace, new Map(), { count: 1, content: '', line: '' }, undefined) as Shown;
};

const shown = (answer: Answer): unknown => resultOf(answer).answer;

test('unsupported sentences and unread passages are listed below the answer', () => {
  assert.deepEqual(answerLines(answered, page), [
    'Osk Maren',
    'Not in what it cites: Osk Maren',
    'Not read: 2 of the passages, which did not fit into the',
    '          prompt',
  ]);
  assert.equal(answerLines(abstained, page)[0], 'No answer: Insufficient information.');
  assert.deepEqual(answerLines({ kind: 'answered', text: 'Ines', citations: [] }, page), ['Ines']);
});

test('the JSON lists them too, and omits the text of a withheld answer', () => {
  assert.deepEqual(shown(answered), {
    kind: 'answered',
    text: 'Osk Maren',
    support: 0,
    unsupported: ['Osk Maren'],
    unread: 2,
  });
  assert.deepEqual(shown(abstained), {
    kind: 'abstained',
    text: null,
    reason: 'Insufficient information.',
    support: 0,
    unread: 1,
  });
  assert.deepEqual(shown({ kind: 'answered', text: 'Ines', citations: [] }), {
    kind: 'answered',
    text: 'Ines',
  });
});

test('the JSON of an answer below the threshold is null beside threshold and candidates', () => {
  const [text, probability] = ['HUP', 0.32];
  const alternatives = [{ text: 'INFO', probability: 0.14 }];
  const answer: Answer = { kind: 'answered', text, citations: [], probability, alternatives };
  const result = resultOf(answerAt(answer, 0.7));
  assert.equal(result.answer, null);
  assert.deepEqual(
    [result.reason, result.below, result.probability],
    ['No answer above 0.7', 0.7, probability],
  );
  assert.deepEqual(result.candidates, [{ text, probability }, ...alternatives]);
});

test('marks are sealed with the trace and can be read back from it', async () => {
  const source = askEvents(
    'Who won the Silver Prism?',
    { engine: engineOf(FIXTURE_DOCUMENTS), strategy: 'fixed-top-k(k=1)' },
    () => 0,
  );
  const events: TraceEvent[] = [];
  for await (const event of source)
    events.push(event.type === 'answer' ? { ...event, answer: answered } : event);
  const sealed = sealEvents(events, sha256, { full: true });
  const verified = verifyTrace(sealed, sha256);
  assert.ok(verified.ok);
  assert.deepEqual(traceOf(splitTraces(verified.events)[0]!)?.answer, answered);
  assert.equal(
    verifyTrace(sealed.replace('"unsupported":["Osk Maren"]', '"unsupported":[]'), sha256).ok,
    false,
  );
});
