/** Tests that a client of a streamed chat learns if the text that it saw is not the answer. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Answer, Evidence, Trace } from '../../src/core/trace/trace.ts';
import { chatAnswer } from '../../src/server/chat-answer.ts';
import { isWithdrawn } from '../../src/session/streamed-answer.ts';
import { allEvents, serveAsking } from './served-store.ts';

interface Choice {
  readonly delta: { readonly content?: string };
  readonly finish_reason: string | null;
}

async function choicesOf(reply: string, finish?: string): Promise<Choice[]> {
  await using asking = await serveAsking();
  const messages = [{ role: 'user', content: 'Which ship lost its engines?' }];
  const body = { model: 'multihop/fixed-top-k(k=2)', messages, stream: true };
  const response = asking.send('/v1/chat/completions', { body });
  (await asking.model.nextCall()).answer(reply, finish);
  const data = (await allEvents(await response)).map(event => event.data);
  assert.equal(data.pop(), '[DONE]');
  return data.map(text => (JSON.parse(text) as { choices: [Choice] }).choices[0]);
}

const contentOf = (choices: readonly Choice[]): string =>
  choices.map(({ delta }) => delta.content ?? '').join('');
const streamed = async (reply: string): Promise<string> => contentOf(await choicesOf(reply));

test('a chat completion counts the tokens of prompts and of replies', async () => {
  await using asking = await serveAsking();
  const messages = [{ role: 'user', content: 'Which ship lost its engines?' }];
  const body = { model: 'multihop/fixed-top-k(k=2)', messages };
  const response = asking.send('/v1/chat/completions', { body });
  (await asking.model.nextCall()).answer('The Linnet lost its engines [1].');
  const { usage } = (await (await response).json()) as { usage: unknown };
  assert.deepEqual(usage, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
});

test('an answer in the form of a JSON Schema has the citations of each field', async () => {
  await using asking = await serveAsking();
  const schema = { type: 'object', properties: { ship: { type: 'string' } }, required: ['ship'] };
  const body = { question: 'Which ship lost its engines?', strategy: 'fixed-top-k(k=2)', schema };
  const response = asking.send('/v1/ask', { body });
  (await asking.model.nextCall()).answer(
    '{"citations": {"ship": [1]}, "answer": {"ship": "Linnet"}}',
  );
  const { answer } = (await (await response).json()) as {
    answer: { text: string; fields: { path: string[]; citations: unknown[] }[] };
  };
  assert.equal(answer.text, '{"ship":"Linnet"}');
  assert.deepEqual(
    answer.fields.map(({ path, citations }) => [path, citations.length]),
    [[['ship'], 1]],
  );
});

test('a chat completion ends the reason of an abstention with one full stop', () => {
  for (const reason of ['No answer is there.', 'Which ship is meant?', 'Nothing names it']) {
    const trace = { ...traceOf({ kind: 'abstained', reason }), question: { text: 'Which?' } };
    const { content } = chatAnswer({ id: 'run', record: { evidence: [] }, trace } as never);
    assert.match(content, /[^.?][.?]$/, content);
  }
});

describe('a streamed chat completion', () => {
  test('withdraws a text that the check withholds, and says why', async () => {
    assert.match(
      await streamed('The moon is made of cheese.'),
      /^The moon is made of cheese\.\n\nThe text above is withdrawn\. No answer: The answer cites nothing in the evidence\.\n\nEvidence:/,
    );
  });

  test('names a reply that the filter of the provider withheld', async () => {
    const choices = await choicesOf('I cannot', 'content_filter');
    assert.equal(choices.at(-1)!.finish_reason, 'content_filter');
    assert.match(
      contentOf(choices),
      /^I cannot\n\nThe text above is withdrawn\. No answer: The filter of the provider withheld the reply\./,
    );
  });

  test('withdraws no answer and no statement that there is none', async () => {
    for (const reply of [
      'The Linnet lost its engines [1].',
      'The Linnet (1) lost its engines (1).',
      'Passage [1] names the Linnet [1]. Cold Bay [77].',
      '<think>Which ship [2]?</think>The Linnet [1].',
      'The Linnet it is [1]. Or not?</think>It was the Linnet [1].',
      'Insufficient information.',
    ])
      assert.doesNotMatch(await streamed(reply), /withdrawn/, reply);
  });
});

const evidence = ['a', 'b'].map(documentId => ({ documentId }) as Evidence);
const traceOf = (answer: Answer): Trace => ({ answer, evidence }) as unknown as Trace;
const says = (text: string): Answer => ({ kind: 'answered', text, citations: [] });

test('another reader’s answer stands in place of what a model wrote', () => {
  const rows: readonly (readonly [streamed: string, answer: Answer, withdrawn: boolean])[] = [
    ['It was built in 1961 [1].', says('It was built in 1961.'), false],
    ['It was built in 1961 [1].', says('1961'), true],
    ['1961 [1]', says('1962'), true],
    ['It is [1]. Or not?</think>It was 1961 [1].', says('It was 1961.'), true],
    ['[1] it was built in 1961.', says('It was built in 1961.'), false],
    ['', says('1961'), false],
    ['It was 1961 [2].', { kind: 'evidence', text: 'She was built in 1961.' } as Answer, true],
    ['Nobody knows [1].', { kind: 'abstained', reason: 'Insufficient information.' }, true],
  ];
  for (const [streamed, answer, withdrawn] of rows)
    assert.equal(isWithdrawn(streamed, traceOf(answer)), withdrawn, streamed);
  const trace = traceOf(says('1961'));
  const sent = { streamed: 'In 1960 [1].', written: 'In 1960 [1].' };
  const { content } = chatAnswer({ id: 'run', record: { evidence: [] }, trace }, sent);
  assert.equal(content, '\n\nThe text above is withdrawn. 1961');
});
