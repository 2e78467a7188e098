/** Tests conversations in the shape of OpenAI's chat completions, and `earlier` of `/v1/ask`. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { earlierTurns, lastQuestion } from '../../src/server/chat-turns.ts';
import { allEvents, type Served, serveAsking, serveShips } from './served-store.ts';

const user = (content: unknown): { role: string; content: unknown } => ({ role: 'user', content });
const assistant = (content: unknown): { role: string; content: unknown } => ({
  role: 'assistant',
  content,
});

const FIRST = 'Which tug saved the crew of the Linnet?';

describe('chat completions', () => {
  let served: Served;
  before(async () => {
    served = await serveShips();
  });
  after(() => served.server.close());

  const completed = async (messages: unknown): Promise<string> => {
    const response = await served.send('/v1/chat/completions', { body: { messages } });
    assert.equal(response.status, 200);
    const body = (await response.json()) as { choices: [{ message: { content: string } }] };
    return body.choices[0].message.content;
  };

  test('ask a follow-up as a question that stands alone, and name it', async () => {
    const content = await completed([
      { role: 'system', content: 'Be brief.' },
      user(FIRST),
      assistant('The Corncrake [1].'),
      user('When was it built?'),
    ]);
    assert.match(content, /\n\nQuestion asked: When was the Corncrake built\?\n\nEvidence:/);
  });

  test('read their own answers again, and the questions that they name', async () => {
    const second = [user(FIRST), assistant('Corncrake'), user('When was it built?')];
    const content = await completed(second);
    const third = await completed([...second, assistant(content), user('Who owns it?')]);
    assert.match(third, /Question asked: Who owns Corncrake\?/);
  });

  test('say why a question is asked as it stands', async () => {
    const content = await completed([user(FIRST), assistant('Corncrake'), user('Why?')]);
    assert.match(content, /\n\nAsked as it stands: it does not say what it is about\./);
  });

  test('name nothing where nothing refers back', async () => {
    const question = 'When was the Corncrake built?';
    const content = await completed([user(FIRST), assistant('Corncrake'), user(question)]);
    assert.equal(content, await completed([user(question)]));
  });

  test('name the question in a stream, before its hops and behind its answer', async () => {
    const messages = [user(FIRST), assistant('Corncrake'), user('When was it built?')];
    const response = await served.send('/v1/chat/completions', {
      body: { messages, stream: true },
    });
    const data = (await allEvents(response)).map(event => event.data);
    const deltas = data
      .slice(0, -1)
      .map(
        text =>
          (JSON.parse(text) as { choices: [{ delta: Record<string, string> }] }).choices[0].delta,
      );
    assert.equal(deltas[1]!['reasoning_content'], 'Question asked: When was Corncrake built?\n');
    const content = deltas.map(delta => delta['content'] ?? '').join('');
    assert.match(content, /Question asked: When was Corncrake built\?\n\nEvidence:/);
  });

  test('answer any history', async () => {
    const content = fc.oneof(
      fc.string(),
      fc.constantFrom(null, '', '\n\nEvidence:\n[1] x', 'y'.repeat(20_000), '<|im_end|>', '\\['),
      fc.array(fc.record({ type: fc.constantFrom('text', 'image_url'), text: fc.string() })),
    );
    const role = fc.constantFrom('user', 'assistant', 'system', 'tool', 'developer', '');
    const message = fc.record({ role, content });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async history => {
        await completed([...history, user('And when was it built?')]);
      }),
      { numRuns: 40 },
    );
  });

  test('read the newest of a thousand messages', async () => {
    const history = Array.from({ length: 999 }, (_, at) =>
      at % 2 === 0 ? user(`Which tug saved the crew ${at}?`) : assistant('Corncrake'),
    );
    assert.match(await completed([...history, user('When was it built?')]), /Question asked: /);
  });
});

test('with a model one call writes the question, and its tokens count', async () => {
  await using asking = await serveAsking();
  const messages = [user(FIRST), assistant('The Corncrake.'), user('And when was it built?')];
  const body = { model: 'multihop/fixed-top-k(k=2)', messages };
  const response = asking.send('/v1/chat/completions', { body });
  (await asking.model.nextCall()).answer('{"question": "When was the Corncrake built?"}');
  const { choices, usage } = (await (await response).json()) as {
    choices: [{ message: { content: string } }];
    usage: { total_tokens: number };
  };
  assert.match(choices[0].message.content, /Question asked: When was the Corncrake built\?/);
  assert.ok(usage.total_tokens > 0);
});

test('a stream begins while a model still writes the question', async () => {
  await using asking = await serveAsking();
  const messages = [user(FIRST), assistant('The Corncrake.'), user('And when was it built?')];
  const body = { model: 'multihop/fixed-top-k(k=2)', messages, stream: true };
  const response = asking.send('/v1/chat/completions', { body });
  const call = await asking.model.nextCall();
  const { status, headers } = await response;
  assert.equal(status, 200);
  assert.notEqual(headers.get('X-Trace-Id') ?? '', '');
  call.answer('{"question": "When was the Corncrake built?"}');
  const events = await allEvents(await response);
  assert.ok(events.some(({ data }) => data.includes('When was the Corncrake built?')));
});

test('messages are read as turns', () => {
  const rows: readonly (readonly [messages: Parameters<typeof earlierTurns>[0], turns: unknown])[] =
    [
      [[], []],
      [[user('A?')], []],
      [
        [assistant('Hello'), user('A?'), assistant('x'), user('B?')],
        [{ question: 'A?', answer: 'x' }],
      ],
      [
        [user('A?'), user('B?'), assistant('y'), user('C?')],
        [{ question: 'A?' }, { question: 'B?', answer: 'y' }],
      ],
      [
        [user('A?'), assistant('x'), assistant('y'), user('B?')],
        [{ question: 'A?', answer: 'x\ny' }],
      ],
      [
        [
          user(' '),
          { role: 'tool', content: 't' },
          user('A?'),
          { role: 'system', content: 's' },
          user('B?'),
        ],
        [{ question: 'A?' }],
      ],
      [
        [
          user('A?'),
          assistant('x\n\nQuestion asked: A of \\[b\\]?\n\nEvidence:\n[1] c: d'),
          user('B?'),
        ],
        [{ question: 'A of [b]?', answer: 'x' }],
      ],
      [
        [
          user('A?'),
          assistant('No answer: none. Candidates: x.\n\nEvidence:\n[1] c: d'),
          user('B?'),
        ],
        [{ question: 'A?', answer: undefined }],
      ],
      [
        [
          user('A?'),
          assistant('x\n\nThe text above is withdrawn. y\n\nEvidence:\n[1] c: d'),
          user('B?'),
        ],
        [{ question: 'A?', answer: 'y' }],
      ],
      [
        [
          user('A?'),
          assistant(
            'x\n\nThe run was stopped: limit. Read by combined-reader, without a language model.\n\nEvidence:\n[1] c: d',
          ),
          user('B?'),
        ],
        [{ question: 'A?', answer: 'x' }],
      ],
      [
        [user('A?'), assistant('No evidence of life was seen'), user('B?')],
        [{ question: 'A?', answer: 'No evidence of life was seen' }],
      ],
      [
        [user('A?'), assistant('x\n\nAsked as it stands: why.\n\nEvidence:\n[1] c: d'), user('B?')],
        [{ question: 'A?', answer: 'x' }],
      ],
      [
        [
          user('A?'),
          assistant([{ type: 'text', text: 'x' }]),
          user([{ type: 'text', text: 'B?' }]),
          assistant('z'),
        ],
        [{ question: 'A?', answer: 'x' }],
      ],
    ];
  for (const [messages, turns] of rows) assert.deepEqual(earlierTurns(messages), turns);
  assert.equal(lastQuestion([user('A?'), assistant('x')]), 'A?');
  assert.equal(lastQuestion([]), '');
});

test('/v1/ask takes earlier turns, and refuses what is none', async () => {
  const served = await serveShips();
  const question = 'When was it built?';
  const earlier = [{ question: FIRST, answer: 'Corncrake' }];
  const response = await served.send('/v1/ask', { body: { question, earlier } });
  const record = (await response.json()) as {
    question: { text: string };
    followUp: { asked: string };
  };
  assert.equal(record.question.text, 'When was Corncrake built?');
  assert.equal(record.followUp.asked, question);
  for (const wrong of [
    ['x'],
    [{ answer: 'x' }],
    [{ question: 1 }],
    'x',
    [{ question: 'x', more: 1 }],
  ])
    assert.equal(
      (await served.send('/v1/ask', { body: { question, earlier: wrong } })).status,
      400,
    );
  await served.server.close();
});
