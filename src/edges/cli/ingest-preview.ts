/** Prints what an ingest would do: `multihop ingest --dry-run`. */
import { InputError } from '../../errors.ts';
import type { FileReading } from '../serving/file-reading.ts';
import { previewIngest } from '../serving/ingest-preview.ts';
import type { CommandContext, Option } from './command.ts';
import { reportRenamed, reportReplaced, reportSkipped } from './skipped-text.ts';
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
export async function printPreview(
  { options, output }: CommandContext,
  reading: FileReading,
): Promise<number> {
  const store = options.required('store');
  const { added, changed, vanished, unchanged } = await previewIngest(reading, store);
  const sync = options.flag('sync');
  const removed = sync ? vanished : [];
  const { skipped } = reading;
  if (output.json) {
    const places = skipped.map(({ type: _, ...rest }) => rest);
    const stay = vanished.length - removed.length;
    output.object({
      ...{ store, dryRun: true, added, changed, unchanged, removed, vanished: stay },
      skipped: places,
    });
    return 0;
  }
  reportSkipped(skipped, output);
  reportRenamed(reading.renamed, output);
  reportReplaced(await reading.replaced(), output);
  for (const [mark, ids] of [
    ['+', added],
    ['~', changed],
    ['-', removed],
  ] as const)
    for (const id of ids) output.line(`${mark} ${printable(id)}`);
  if (!sync && vanished.length > 0)
    output.note(
      `${vanished.length} stored documents of files that vanished would stay; --sync removes them`,
    );
  output.line(
    `${added.length} to add, ${changed.length} to change, ${unchanged} unchanged, ${sync ? `${removed.length} to remove, ` : ''}${skipped.length} skipped; nothing was written`,
  );
  return 0;
}
