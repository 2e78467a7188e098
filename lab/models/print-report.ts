/** Prints the report `models` from what is recorded: the same replies, without a model. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../src/cli/style.ts';
import { DEFAULTS } from '../../src/run/ask.ts';
import { openLanguageModel } from '../../src/session/language-model.ts';
import { answersFile, ROWS, report } from '../results/reports/models.ts';
import { runReport } from '../results/runner.ts';
import { ROOT } from '../results/steps.ts';
import { openSet, type SetFolders } from './question-sets.ts';
import { cascadeSettings, readAnswers } from './read-answers.ts';
import { recordedCassette, recordedEvidence, recordedTimes } from './recorded.ts';

/** Answers the recorded questions of the sets again, and writes the report over them. */
export async function printReport(
  names: readonly string[],
  folders: SetFolders,
  env: Environment,
): Promise<void> {
  const work = join(ROOT, '.cache', 'results', 'readers');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  await replay(names, folders, { env, work });
  const given = { data: folders.data, work, options: {} };
  const out = join(ROOT, 'results', 'models');
  await runReport(report(given), {
    given,
    out,
    cache: '',
    steps: [],
    embed: false,
    keep: false,
    renderOnly: true,
  });
}

/** Writes the answers to the recorded questions into the work folder of the report. */
export async function replay(
  names: readonly string[],
  folders: SetFolders,
  { env, work }: { readonly env: Environment; readonly work: string },
): Promise<void> {
  const [evidence, times] = [recordedEvidence(), recordedTimes()];
  const cassette = recordedCassette(work);
  const opened = await openLanguageModel({ env, cassette });
  try {
    for (const name of names.filter(each => evidence[each])) {
      const frozen = evidence[name]!;
      const { engine, questions } = await openSet(name, 'report', folders);
      for (const row of ROWS) {
        await readAnswers(
          { engine, questions: questions.filter(({ id }) => frozen[id]) },
          {
            set: name,
            readers: [row.reader],
            shown: row.shown,
            frozen,
            times,
            cascade: cascadeSettings(undefined, DEFAULTS.answerAt),
            model: opened.decorated?.model,
            out: answersFile(work),
          },
        );
      }
    }
  } finally {
    await opened.close();
  }
}
