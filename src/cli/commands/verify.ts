/**
 * `multihop verify`: checks every byte of a store, and repairs damaged indexes and vectors on
 * request.
 */
import { basename } from 'node:path';
import { InputError, PortError } from '../../core/errors.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Staleness } from '../../search/derived/derived-index.ts';
import { vectorsKey } from '../../search/vectors/document-vectors.ts';
import { ComputedTexts } from '../../session/embedding-progress.ts';
import { vectorEvents } from '../../session/ingest.ts';
import { cacheOf, Models } from '../../session/models.ts';
import { FolderPlace } from '../../session/places/folder-place.ts';
import { nodeDisk } from '../../stores/disk/disk.ts';
import { readManifest } from '../../stores/disk/generation.ts';
import {
  checkEmbedders,
  STORE_TEMPLATE,
  type StoreEmbedder,
} from '../../stores/disk/store-embedders.ts';
import { type StoreReport, verifyStore } from '../../stores/disk/verify-store.ts';
import { isServerAddress, shownPlace } from '../../stores/servers/engine-address.ts';
import type { Command, CommandContext } from '../command.ts';
import { embedCommand, VectorProgress } from '../embed-store.ts';
import { EMBEDDER_TIMEOUT_OPTION, modelSources, STORED_URL_OPTION } from '../model-options.ts';
import { STORE_OPTION } from '../options.ts';
import type { Output } from '../output.ts';
import { Progress } from '../progress.ts';
import { Waiting } from '../waiting.ts';
import { printable } from '../wrap.ts';

export const command: Command = {
  positionals: [],
  options: [
    {
      ...STORE_OPTION,
      value: 'DIR',
      access: 'keeps',
      writesWith: 'repair',
      summary: 'the folder of the store',
    },
    {
      name: 'repair',
      summary:
        'rebuild damaged or missing indexes from the documents, and vectors if their model is available',
    },
    STORED_URL_OPTION,
    EMBEDDER_TIMEOUT_OPTION,
  ],
  examples: [
    {
      line: 'multihop verify --store notes.store',
      says: 'compare checksums, documents, and each index with a rebuilt index',
    },
  ],
  notes: [
    'Exits with 0 if the store is sound, with 3 if only indexes or vectors are damaged (answers are right: they are rebuilt from the documents), with 4 if documents are lost.',
    'Vectors of a model are compared with their checksums; --repair takes them from the cache of the store or asks the model again, and prints the command to run if the model is not available.',
    '--json prints { store, ok, generation, documents, chunker, unembedded: [{ space, unit }], templates: [{ space, template, readable }], digest, problems: [{ file, problem, effect: "rebuilt" | "lost" }], stale: [{ key, documents, added, changed, removed }], orphans, repaired }; stale lists indexes of earlier documents, which searches use and --repair rebuilds; unembedded lists what a search would have to embed; templates lists the template of each embedder, and readable is true if this release uses it: vectors of another template are refused with exit code 6, and are no damage. Two stores with the same documents and chunker have the same digest.',
  ],
  run: verify,
};

async function verify(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const folder = folderOf(context);
  let report = await verifyWatched(folder, output);
  let repaired = false;
  if (options.flag('repair') && !report.problems.some(({ effect }) => effect === 'lost')) {
    await repair(report, context);
    report = await verifyWatched(folder, output);
    repaired = true;
  }
  if (output.json) output.object({ store: folder, ...report, repaired: repaired || undefined });
  else printReport(report, folder, output);
  return report.ok ? 0 : report.problems.some(({ effect }) => effect === 'lost') ? 4 : 3;
}

function folderOf({ options }: CommandContext): string {
  const folder = options.required('store');
  if (!isServerAddress(folder)) return folder;
  throw new InputError('folder-needed', `"${shownPlace(folder)}" has no files to verify`, {
    expected: 'the folder of a store',
  });
}

