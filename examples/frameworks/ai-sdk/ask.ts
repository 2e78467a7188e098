/**
 * Asks a language model that may search a store: `ask.ts STORE QUESTION`. `MODEL_URL` is the
 * address of an OpenAI-compatible server (Ollama's if missing), `MODEL` the name of its model.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import { openStore } from 'multihop';
import { aiSdkTools } from 'multihop/ai-sdk';

const [, , folder, question] = process.argv;
if (folder === undefined || question === undefined) throw new Error('usage: ask.ts STORE QUESTION');
const { MODEL_URL = 'http://localhost:11434/v1', MODEL = 'llama3.2' } = process.env;

await using store = await openStore(folder, { create: false });
const budget = { documents: 6, contextTokens: 1000, ms: 10_000 };
const { retrieve, read_document } = aiSdkTools(store, { budget });
const { text, steps } = await generateText({
  model: createOpenAICompatible({ name: 'local', baseURL: MODEL_URL })(MODEL),
  tools: { retrieve, read_document },
  stopWhen: isStepCount(4),
  instructions:
    'Call retrieve with the question. Answer from the evidence alone and name the titles that ' +
    'you used. If the evidence does not answer it, say so.',
  prompt: question,
});
console.log(text);
for (const { output } of steps.flatMap(({ staticToolResults }) => staticToolResults))
  for (const { title } of (output['evidence'] ?? []) as { title: string }[])
    console.log(`- ${title}`);
