/** Reads the source names of a corpus, for planners and slots. */
import { type AnalysisKind, analysisOf } from '../corpus/analysis-cache.ts';
import { textValues } from '../retrieval/all-values.ts';
import type { SearchEngine } from '../retrieval/engine.ts';
import type { Call } from '../trace/call.ts';

const NAMES: AnalysisKind<readonly string[]> = {
  name: 'source names',
  bytes: names => 64 * names.length,
};

/** Returns every value of the field `source` that is a text, most frequent first. */
export async function sourceNames(engine: SearchEngine, call: Call): Promise<string[]> {
  const analysis = analysisOf(engine);
  const known = analysis.get(NAMES, '');
  if (known) return [...known];
  const names = await textValues(engine, 'source', call);
  analysis.set(NAMES, '', names);
  return [...names];
}
