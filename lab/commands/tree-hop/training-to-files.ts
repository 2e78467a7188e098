/**
 * A TreeHop training run on the disk: after each epoch its checkpoint, its losses and, last, what
 * is needed to go on.
 */

import { readCheckpoint, writeCheckpoint } from '../../../src/models/tree-hop/checkpoint.ts';
import { takeTurns } from '../../../src/platform/clock.ts';
import { readBytes, replaceFile } from '../../../src/platform/replace-file.ts';
import { lossCurve } from '../../learning/tree-hop/loss-curve.ts';
import {
  type EpochRecord,
  type GroupScores,
  type TrainingData,
  TrainingRun,
} from '../../learning/tree-hop/training-run.ts';
import {
  decisiveSettings,
  type TrainingSettings,
} from '../../learning/tree-hop/training-settings.ts';
import { writeTrainingState } from '../../learning/tree-hop/training-state.ts';
import { stateToResume, type TreeHopFiles } from './run-files.ts';

export interface TrainingJob {
  readonly title: string;
  readonly data: TrainingData;
  readonly settings: TrainingSettings;
  /** For the checkpoint's metadata, beside what the run itself knows. */
  readonly provenance: Readonly<Record<string, string>>;
  readonly files: TreeHopFiles;
  readonly resume: boolean;
  readonly signal: AbortSignal;
  /** Batches of the epoch. */
  readonly onBatch?: (epoch: number, done: number, total: number) => void;
  readonly onEpoch?: (record: EpochRecord, isBest: boolean) => void;
}

export interface TrainingOutcome {
  readonly history: readonly EpochRecord[];
  readonly best: EpochRecord;
  readonly baseline: Pick<EpochRecord, 'heldOutLoss' | 'scores'>;
  /** Scores of the best weights by data set; questions without their own context apart. */
  readonly groups: readonly GroupScores[];
  /** Epochs that were there already when a run went on; undefined: it began. */
  readonly resumedAt: number | undefined;
}

/**
 * Trains until the run is finished. A kill at any moment loses at most the epoch that was under
 * way, which is learnt again to the same bits: the state is written last. Throws the signal's
 * reason between two batches.
 */
export async function trainToFiles(job: TrainingJob): Promise<TrainingOutcome> {
  const { data, settings, files, signal } = job;
  const state = stateToResume(files, job.resume);
  const run = new TrainingRun(data, settings, state);
  const resumedAt = state === undefined ? undefined : run.epoch;
  const baseline = run.baseline();
  if (run.epoch === 0) job.onEpoch?.(run.history[0]!, false);
  while (!run.finished) {
    const epoch = run.epoch + 1;
    const steps = run.learn();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) break;
      job.onBatch?.(epoch, step.value.done, step.value.total);
      await takeTurns();
      signal.throwIfAborted();
    }
    const isBest = run.best.epoch === epoch;
    if (isBest) replaceFile(files.checkpoint, checkpointOf(job, run));
    writeCurve(job, run, baseline);
    replaceFile(files.state, writeTrainingState(run.state()));
    job.onEpoch?.(run.history.at(-1)!, isBest);
  }
  const { parameters } = readCheckpoint(readBytes(files.checkpoint));
  const groups = run.scoresBy(parameters, ({ dataset, ownContext }) =>
    ownContext ? dataset : `${dataset}, pooled negatives`,
  );
  return { history: run.history, best: run.best, baseline, groups, resumedAt };
}

/** No time and no machine in it: the same run gives the same bytes. */
function checkpointOf({ settings, provenance }: TrainingJob, run: TrainingRun): Uint8Array {
  const { shape: _, ...said } = decisiveSettings(settings);
  const { epoch, heldOutLoss, scores } = run.history.at(-1)!;
  const training = {
    settings: JSON.stringify(said),
    variant: settings.variant,
    seed: String(settings.seed),
    epoch: String(epoch),
    step: String(run.step),
    heldOut: JSON.stringify({ loss: heldOutLoss, ...scores }),
  };
  return writeCheckpoint({
    parameters: run.parameters(),
    provenance: { ...provenance, ...training },
  });
}

function writeCurve(
  { title, files }: TrainingJob,
  run: TrainingRun,
  baseline: TrainingOutcome['baseline'],
): void {
  const { history, best } = run;
  const curve = { title, best: best.epoch, baseline, epochs: history };
  replaceFile(files.curve, `${JSON.stringify(curve, undefined, 1)}\n`);
  replaceFile(
    files.picture,
    lossCurve({ title, history, best: best.epoch, baseline: baseline.heldOutLoss }),
  );
}