async function verifyWatched(folder: string, output: Output): Promise<StoreReport> {
  const progress = new Progress(output, 'files');
  const waiting = new Waiting(output);
  waiting.begin('reading the documents');
  try {
    return await verifyStore(folder, nodeDisk, ({ files, done, total }) => {
      waiting.end();
      progress.update({ count: files, done, total });
    });
  } finally {
    waiting.end();
    progress.end();
  }
}

async function repair(report: StoreReport, context: CommandContext): Promise<void> {
  const folder = context.options.required('store');
  const { output, signal } = context;
  const computed = new ComputedTexts();
  const models = new Models({
    ...modelSources(context),
    cache: cacheOf(folder),
    onEmbedded: computed.add,
  });
  try {
    const embedders = await embeddersAtHand(folder, report, models, output);
    await using place = await FolderPlace.open(folder, {
      onWarning: warning => output.warn(warning.message, warning),
    });
    await place.use({ embedders });
    const store = await place.store();
    await store.rebuild(freeCall(signal));
    await store.writeIndexes();
    const target = { place, computed };
    await new VectorProgress(output, models).watch(vectorEvents(target, signal));
  } finally {
    await models.close();
  }
}

/**
 * Opens the store's embedders whose vectors are damaged or missing, as far as they are available.
 */
async function embeddersAtHand(
  folder: string,
  { problems, unembedded }: StoreReport,
  models: Models,
  output: Output,
): Promise<StoreEmbedder[]> {
  const manifest = (await readManifest(nodeDisk, folder))!;
  const damaged = new Set(problems.map(({ file }) => basename(file)));
  const incomplete = new Set([...unembedded.map(({ space }) => space)]);
  const damagedKeys = new Set(
    (manifest.derived ?? []).filter(({ file }) => damaged.has(file)).map(({ key }) => key),
  );
  const spaces = (manifest.spaces ?? []).filter(
    ({ name, units }) =>
      incomplete.has(name) || units.some(unit => damagedKeys.has(vectorsKey(unit, name))),
  );
  models.checkRecorded(spaces);
  const embedders: StoreEmbedder[] = [];
  for (const space of spaces) {
    try {
      const embedder = await models.recorded(space);
      checkEmbedders(folder, manifest, [embedder]);
      embedders.push(embedder);
    } catch (error) {
      if (!InputError.is(error) && !PortError.is(error)) throw error;
      output.warn(`The embedder ${space.name} is not available: ${error.message}`, error);
    }
  }
  return embedders;
}

function printReport(report: StoreReport, folder: string, output: Output): void {
  const { ok, documents, generation, chunker, digest, problems, orphans, unembedded, templates } =
    report;
  const { style } = output;
  output.line(ok ? style.green('The store is sound.') : style.red('The store is damaged.'));
  output.line(`${documents} documents, generation ${generation}, ${chunker}`);
  if (digest !== undefined) output.line(`digest ${digest}`);
  for (const { problem, effect } of problems) {
    output.line(`${style.red('damaged')} ${problem}`);
    const repair = `multihop verify --store ${folder} --repair`;
    output.line(
      effect === 'rebuilt'
        ? `        Answers are right: it is rebuilt from the documents. Repair: ${repair}`
        : '        Documents are lost.',
    );
  }
  for (const stale of report.stale)
    output.line(
      `${style.yellow('stale')} ${staleText(stale)}. Bring it up to date: multihop verify --store ${folder} --repair`,
    );
  for (const { space, unit } of unembedded)
    output.line(
      `${style.yellow('no vectors')} of ${space} for the ${unit}s: a search computes them. Store them: ${embedCommand(folder, space, unit)}`,
    );
  for (const { space, template } of templates.filter(({ readable }) => !readable))
    output.line(
      `${style.yellow('other template')} ${printable(template)} was read by ${printable(space)}, and this release reads ${STORE_TEMPLATE.name}: its vectors are refused. Use the release that wrote the store, or a new store.`,
    );
  for (const file of orphans) output.note(`unused file, removed by the next write: ${file}`);
}

const staleText = ({ key, documents, added, changed, removed }: Staleness): string =>
  `${key} is of ${documents.toLocaleString('en')} documents; since then ${added} added, ${changed} changed, ${removed} removed`;
