/**
 * Asks a language model that may search a store: `ask.ts STORE QUESTION`. `MODEL_URL` is the
 * address of an OpenAI-compatible server (Ollama's if missing), `MODEL` the name of its model.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import { openStore } from 'multihop';
import { evidenceTool } from './evidence-tool.ts';

const [, , folder, question] = process.argv;
if (folder === undefined || question === undefined) throw new Error('usage: ask.ts STORE QUESTION');
const { MODEL_URL = 'http://localhost:11434/v1', MODEL = 'llama3.2' } = process.env;

await using store = await openStore(folder, { create: false });
const { text, steps } = await generateText({
  model: createOpenAICompatible({ name: 'local', baseURL: MODEL_URL })(MODEL),
  tools: { findEvidence: evidenceTool(store) },
  stopWhen: isStepCount(4),
  instructions:
    'Call findEvidence with the question. Answer from the evidence alone and name the titles that ' +
    'you used. If the evidence does not answer it, say so.',
  prompt: question,
});
console.log(text);
for (const { output } of steps.flatMap(({ staticToolResults }) => staticToolResults))
  for (const { title } of output.sources) console.log(`- ${title}`);
