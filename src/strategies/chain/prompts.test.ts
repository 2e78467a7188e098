/**
 * Pins the prompts of chain, naive, longrag-units and longrag-dual: a changed word makes recorded
 * completions miss.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prompt } from '../../models/language-model.ts';
import type { Paragraph } from '../../planning/paragraphs.ts';
import { passagesAnswerPrompt } from '../../planning/passages-answer.ts';
import { dataRule } from '../../planning/passages-as-data.ts';
import { SHORT_ANSWER_RULES } from '../../planning/short-answer.ts';
import { extractPrompt, filterPrompt, thinkPrompt } from '../longrag-dual/prompts.ts';
import { longAnswerPrompt, readShortAnswer, shortAnswerPrompt } from '../longrag-units/reader.ts';
import { judgePrompt, rewritePrompt, sufficiencyPrompt, summarisePrompt } from './prompts.ts';

const VELL: Paragraph = {
  ...{ id: 'v', documentId: 'v', title: 'Vell', about: '', start: 0, end: 21 },
  text: 'Vell lies on the Orr.',
};
const Q = 'Where is Vell?';
const room = { words: 350, prompt: 8000 };

/** Returns the system message without the rule on passages, and the user message. */
function read({ messages, ...rest }: Prompt): {
  readonly system: string[];
  readonly user: string;
  readonly rest: object;
} {
  const [system, user] = messages.map(({ text }) => text) as [string, string];
  const marker = /<<([0-9a-f]{8}) end>>/.exec(user)![1]!;
  const lines = system.split('\n');
  assert.ok(lines.includes(dataRule(marker)), system);
  return {
    system: lines.filter(line => line !== dataRule(marker)),
    user: user.replaceAll(marker, 'M'),
    rest,
  };
}
const schema = (name: string, properties: object): object => ({
  name,
  schema: {
    ...{ type: 'object', properties },
    required: Object.keys(properties),
    additionalProperties: false,
  },
});
const ONE = `<<M 1>> Vell\nVell lies on the Orr.\n`;

test('the final answer', () => {
  const prompt = passagesAnswerPrompt(
    { question: Q, paragraphs: [VELL], info: 'It is old.' },
    room,
  );
  assert.deepEqual(read(prompt), {
    system: [
      `Answer the question from the passages. ${SHORT_ANSWER_RULES}`,
      'Give the numbers of the passages that support the answer.',
      'Reply with JSON alone: {"answer": "...", "passages": [1]}',
    ],
    user: `${ONE}<<M 2>> Extracted information\nIt is old.\n<<M end>>\n\nQuestion: ${Q}`,
    rest: {
      ...{ role: 'finalAnswer', maxTokens: 256, temperature: 0 },
      schema: schema('answer_with_passages', {
        answer: { type: 'string' },
        passages: { type: 'array', items: { type: 'integer' } },
      }),
    },
  });
});

test('the roles of chain', () => {
  const asked = `\n\nQuestion: ${Q}`;
  const of = (role: string, maxTokens: number, properties: object): object => ({
    ...{ role, maxTokens, temperature: 0, schema: schema(role, properties) },
  });
  assert.deepEqual(judgePrompt(Q), {
    messages: [
      {
        role: 'system',
        text: [
          'Does the question need facts about more than one thing, so that it has to be split?',
          '"In which town was the writer of Solaris born?" gives {"is_multi_hop": true}',
          '"Is Solaris older than Roadside Picnic?" gives {"is_multi_hop": true}',
          '"Who wrote Solaris?" gives {"is_multi_hop": false}',
          'Reply with JSON alone: {"is_multi_hop": true} or {"is_multi_hop": false}',
        ].join('\n'),
      },
      { role: 'user', text: `Question: ${Q}` },
    ],
    ...of('judgeMultiHop', 24, { is_multi_hop: { type: 'boolean' } }),
  });
  assert.deepEqual(read(rewritePrompt(Q, [{ question: 'Who?', answer: 'Osk Maren' }], 8000)), {
    system: [
      'Each passage is an earlier question with its answer. Rewrite the last question so that it is understood without them: replace each pronoun, and each phrase such as "this writer", by the name that the earlier answers give it. Change nothing else and do not answer it.',
      'Reply with JSON alone: {"question": "..."}',
    ],
    user: `<<M 1>> Who?\nOsk Maren\n<<M end>>${asked}`,
    rest: of('rewrite', 160, { question: { type: 'string' } }),
  });
  assert.deepEqual(read(sufficiencyPrompt(Q, [VELL], 8000)), {
    system: [
      'Do the passages state all that is needed to answer the question? Do not answer it.',
      'Reply with JSON alone: {"sufficient": true} or {"sufficient": false}',
    ],
    user: `${ONE}<<M end>>${asked}`,
    rest: of('sufficiency', 24, { sufficient: { type: 'boolean' } }),
  });
  assert.deepEqual(read(summarisePrompt(Q, [VELL], 8000)), {
    system: [
      'The passages do not answer the question. Say in 2 or 3 sentences what they tell about what it asks for, with names, numbers and dates in full, and nothing that no passage says.',
      'Reply with JSON alone: {"summary": "..."}',
    ],
    user: `${ONE}<<M end>>${asked}`,
    rest: of('summarise', 240, { summary: { type: 'string' } }),
  });
});

