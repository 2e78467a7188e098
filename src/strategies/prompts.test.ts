/**
 * Holds the words of prompts: a changed one makes recorded completions miss, which then have to be
 * made again. Digests are printed by the failure.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Prompt } from '../models/language-model.ts';
import type { Paragraph } from '../planning/paragraphs.ts';
import { passagesAnswerPrompt } from '../planning/passages-answer.ts';
import { judgePrompt, rewritePrompt, summarisePrompt } from './chain/prompts.ts';
import { extractPrompt, filterPrompt, thinkPrompt } from './longrag-dual/prompts.ts';
import { longAnswerPrompt, shortAnswerPrompt } from './longrag-units/reader.ts';

const VELL: Paragraph = {
  id: 'v',
  documentId: 'v',
  title: 'Vell',
  about: '',
  start: 0,
  end: 21,
  text: 'Vell lies on the Orr.',
};
const Q = 'Where is Vell?';
const room = { words: 350, prompt: 8000 };
const PROMPTS: Readonly<Record<string, Prompt>> = {
  answer: passagesAnswerPrompt({ question: Q, paragraphs: [VELL], info: 'It is old.' }, room),
  judge: judgePrompt(Q),
  rewrite: rewritePrompt(Q, [{ question: 'Who?', answer: 'Osk Maren' }], 8000),
  summarise: summarisePrompt(Q, [VELL], 8000),
  think: thinkPrompt(Q, [VELL], room),
  filter: filterPrompt(Q, VELL, 'Find it.', room),
  extract: extractPrompt(Q, [VELL], room),
  long: longAnswerPrompt(Q, [[VELL]], 8000),
  short: shortAnswerPrompt(Q, 'It lies on the Orr.'),
};

test('prompts are word for word those that completions were recorded for', () => {
  const digestOf = (prompt: Prompt): string =>
    createHash('sha256').update(JSON.stringify(prompt)).digest('hex').slice(0, 8);
  const digests = Object.entries(PROMPTS).map(([name, prompt]) => [name, digestOf(prompt)]);
  assert.deepEqual(Object.fromEntries(digests), {
    answer: '3e2cc965',
    judge: '6329c353',
    rewrite: 'eb01bdee',
    summarise: '5e224f7e',
    think: '3f27cd0d',
    filter: 'aa28f2a5',
    extract: '69d22d6b',
    long: '97010972',
    short: 'd46f4a43',
  });
});
