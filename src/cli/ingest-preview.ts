/** Prints what an ingest would do: `multihop ingest --dry-run`. */

import { InputError } from '../core/errors.ts';
import { costOf, largest } from '../run/cost-plan.ts';
import type { FileReading } from '../session/file-reading.ts';
import { previewIngest } from '../session/ingest-preview.ts';
import type { GraphPlan } from '../session/recognisers.ts';
import type { CommandContext } from './command.ts';
import { graphModel } from './model-options.ts';
import type { Option } from './option.ts';
import { usageWords } from './run-text.ts';
import {
  reportIgnored,
  reportPrefixed,
  reportRenamed,
  reportReplaced,
  reportSkipped,
  vanishedText,
} from './skipped-text.ts';
import { printable } from './wrap.ts';

export const DRY_RUN_OPTION: Option = {
  name: 'dry-run',
  summary: 'print which documents would be added (+), changed (~) and removed (-); write nothing',
};

/** Refuses options that write or wait. */
export function checkPreview({ options, positionals }: CommandContext): void {
  const other = ['watch', 'embedder'].find(name =>
    name === 'watch' ? options.flag(name) : options.texts(name).length > 0,
  );
  if (other === undefined && positionals.length > 0) return;
  throw new InputError('bad-value', 'The option --dry-run', {
    expected: 'files and folders to read, without --watch and --embedder',
    received: other === undefined ? 'no PATH' : `--${other}`,
  });
}

/** Reads everything and prints the differences; the store stays as it is. */
export async function printPreview(context: CommandContext, reading: FileReading): Promise<number> {
  const { options, output } = context;
  const store = options.required('store');
  const sync = options.flag('sync');
  const kept = { graph: options.text('graph'), claims: options.text('claims') };
  const language = graphModel(context);
  const preview = await previewIngest(reading, store, { ...kept, language });
  const { added, changed, removed, vanished, unchanged, plan, claims } = preview;
  const { skipped } = reading;
  if (output.json) {
    const places = skipped.map(({ type: _, ...rest }) => rest);
    output.object({
      store,
      dryRun: true,
      added,
      changed,
      unchanged,
      removed,
      vanished: vanished.length,
      skipped: places,
      graph: plan ? plannedCost(plan) : undefined,
      claims: claims ? plannedCost(claims) : undefined,
    });
    return 0;
  }
  reportSkipped(skipped, output);
  reportRenamed(reading.renamed, output);
  reportIgnored(reading.ignored, [], output);
  reportPrefixed(reading.prefixed, output);
  reportReplaced(await reading.replaced(), output);
  for (const [mark, ids] of [
    ['+', added],
    ['~', changed],
    ['-', removed],
  ] as const)
    for (const id of ids) output.line(`${mark} ${printable(id)}`);
  if (vanished.length > 0)
    output.note(
      `${vanished.length} stored documents of files that ${vanishedText(reading.ignored)} would stay; --sync removes them`,
    );
  const plans = [
    plan && graphWords(plan, kept.graph!),
    claims && claimsWords(claims, kept.claims!),
  ];
  for (const words of plans)
    if (words) output.line(`${words}; what the cache of the store holds is not asked again`);
  output.line(
    `${added.length} to add, ${changed.length} to change, ${unchanged} unchanged, ${sync || removed.length > 0 ? `${removed.length} to remove, ` : ''}${skipped.length} skipped; nothing was written`,
  );
  return 0;
}

/** Calls by role and their cost at most; passages that were read before cost nothing. */
const plannedCost = ({ calls, price }: GraphPlan): object => ({
  calls,
  atMost: costOf(calls.map(largest), price),
});

/** Says what reading documents into a graph takes at most. */
export const graphWords = (plan: GraphPlan, graph: string): string =>
  plannedWords(`The graph by ${graph} takes`, plan);

export const claimsWords = (plan: GraphPlan, name: string): string =>
  plannedWords(`Claims by ${name} take`, plan);

function plannedWords(what: string, { calls, price }: GraphPlan): string {
  const atMost = costOf(calls.map(largest), price);
  const roles = calls.map(({ role, atMost: most }) => `${most} ${role}`).join(' and ');
  const used = { modelCalls: atMost.calls, modelTokens: atMost.tokens };
  const unpriced = price ? '' : '; no known price: --price in=USD,out=USD adds the costs';
  return `${what} at most ${usageWords({ ...used, usd: atMost.usd }).join(', ')} (${roles})${unpriced}`;
}
