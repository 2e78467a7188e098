/**
 * `npm run -s node24 -- bench/prompt-reuse.ts [QUESTIONS=12]`: asks questions of the demo by every
 * strategy that asks a language model, with scripted replies, and prints how much of its prompts a
 * server need not compute again: reusable is the longest beginning that any earlier prompt has,
 * reused the longest that the prompt before has, as one sequence of llama.cpp keeps. Tokens are
 * estimated from bytes.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { ask, ingest } from '../src/index.ts';
import type { Prompt } from '../src/models/language-model.ts';
import { promptTokens } from '../src/models/prompt-tokens.ts';
import { strategies } from '../src/strategies/strategies.ts';
import { scriptedModel } from '../src/testing/scripted-model.ts';
import { statedFacts } from '../test/stated-facts.ts';

const demo = (name: string): string =>
  readFileSync(new URL(`../demo/${name}`, import.meta.url), 'utf8');
const documents = demo('corpus.jsonl')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as { id: string; text: string });
const questions = (JSON.parse(demo('questions.json')) as { query: string }[]).slice(
  0,
  Number(process.argv[2] ?? 12),
);
const engine = await ingest(documents, { recogniser: statedFacts });

/** Replies that lead each loop on, by what they are asked for. */
function reply({ schema, messages }: Prompt, index: number): string {
  const question = /Question(?:>)?: (.*)/.exec(messages.at(-1)!.text)?.[1] ?? 'Who?';
  const replies: Readonly<Record<string, unknown>> = {
    sub_questions: { subqueries: [question, `What is said of it in ${2000 + (index % 20)}?`] },
    next_sentence: { sentence: `The report names number ${index}.`, answer: null },
    reasoned_answer: { thought: `The report names number ${index}.`, answer: 'unknown' },
    thought: { thought: `The report names number ${index}.` },
    named_entities: { named_entities: question.match(/\p{Lu}\p{L}+/gu)?.slice(0, 3) ?? [] },
    sub_answer: { passages: [1], supported: index % 2 === 0, answer: 'The report' },
    claim: { claim: 'The report is late.', target: 'report', topic: 'delay' },
    status: { status: true },
  };
  return JSON.stringify(replies[schema?.name ?? ''] ?? { answer: 'unknown', status: true });
}

const textOf = ({ messages }: Prompt): string =>
  messages.map(({ role, text }) => `${role}\n${text}\n`).join('');
const tokensOf = (text: string): number =>
  promptTokens({ messages: [{ role: 'user', text }] }) - promptTokens({ messages: [] });

function sharedPrefix(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

interface Row {
  readonly calls: number;
  readonly tokens: number;
  readonly reusable: number;
  readonly reused: number;
}

/** Adds up over the prompts of all questions, one after another. */
async function measured(strategy: string, reader: string, followsUp = false): Promise<Row> {
  const model = scriptedModel(reply);
  const options = { engine, strategy, reader, context: 'lead(words=90)', resources: { model } };
  const earlier: { question: string; answer: string }[] = [];
  for (const { query } of questions) {
    await ask(followsUp ? 'And when was it founded?' : query, { ...options, earlier });
    if (followsUp) earlier.push({ question: query, answer: 'Dunmarrow Drives' });
  }
  const texts = model.prompts.map(textOf);
  let [tokens, reusable, reused] = [0, 0, 0];
  for (const [at, text] of texts.entries()) {
    const shared = texts.slice(0, at).map(earlier => sharedPrefix(earlier, text));
    tokens += tokensOf(text);
    reusable += tokensOf(text.slice(0, Math.max(0, ...shared)));
    reused += tokensOf(text.slice(0, shared.at(-1) ?? 0));
  }
  return { calls: texts.length, tokens, reusable, reused };
}

const percent = (part: number, whole: number): string =>
  `${Math.round((100 * part) / Math.max(1, whole))} %`;
const asking = strategies.members
  .map(({ name }) => name)
  .filter(name => (strategies.create(name).modelCalls ?? []).length > 0);
console.log('| system | calls | prompt tokens | reusable | reused |\n|---|--:|--:|--:|--:|');
for (const [strategy, reader, followsUp] of [
  ...asking.map(name => [name, 'evidence-only'] as const),
  ['fixed-top-k(k=5)', 'evidence-only', true] as const,
  ['fixed-top-k(k=5)', 'generative(form=short)'] as const,
  ['fixed-top-k(k=5)', 'generative'] as const,
]) {
  const { calls, tokens, reusable, reused } = await measured(strategy, reader, followsUp);
  const name = followsUp ? 'follow-up' : reader === 'evidence-only' ? strategy : reader;
  console.log(
    `| ${name} | ${calls} | ${tokens} | ${reusable} (${percent(reusable, tokens)}) | ${reused} (${percent(reused, tokens)}) |`,
  );
}
