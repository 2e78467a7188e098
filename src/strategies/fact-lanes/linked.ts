/**
 * Keeps sentences of articles whose titles link them, as in encyclopedias: later hops follow names,
 * and weights rank candidates by links between titles, question and best sentences. With
 * `plan=model` the same is done once more for what a model says of the best articles.
 */
import type { OpenHop } from '../strategy.ts';
import { followNames, NAME_HOPS } from './names.ts';
import type { LanesRun } from './run.ts';
import { followThought } from './thought.ts';
import type { LanesView } from './view.ts';

export async function* keepLinked(
  run: LanesRun,
  first: LanesView,
): AsyncGenerator<OpenHop, void, void> {
  yield* followLinks(run, first);
  if (run.settings.plan === 'model')
    yield* followThought(run, async function* (more) {
      yield* followLinks(more, await more.view());
    });
}

function followLinks(run: LanesRun, first: LanesView): AsyncGenerator<OpenHop, void, void> {
  const { learning, settings } = run;
  const hops = learning.hops ?? (settings.bridge === 'auto' ? NAME_HOPS : 0);
  return followNames(run, first, view => run.ranking(view), { hops, passes: Math.max(1, hops) });
}
