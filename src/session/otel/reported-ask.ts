/** Runs a question and reports it as spans, if its options want them. */
import { describeValue, InputError } from '../../core/errors.ts';
import type { Trace, TraceEvent } from '../../core/trace/trace.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { languageModel } from '../../models/ports.ts';
import { resourcesOf } from '../../models/resources.ts';
import { monotonicClock } from '../../platform/clock.ts';
import { TimeLimit } from '../../platform/time-limit.ts';
import { wallClock } from '../../platform/wall-clock.ts';
import type { AskOptions } from '../../run/ask.ts';
import { timedAsk } from '../timed-run.ts';

/**
 * As `timedAsk`, with spans. Throws `InputError('bad-telemetry')`, or
 * `PortError('missing-package')` if they have no package.
 */
export async function* reportedAsk(
  question: string,
  options: AskOptions,
  time: TimeLimit = new TimeLimit(options.budget?.ms),
): AsyncGenerator<TraceEvent, Trace, void> {
  const { telemetry = false } = options;
  if (telemetry !== 'content' && typeof telemetry !== 'boolean')
    throw new InputError('bad-telemetry', 'The option telemetry', {
      expected: "true for spans without texts, 'content' for spans with them, or false",
      received: describeValue(telemetry),
    });
  if (!telemetry) return yield* timedAsk(question, options, time);
  const { openTelemetry, RunSpans } = await import('./spans.ts');
  const api = await openTelemetry();
  const began = wallClock() + time.startedAt - monotonicClock();
  const spans = new RunSpans(api, telemetry === 'content', began);
  const asked = withModels(options, model => spans.model(model));
  return yield* spans.watch(timedAsk(question, asked, time));
}

/** Returns the options with each language model replaced. */
function withModels(
  { model, resources = {}, ...options }: AskOptions,
  replaced: (model: LanguageModel) => LanguageModel,
): AskOptions {
  const models = (resourcesOf(resources, languageModel.name) as LanguageModel[]).map(replaced);
  return {
    ...options,
    model: model && replaced(model),
    resources: models.length === 0 ? resources : { ...resources, model: models },
  };
}
