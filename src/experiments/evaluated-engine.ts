/** Checks that an engine on a server holds the documents of a data set. */
import { InputError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import type { DataSet } from '../evaluation/example.ts';
import { sameDocument } from '../search/plan-put.ts';
import type { RemoteEngine } from '../stores/servers/remote-engine.ts';

/** Documents that are compared, evenly spread over the data set. */
const SAMPLE = 100;

/**
 * Compares the number of documents and a sample of them. Throws `InputError('other-corpus')`, and
 * `InputError('unknown-id')` for a missing one.
 */
export async function checkCorpus(
  engine: RemoteEngine,
  { name, documents }: DataSet,
  signal: AbortSignal,
): Promise<void> {
  const call = freeCall(signal);
  const other = (expected: string, received: string): InputError =>
    new InputError('other-corpus', `The engine ${engine.label} holds another corpus`, {
      expected,
      received,
      hint: 'Ingest the corpus of the data set under a name of its own.',
    });
  const state = await engine.state(call);
  if (state.documents !== documents.length)
    throw other(`the ${documents.length} documents of "${name}"`, `${state.documents} documents`);
  const step = Math.max(1, Math.floor(documents.length / SAMPLE));
  const sample = documents.filter((_, at) => at % step === 0);
  await using snapshot = await engine.snapshot();
  const stored = await snapshot.read(
    'document',
    sample.map(({ id }) => id),
    call,
  );
  const wrong = sample.find((document, at) => !sameDocument(document, stored[at]!));
  if (wrong) throw other(`the document "${wrong.id}" of "${name}"`, 'another one of that id');
}
