/** Asks a language model for the questions that passages answer; goes on where it was stopped. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Passage } from '../../../src/core/corpus/document.ts';
import { titleAt } from '../../../src/core/corpus/outline.ts';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { countWords } from '../../../src/core/text/words.ts';
import { freeCall } from '../../../src/core/trace/call.ts';
import type { LanguageModel, Message } from '../../../src/models/language-model.ts';
import type { Candidates } from './candidates.ts';
import { shuffled } from './shuffled.ts';

export interface AskedQuestion {
  /** The id of the passage. */
  readonly id: string;
  readonly text: string;
}

/** Words of a passage that says enough to be asked for. */
const WORDS = 25;
const SEED = 20231226;
/** A question of more tokens is none that people ask. */
const TOKENS = 40;

const SYSTEM =
  'You write the question that a user types into a search before knowing the text. Do not use the words of the text where others say the same. Write one question and nothing else.';

/** Turns that show the form; none answers. */
const SHOWN: readonly (readonly [text: string, question: string])[] = [
  [
    'Backups > Retention\nkeep-daily (default: 7). Snapshots older than this many days are removed by the next prune run.',
    'how long are daily backups kept if I change nothing',
  ],
  [
    'Mail server > Queues\nA message that cannot be delivered stays in the deferred queue and is tried again with growing pauses until bounce_queue_lifetime is over.',
    'What happens to emails when the receiving server is down?',
  ],
  [
    'plot(x, y, *, color=None)\nDraws a line through the points. Raises ValueError if x and y differ in length.',
    'why do I get a ValueError when plotting two lists',
  ],
];

/** Returns the prompt for a passage: chat turns, since a small model answers within one message. */
export function promptFor(text: string): Message[] {
  const turns = SHOWN.flatMap(([shown, question]): Message[] => [
    { role: 'user', text: shown },
    { role: 'assistant', text: question },
  ]);
  return [{ role: 'system', text: SYSTEM }, ...turns, { role: 'user', text }];
}

/** Returns the reply as a question; undefined for what is none. */
export function questionIn(reply: string): string | undefined {
  const [line = ''] = reply.trim().split('\n');
  const text = line
    .replace(/^(?:question|q)\s*:\s*/i, '')
    .replace(/^["'`]+|["'`]+$/g, '')
    .trim();
  const words = countWords(text);
  return words >= 3 && words <= TOKENS ? text : undefined;
}

/** Returns the questions of a file, one JSON object a line. */
export const readAsked = (path: string): AskedQuestion[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as AskedQuestion)
    : [];

/** Asks for questions until the file has `count`; passages come in one order, whatever it has. */
export async function askQuestions(
  candidates: Candidates,
  model: LanguageModel,
  {
    out,
    count,
    signal,
  }: { readonly out: string; readonly count: number; readonly signal: AbortSignal },
): Promise<number> {
  const known = readAsked(out);
  const asked = new Set(known.map(({ id }) => id));
  let written = known.length;
  for (const passage of shuffled(candidates.passages, mulberry32(SEED))) {
    if (written >= count || signal.aborted) break;
    if (asked.has(passage.id) || countWords(passage.text) < WORDS) continue;
    const text = await questionFor(passage, candidates, model, signal);
    if (text === undefined) continue;
    appendFileSync(out, `${JSON.stringify({ id: passage.id, text } satisfies AskedQuestion)}\n`);
    written += 1;
  }
  return written;
}

async function questionFor(
  passage: Passage,
  candidates: Candidates,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<string | undefined> {
  const header = titleAt(candidates.documents.get(passage.documentId)!, passage.start);
  const messages = promptFor(`${header}\n${passage.text}`);
  const prompt = { role: 'question', messages, maxTokens: TOKENS, stop: ['\n'] };
  return questionIn((await model.generate(prompt, freeCall(signal))).text);
}