test('the branches of longrag-dual', () => {
  const asked = `\n\nQuestion: ${Q}`;
  assert.deepEqual(read(thinkPrompt(Q, [VELL], room)), {
    system: [
      'Think through the question step by step with the passages: which facts answer it, which passages state them, and how they are joined. Do not answer it.',
      'Reply with JSON alone: {"thought": "..."}',
    ],
    user: `${ONE}<<M end>>${asked}`,
    rest: {
      ...{ role: 'cotThink', maxTokens: 1000, temperature: 0 },
      schema: schema('cotThink', { thought: { type: 'string' } }),
    },
  });
  assert.deepEqual(read(filterPrompt(Q, VELL, 'Find it.', room)), {
    system: [
      'Is it necessary to cite the first passage to answer the question? The passage "Thought" says how the question may be answered; it is no source.',
      'Reply with JSON alone: {"status": true} or {"status": false}',
    ],
    user: `${ONE}<<M 2>> Thought\nFind it.\n<<M end>>${asked}`,
    rest: {
      ...{ role: 'chunkFilter', maxTokens: 32, temperature: 0 },
      schema: schema('chunkFilter', { status: { type: 'boolean' } }),
    },
  });
  assert.deepEqual(read(extractPrompt(Q, [VELL], room)), {
    system: [
      'Quote or restate all information in the passages that is needed to answer the question, with names, numbers and dates in full. Do not answer it, and add nothing that no passage says.',
      'Reply with JSON alone: {"info": "..."}',
    ],
    user: `${ONE}<<M end>>${asked}`,
    rest: {
      ...{ role: 'extract', maxTokens: 1000, temperature: 0 },
      schema: schema('extract', { info: { type: 'string' } }),
    },
  });
});

test('the reader of longrag-units; its examples are replies that it reads', () => {
  assert.deepEqual(read(longAnswerPrompt(Q, [[VELL]], 8000)), {
    system: [
      'Read the passages and answer the question in a few sentences that name the facts it rests on. If the question compares two things, the answer is yes, no or one of the two; otherwise it is stated in the exact words of a passage.',
      'If the passages do not determine the answer, reply "Insufficient information."',
    ],
    user: `${ONE}<<M end>>\n\nQuestion: ${Q}`,
    rest: { role: 'longAnswer', maxTokens: 500, temperature: 0 },
  });
  const { system, user } = read(shortAnswerPrompt(Q, 'It lies on the Orr.'));
  assert.equal(
    user,
    `<<M 1>>\nIt lies on the Orr.\n<<M end>>\n\nQuestion: ${Q}`.replace('>>\nIt', '>> \nIt'),
  );
  assert.equal(system.length, 2 + 3 * 8);
  const examples = system.slice(2);
  for (let at = 0; at < examples.length; at += 3) {
    const [question, long, reply] = examples.slice(at, at + 3) as [string, string, string];
    assert.match(question, /^Question: .*\?$/);
    const short = readShortAnswer({ text: reply, finish: 'stop' })!;
    const yesOrNo = /^(?:yes|no)$/.test(short);
    assert.ok(yesOrNo || long.includes(short), reply);
  }
});
