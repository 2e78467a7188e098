/**
 * A route handler of Next.js: POST `{ "question": "..." }` answers with a line of JSON a hop, one
 * for the sources and one for the answer, each as soon as it is known. `MULTIHOP_STORE` names the
 * store. It needs Node, the default runtime of routes.
 */
import { type DocumentStore, InputError, openStore, type TraceEvent } from 'multihop';

type Lines = AsyncGenerator<string, undefined, void>;

let opened: Promise<DocumentStore> | undefined;

/** Opens the store once, with the first request; a failure is not kept. */
function openedStore(): Promise<DocumentStore> {
  opened ??= openStore(process.env['MULTIHOP_STORE'] ?? 'notes.store', { create: false });
  opened.catch(() => (opened = undefined));
  return opened;
}

export async function POST(request: Request): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined);
  const question = (body as { question?: unknown } | null | undefined)?.question;
  if (typeof question !== 'string')
    return Response.json({ error: 'expected { "question": "..." }' }, { status: 400 });
  const store = await openedStore();
  const run = store.ask(question, {
    budget: { documents: 8, ms: 20_000 },
    signal: request.signal, // a visitor who leaves ends the run
  });
  const lines = linesOf(run);
  try {
    // A refused question throws before its first line.
    await lines.next();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return Response.json({ error: error.message, code: error.code }, { status: 400 });
  }
  return new Response(streamOf(lines), { headers: { 'Content-Type': 'application/x-ndjson' } });
}

/** Runs the next hop only once the visitor took the line of the one before. */
function streamOf(lines: Lines): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value } = await lines.next();
      if (value === undefined) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

async function* linesOf(run: AsyncIterable<TraceEvent>): Lines {
  for await (const event of run) yield `${JSON.stringify(shown(event))}\n`;
  return undefined;
}

/** The part of an event that a page shows. */
function shown(event: TraceEvent): object {
  switch (event.type) {
    case 'hop':
      return {
        hop: event.index + 1,
        searched: event.hop.searches.map(({ text }) => text),
        kept: [...new Set(event.hop.kept.map(({ documentId }) => documentId))],
      };
    case 'context': {
      const titles = new Map(event.evidence.map(({ documentId, title }) => [documentId, title]));
      return { sources: Array.from(titles, ([id, title]) => ({ id, title })) };
    }
    case 'answer':
      return { answer: event.answer };
    case 'end':
      return { ms: event.ms, ...(event.stopped ? { stopped: event.stopped } : {}) };
    default:
      return { question: event.question.text };
  }
}
