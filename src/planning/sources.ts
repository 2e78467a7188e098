/** The source names that a corpus knows: what grounds planners and slots. */
import type { SearchEngine } from '../retrieval/engine.ts';
import type { Call } from '../trace/call.ts';

/** Every value of the field `source` that is a text, most frequent first. */
export async function sourceNames(engine: SearchEngine, call: Call): Promise<string[]> {
  const values = await engine.values('source', call);
  return values.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}
