/**
 * The load goals of `multihop serve`: each is measured on the real command as a process of its own,
 * beside a model that is a process too. Goals that were measured stay in the folder of `--cache`,
 * so that a run that is cut goes on; delete `server-load/SHARE` there to measure anew.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Result, type Setting, type Task, WrongOption } from './measure.ts';
import { askGoals, overloadGoals, slowModelGoals } from './server-load/ask-goals.ts';
import { type Bed, type Goal, inTurn } from './server-load/bed.ts';
import { MockModel } from './server-load/children.ts';
import { enduranceGoals } from './server-load/endurance-goals.ts';
import { atMost } from './server-load/goals.ts';
import { kept } from './server-load/kept-goals.ts';
import { loadQuestions } from './server-load/real-documents.ts';
import { retrievalGoals } from './server-load/retrieval-goals.ts';
import { sizesOf } from './server-load/sizes.ts';
import { cancelGoals, streamGoals } from './server-load/stream-goals.ts';
import { writtenStore } from './server-load/written-store.ts';

/** By the numbers of their goals, which `--goals` names. */
const GOALS: Readonly<Record<string, Goal>> = {
  'L1,L2': retrievalGoals,
  L3: askGoals,
  L4: slowModelGoals,
  L5: streamGoals,
  L6: overloadGoals,
  L11: cancelGoals,
  L7: enduranceGoals,
};

/** Throws if `goals` names one that is not there. */
export const server: Task = async setting => {
  const { cache, share = 1 } = setting;
  const names = namesOf(setting.goals);
  const folder = cache
    ? join(resolve(cache), 'server-load', String(share))
    : mkdtempSync(join(tmpdir(), 'multihop-server-load-'));
  mkdirSync(folder, { recursive: true });
  try {
    return await measured(folder, names, setting);
  } finally {
    if (!cache) rmSync(folder, { recursive: true, force: true });
  }
};

async function measured(
  folder: string,
  names: readonly string[],
  { data, say, share = 1 }: Setting,
): Promise<Result[]> {
  const sizes = sizesOf(share);
  const store = writtenStore({ folder, data, size: sizes.passages, say });
  await using model = await MockModel.start();
  const bed: Bed = { store, model, sizes, say, questions: inTurn(loadQuestions(data)), node: [] };
  const results: Result[] = [];
  const delays: Record<string, number> = {};
  for (const name of names) {
    const measure = (): ReturnType<Goal> => GOALS[name]!(bed);
    const done = await kept(folder, name, { sizes, measure });
    results.push(...done.results);
    Object.assign(delays, done.delays);
  }
  const commits = [...new Set(results.map(({ commit }) => commit))].join(', ');
  return [...results, { ...delayRow(delays), commit: commits }];
}

function namesOf(goals: string | undefined): string[] {
  const all = Object.keys(GOALS);
  if (goals === undefined) return all;
  const wanted = goals.split(',').map(goal => {
    const name = all.find(one => one.split(',').includes(goal));
    if (name === undefined) throw new WrongOption(`there is no goal "${goal}": ${all.join(', ')}`);
    return name;
  });
  return all.filter(name => wanted.includes(name));
}

/** L8 is measured in every test of the others. */
function delayRow(delays: Readonly<Record<string, number>>): Result {
  const each = Object.entries(delays).sort(([, a], [, b]) => b - a);
  return atMost({
    what: 'L8: delay of the event loop in the worst test, p99',
    n: each.length,
    unit: 'ms',
    value: each[0]?.[1] ?? Number.NaN,
    floor: 50,
    aim: 10,
    note: each.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(', '),
  });
}
