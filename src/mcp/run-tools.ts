/** The tools `ask` and `retrieve`: one run of a strategy over several hops. */
import type { Hop } from '../core/trace/trace.ts';
import type { Finished, Watching } from '../session/requests/answering-store.ts';
import { text } from '../session/requests/schema.ts';
import {
  ASK_INPUT,
  ASK_OUTPUT,
  type AskInput,
  RETRIEVE_INPUT,
  RETRIEVE_OUTPUT,
  type RetrieveInput,
} from '../session/requests/schemas.ts';
import type { Cut } from './bounded-record.ts';
import { quotedText } from './quoted-passages.ts';
import { askText, retrieveText } from './run-words.ts';
import {
  inputOf,
  type McpTool,
  NOTICE,
  type ToolCall,
  type ToolReply,
  timed,
  toolOutput,
  UNTRUSTED,
} from './tool.ts';

const RUN_ID = { id: text('id of the run: explain_run takes it') };

export const askTool: McpTool<AskInput> = {
  name: 'ask',
  title: 'Ask a question',
  description: `Answers a question from the documents, over several hops where the answer is spread over several documents, with the sentences that it rests on; or abstains and says why. A follow-up ("And when was it founded?") needs the turns before it as earlier. The run is kept: explain_run shows how it went. ${UNTRUSTED}`,
  input: inputOf(ASK_INPUT),
  output: toolOutput(ASK_OUTPUT, RUN_ID),
  works: true,
  answer: async (input, call) => {
    const watching = watched(call);
    const finished = await call.store.ask(timed(input, call), watching);
    call.onRun(finished.trace);
    return replyOf(finished, ASK_CUTS, fields => askText(fields, call.hints));
  },
};

export const retrieveTool: McpTool<RetrieveInput> = {
  name: 'retrieve',
  title: 'Retrieve evidence',
  description: `Finds the evidence on a question over several hops, and gives it in words without an answer: use it to answer the question yourself. ${UNTRUSTED}`,
  input: inputOf(RETRIEVE_INPUT),
  output: toolOutput(RETRIEVE_OUTPUT, RUN_ID),
  works: true,
  answer: async (input, call) => {
    const watching = watched(call);
    const finished = await call.store.retrieve(timed(input, call), watching);
    call.onRun(finished.trace);
    const { parts } = finished.trace.context;
    return replyOf(finished, RETRIEVE_CUTS, fields => retrieveText(fields, parts, call.hints));
  },
};

function watched({ signal, progress }: ToolCall): Watching {
  if (progress === undefined) return { signal };
  return {
    signal,
    onEvent: event =>
      event.type === 'hop'
        ? progress(event.index + 1, hopMessage(event.hop, event.index))
        : undefined,
  };
}

const replyOf = (
  { record }: Finished,
  cuts: readonly Cut[],
  words: ToolReply['text'],
): ToolReply => ({
  fields: { ...record, notice: NOTICE },
  cuts,
  text: words,
});

const HOPS: Cut = { path: ['hops'], readOn: 'explain_run with the id of the run' };
const EVIDENCE: Cut = {
  path: ['evidence'],
  readOn: 'explain_run with the id names all; read_document reads each',
  least: 1,
};
const FOLLOW_UP: readonly Cut[] = [
  { path: ['followUp', 'outputs'], readOn: 'followUp and question say what came of it' },
  { path: ['followUp', 'asked'], readOn: 'it is the question of the call' },
];
const QUESTION: Cut = { path: ['question', 'text'], readOn: 'it is the question of the call' };

const ASK_CUTS: readonly Cut[] = [
  HOPS,
  ...FOLLOW_UP,
  EVIDENCE,
  { path: ['sides'], readOn: 'ask about one claim alone' },
  { path: ['candidates'], readOn: 'explain_run with the id', least: 1 },
  { path: ['answer', 'sentences'], readOn: 'they are the sentences of answer.text' },
  { path: ['citations'], readOn: 'explain_run with the id of the run', least: 1 },
  QUESTION,
  { path: ['answer', 'text'], readOn: 'explain_run with the id of the run' },
];
const RETRIEVE_CUTS: readonly Cut[] = [
  HOPS,
  ...FOLLOW_UP,
  { path: ['ranking'], readOn: 'search finds more documents', least: 10 },
  QUESTION,
  {
    path: ['context', 'text'],
    readOn: 'read_document reads each document of the evidence',
    least: 2000,
  },
  EVIDENCE,
  { path: ['context', 'text'], readOn: 'read_document reads each document of the evidence' },
];

const MOST_TEXT = 120;

/** Words a hop in one line, for progress. */
function hopMessage({ searches, kept }: Hop, index: number): string {
  const texts = [...new Set(searches.flatMap(({ text }) => (text ? [text] : [])))];
  const searched = texts.length > 0 ? ` searched ${quotedText(short(texts.join('; ')))},` : '';
  return `Hop ${index + 1}:${searched} kept ${kept.length}`;
}

const short = (text: string): string =>
  text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
