/** Reads the source names of a corpus, for planners and slots. */
import { type AnalysisKind, analysisOf } from '../core/corpus/analysis-cache.ts';
import { JointSteps } from '../core/joint-steps.ts';
import { finishWithPauses, type Steps } from '../core/steps.ts';
import { type Call, pauseOf } from '../core/trace/call.ts';
import { prepareMentions } from '../language/mentions.ts';
import type { SearchEngine } from '../search/engine.ts';
import { textValues } from '../search/filters/all-values.ts';

const NAMES: AnalysisKind<SourceNames> = {
  name: 'source names',
  // A name, its spelling in lower case, and the entries of `findMentions`.
  bytes: ({ count }) => 400 * count,
};

interface SourceNames {
  readonly count: number;
  readonly prepared: JointSteps<readonly string[]>;
}

/**
 * Returns every value of the field `source` that is a text, most frequent first. The list is frozen
 * and the same for each question to one snapshot, so that `findMentions` prepares it once.
 */
export async function sourceNames(engine: SearchEngine, call: Call): Promise<readonly string[]> {
  const analysis = analysisOf(engine);
  let known = analysis.get(NAMES, '');
  if (!known) {
    const names = Object.freeze(await textValues(engine, 'source', call));
    known = { count: names.length, prepared: new JointSteps(() => preparedNames(names)) };
    analysis.set(NAMES, '', known);
  }
  return finishWithPauses(known.prepared.finished(), pauseOf(call));
}

function* preparedNames(names: readonly string[]): Steps<readonly string[]> {
  yield* prepareMentions(names);
  return names;
}
