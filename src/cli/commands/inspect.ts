/** `multihop inspect`: writes a page that shows the hops, evidence and answer of traces. */
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../../core/errors.ts';
import type { TraceEvent } from '../../core/trace/trace.ts';
import { verifyTraceFile } from '../../experiments/trace-reader.ts';
import { tracedRuns } from '../../experiments/traced-runs.ts';
import { type CarriedRun, inspectorFile } from '../../inspector/page.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { type CarriedDocuments, carriedDocuments, documentIds } from '../carried-documents.ts';
import type { Command, CommandContext } from '../command.ts';
import { openSession } from '../open-session.ts';

export const command: Command = {
  positionals: [
    { name: 'FILE', summary: 'a trace, as ask --trace or eval --out writes it' },
    { name: 'BESIDE', optional: true, summary: 'a second trace, shown side by side' },
  ],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      access: 'writes',
      summary: 'the page; FILE.html by default',
    },
    {
      name: 'store',
      value: 'PLACE',
      access: 'read',
      summary: 'add the documents of evidence and hits from this store, to show their texts',
    },
    { name: 'question', value: 'ID', repeatable: true, summary: 'show only runs of this question' },
  ],
  examples: [
    {
      line: 'multihop ask "Who leads the trust?" --trace run.jsonl --full-trace && multihop inspect run.jsonl --store .multihop',
      says: 'a page of one run, with its documents',
    },
    {
      line: 'multihop inspect lanes.jsonl iterative.jsonl -o both.html',
      says: 'two strategies on one question, side by side',
    },
    {
      line: 'multihop inspect runs/agent/traces/01-fact-lanes.jsonl --question q17',
      says: 'one question of an evaluation',
    },
  ],
  notes: [
    'The page is one file that needs no network, calls nothing and opens further traces by drag and drop. multihop serve has the same page under /.',
    'Without --store it shows the words that the reader got. A trace that is not sound is shown, and the page says so (see verify-trace). --full-trace keeps every hit.',
    '--json prints { page, url, runs, documents, sound: { FILE: true or the problem } }.',
  ],
  run: inspect,
};

/** Characters of traces in one page; a browser reads it as a whole. */
const MOST_CHARACTERS = 128 * 1024 * 1024;

async function inspect(context: CommandContext): Promise<number> {
  const { positionals, options, output } = context;
  const sound: Record<string, true | string> = {};
  const events: TraceEvent[] = [];
  const runs: CarriedRun[] = [];
  for (const file of positionals) {
    const note = await checked(context, file, sound, events);
    runs.push(...(await runsOf(context, file, note, runs.length)));
  }
  if (runs.length === 0)
    throw new InputError('no-traces', `There is no trace to show in ${positionals.join(', ')}`, {
      expected: 'a trace, of one of the given questions',
    });
  const found = await storedDocuments(context, events, runs.length);
  const page = resolve(options.text('output') ?? `${basename(positionals[0]!)}.html`);
  replaceFile(page, inspectorFile({ runs, documents: found.documents }));
  const url = pathToFileURL(page).href;
  const counts = { runs: runs.length, documents: found.documents.length };
  if (output.json) output.object({ page, url, ...counts, sound });
  else output.line(page);
  for (const [file, is] of Object.entries(sound))
    if (is !== true) output.warn(`${file} is not sound: ${is}`);
  tellOfDocuments(context, found);
  return 0;
}

/** Verifies a file, adds the events whose documents the page shows, and returns words about it. */
async function checked(
  { options }: CommandContext,
  file: string,
  sound: Record<string, true | string>,
  events: TraceEvent[],
): Promise<string> {
  const asked = options.texts('question');
  let adds = false;
  const onEvent = (event: TraceEvent): void => {
    if (event.type === 'question')
      adds = options.flag('store') && (asked.length === 0 || asked.includes(event.question.id));
    if (adds) events.push(event);
  };
  const found = await verifyTraceFile(file, { onEvent });
  if (found.ok) {
    sound[file] = true;
    return 'Sealed, and its hash chain holds.';
  }
  sound[file] = `line ${found.line}: ${found.problem}`;
  return `Not sound: ${sound[file]}.`;
}

async function runsOf(
  { options }: CommandContext,
  file: string,
  note: string,
  before: number,
): Promise<CarriedRun[]> {
  const asked = options.texts('question');
  const runs: CarriedRun[] = [];
  let characters = 0;
  for await (const { id, question, strategy, lines } of tracedRuns(file)) {
    if (asked.length > 0 && !asked.includes(id)) continue;
    characters += lines.reduce((sum, line) => sum + line.length, 0);
    if (characters > MOST_CHARACTERS)
      throw new InputError('trace-too-large', `${file} is too large for one page`, {
        expected: `at most ${MOST_CHARACTERS / 2 ** 20} MiB of traces`,
        remedy: { id: 'choose-questions' },
      });
    const name = [strategy, basename(file)].filter(Boolean).join(' · ');
    const key = `${before + runs.length}`;
    runs.push({ key, name, question, note, lines });
  }
  return runs;
}

async function storedDocuments(
  context: CommandContext,
  events: readonly TraceEvent[],
  runs: number,
): Promise<CarriedDocuments> {
  if (context.options.text('store') === undefined) return { documents: [], unknown: 0, left: 0 };
  await using session = await openSession(context);
  await using snapshot = await session.place.snapshot();
  return await carriedDocuments(documentIds(events), snapshot.engine, runs);
}

function tellOfDocuments({ output }: CommandContext, { unknown, left }: CarriedDocuments): void {
  if (unknown > 0) output.warn(`${unknown} documents of the traces are not in the store`);
  if (left > 0)
    output.note(`${left} documents were left out of the page; multihop serve shows all of them`);
}
