/** Declares a task of `learn`, and does what all tasks do with what they learnt. */
import { readFileSync } from 'node:fs';
import type { CommandContext } from '../../../src/cli/command.ts';
import type { LearnRows } from '../../../src/cli/learn-rows.ts';
import { modelSources } from '../../../src/cli/model-options.ts';
import type { Option } from '../../../src/cli/option.ts';
import { Progress } from '../../../src/cli/progress.ts';
import { defined } from '../../../src/core/defined.ts';
import { thisPackage } from '../../../src/platform/package-root.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import { Models } from '../../../src/session/models.ts';

interface Declared {
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  /** Options that tasks without them do not read. */
  readonly options?: readonly Option[];
}

interface Task<T> extends Declared {
  /** Fits, and measures on what the fit did not see. */
  learn(context: CommandContext): Promise<T>;
  /** Returns the fields that `--json` prints beside the file. */
  object(learnt: T): object;
  lines(learnt: T): readonly string[];
  /** Writes the weights with their provenance. */
  write(out: string, learnt: T): void;
}

export interface LearnTask extends Declared {
  run(context: CommandContext): Promise<number>;
}

export const learnTask = <T>({ learn, object, lines, write, ...declared }: Task<T>): LearnTask => ({
  ...declared,
  async run(context) {
    const { options, output } = context;
    const out = options.text('out');
    const learnt = await learn(context);
    if (out !== undefined) write(out, learnt);
    if (output.json) output.object(defined({ ...object(learnt), out }));
    else {
      for (const line of lines(learnt)) output.line(line);
      if (out !== undefined) output.line(`Weights are in ${out}`);
    }
    return 0;
  },
});

/** Names version and command in a provenance. */
export const trainedBy = (task: string): string =>
  `multihop ${thisPackage().version} learn ${task}`;

/** Returns the files by content: paths differ between machines. */
export const hashesOf = (files: LearnRows['files']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([what, path]) => [what, sha256(readFileSync(path as string))]),
  );

/** Opens the models that the options name, and shows progress, for a piece of work. */
export async function withModels<T>(
  context: CommandContext,
  what: string,
  work: (models: Models, progress: Progress) => Promise<T>,
  onEmbedded?: (texts: number) => void,
): Promise<T> {
  const cache = context.options.text('cache');
  const models = new Models({ ...modelSources(context), cache, queries: true, onEmbedded });
  const progress = new Progress(context.output, what);
  try {
    return await work(models, progress);
  } finally {
    progress.end();
    await models.close();
  }
}
