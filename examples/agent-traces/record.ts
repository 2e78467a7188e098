/**
 * `npm ci && npm run record` in this folder: runs one agent of each library with a scripted model
 * and writes what the library records, without a change of the agent, to `traces/`; with
 * `MODEL_URL` also one of each by the model of that server.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordAiSdk } from './record-ai-sdk.ts';
import { byModel } from './record-by-model.ts';
import { recordLangGraph } from './record-langgraph.ts';
import { recordMastra } from './record-mastra.ts';
import { recordMcp } from './record-mcp.ts';
import { recordOpenAiAgents } from './record-openai-agents.ts';
import { questions } from './scene.ts';

const folder = join(import.meta.dirname, 'traces');
mkdirSync(folder, { recursive: true });

const RECORDERS = {
  'ai-sdk': recordAiSdk,
  langgraph: recordLangGraph,
  mastra: recordMastra,
  'openai-agents': recordOpenAiAgents,
  mcp: recordMcp,
  ...byModel(),
};

const wanted = process.argv.slice(2);
for (const [name, record] of Object.entries(RECORDERS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const [file, text] of Object.entries(await record()))
    writeFileSync(join(folder, file), `${text}\n`);
}
const lines = questions().map(question => JSON.stringify(question));
writeFileSync(join(import.meta.dirname, 'questions.jsonl'), `${lines.join('\n')}\n`);
