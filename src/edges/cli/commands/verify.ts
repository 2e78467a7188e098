/** `multihop verify`: checks every byte of a store, and writes damaged indexes anew when asked to. */
import { type StoreReport, verifyStore } from '../../storage/verify-store.ts';
import { type Command, type CommandContext, STORE_OPTION } from '../command.ts';
import { openStore } from '../open-store.ts';
import type { Output } from '../output.ts';

export const command: Command = {
  positionals: [],
  options: [STORE_OPTION, { name: 'repair', summary: 'write damaged or missing indexes anew from the documents' }],
  examples: [{ line: 'multihop verify --store notes.store', says: 'checksums, documents, and each index against one built anew' }],
  notes: [
    'Exits with 0 when all is sound, with 3 when only indexes are damaged (answers are right, they are built from the documents), with 4 when documents are lost.',
    '--json prints { store, ok, generation, documents, chunker, digest, problems: [{ file, problem, effect: "rebuilt" | "lost" }], orphans, repaired }. Two stores with the same documents and chunker have one digest.',
  ],
  run: verify,
};

async function verify(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const folder = options.required('store');
  let report = await verifyStore(folder);
  let repaired = false;
  if (options.flag('repair') && !report.problems.some(({ effect }) => effect === 'lost')) {
    const store = await openStore(context);
    await store.writeIndexes();
    report = await verifyStore(folder);
    repaired = true;
  }
  if (output.json) output.object({ store: folder, ...report, ...(repaired ? { repaired } : {}) });
  else printReport(report, folder, output);
  return report.ok ? 0 : report.problems.some(({ effect }) => effect === 'lost') ? 4 : 3;
}

function printReport({ ok, documents, generation, chunker, digest, problems, orphans }: StoreReport, folder: string, output: Output): void {
  const { style } = output;
  output.line(ok ? style.green('The store is sound.') : style.red('The store is damaged.'));
  output.line(`${documents} documents, generation ${generation}, ${chunker}`);
  if (digest !== undefined) output.line(`digest ${digest}`);
  for (const { problem, effect } of problems) {
    output.line(`${style.red('damaged')} ${problem}`);
    const repair = `multihop verify --store ${folder} --repair`;
    output.line(
      effect === 'rebuilt'
        ? `        Answers are right: it is built again from the documents. Repair: ${repair}`
        : '        Documents are lost.',
    );
  }
  for (const file of orphans) output.note(`left over, removed by the next write: ${file}`);
}
