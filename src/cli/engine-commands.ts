/** The commands `ingest`, `documents` and `remove` over an engine on a server. */
import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { monotonicClock } from '../platform/clock.ts';
import { checkFilterValues } from '../search/filter-values.ts';
import { ingestIntoEngine } from '../session/ingest-engine.ts';
import { openEngine } from '../stores/servers/open-engine.ts';
import { addressOf } from '../stores/servers/remote-engine.ts';
import type { CommandContext } from './command.ts';
import { modelSources } from './model-options.ts';
import { FILTER_OPTION } from './options.ts';
import { Progress } from './progress.ts';
import { reportSkipped } from './skipped-text.ts';
import { printable } from './wrap.ts';

export async function ingestEngine(
  context: CommandContext,
  engine: string,
  units: readonly Unit[],
): Promise<number> {
  const { options, output, positionals, signal, listen } = context;
  if (positionals.length === 0)
    throw new InputError('missing-argument', 'PATH is missing', {
      expected: 'files and folders to read into the engine',
    });
  listen();
  const begun = monotonicClock();
  const progress = new Progress(output, 'documents');
  const ingesting = ingestIntoEngine({
    ...modelSources(context),
    ...{ engine, units, signal, paths: positionals, strict: options.flag('strict') },
    ...{ format: options.text('format'), chunker: options.text('chunker') },
    onStored: documents => progress.update({ count: documents }),
  });
  const { label, skipped, ...counts } = await ingesting.finally(() => progress.end());
  if (output.json) {
    const places = skipped.map(({ type: _, ...rest }) => rest);
    output.object({ engine: label, ...counts, skipped: places, ms: monotonicClock() - begun });
    return 0;
  }
  reportSkipped(skipped, output);
  const { read, added, changed, unchanged, documents } = counts;
  output.line(
    `${read} read, ${added} added, ${changed} changed, ${unchanged} unchanged, ${skipped.length} skipped; ${documents} in the engine`,
  );
  return 0;
}

/** Documents that one request reads. */
const PAGE = 500;

export async function documentsOfEngine(context: CommandContext, url: string): Promise<number> {
  const { options, output, signal, env } = context;
  const filter = options.get(FILTER_OPTION);
  const call = freeCall(signal);
  await using engine = await openEngine(url, { env, create: false });
  await using snapshot = await engine.snapshot();
  if (filter) await checkFilterValues(filter, snapshot, call);
  const progress = new Progress(output, 'documents');
  const rows: object[] = [];
  for (let after: string | undefined; ; ) {
    const page = await snapshot.page({ filter, after, limit: PAGE }, call);
    for (const document of page) {
      const row = rowOf(document);
      rows.push(row);
      if (!output.json)
        output.line([row.id, row.title, `${row.sections}`].map(printable).join('\t'));
    }
    // Lines are progress themselves.
    if (output.json) progress.update({ count: rows.length });
    if (page.length < PAGE) break;
    after = page.at(-1)!.id;
  }
  progress.end();
  if (output.json) output.object({ engine: addressOf(engine), documents: rows });
  else output.note(`${rows.length} documents`);
  return 0;
}

function rowOf({ id, title, outline = [] }: Document) {
  return { id, title, sections: new Set(outline.map(({ heading }) => heading.join('\0'))).size };
}

export async function removeFromEngine(context: CommandContext, url: string): Promise<number> {
  const { positionals, output, signal, env } = context;
  const ids = [...new Set(positionals)];
  const call = freeCall(signal);
  await using engine = await openEngine(url, { env, create: false });
  const { removed } = await engine.remove(ids, call);
  const { documents } = await engine.state(call);
  if (output.json) output.object({ engine: addressOf(engine), removed, ids, documents });
  else output.line(`${removed} removed; ${documents} in the engine`);
  return 0;
}
