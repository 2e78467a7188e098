/** `multihop copy`: copies documents with their vectors between stores and engines on servers. */
import { InputError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { freeCall } from '../../core/trace/call.ts';
import { monotonicClock } from '../../platform/clock.ts';
import type { Place, PlaceEmbedder } from '../../search/place.ts';
import { Models } from '../../session/models.ts';
import { openPlace, type PlaceOptions } from '../../session/places/open-place.ts';
import { type Copied, copyDocuments } from '../../stores/copying/copy-documents.ts';
import type { Command, CommandContext } from '../command.ts';
import {
  BASE_URL_OPTION,
  EMBEDDER_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  modelSources,
} from '../model-options.ts';
import { SERVER_NOTE } from '../open-session.ts';
import { Progress } from '../progress.ts';
import { printable } from '../wrap.ts';

export const command: Command = {
  positionals: [],
  options: [
    {
      name: 'from',
      value: 'PLACE',
      access: 'read',
      required: true,
      summary: 'the folder of a store, or a server',
    },
    {
      name: 'to',
      value: 'PLACE',
      access: 'keeps',
      required: true,
      summary: 'the folder of a store, or a server; created if missing',
    },
    { name: 'sync', summary: 'remove documents of the target that the source lacks' },
    { name: 'no-vectors', summary: 'do not copy the vectors' },
    {
      ...EMBEDDER_OPTION,
      summary:
        'the model of the vectors of a server that a store is to hold: the store knows it again, nothing is embedded',
    },
    BASE_URL_OPTION,
    EMBEDDER_TIMEOUT_OPTION,
    {
      name: 'batch',
      value: 'N',
      type: 'integer',
      min: 1,
      default: '200',
      summary: 'documents in one write',
    },
    {
      name: 'sample',
      value: 'N',
      type: 'integer',
      min: 0,
      default: '100',
      summary: 'searches that compare both at the end',
    },
    { name: 'dry-run', summary: 'write nothing; count what would be written and removed' },
  ],
  examples: [
    {
      line: 'multihop copy --from news.store --to opensearch://127.0.0.1:9200/news',
      says: 'to a server',
    },
    {
      line: 'multihop copy --from opensearch://127.0.0.1:9200/news --to news.store --sync',
      says: 'from a server, and remove documents that it no longer has',
    },
    {
      line: 'multihop copy --from news.store --to postgres://me@127.0.0.1/news --dry-run',
      says: 'count the documents to copy',
    },
  ],
  notes: [
    'A place is the folder of a store, or the address of a server as --store takes it. The copy reads one state of the source, while others may write there; the target can be asked meanwhile. After an interrupt, run the command again: documents that are there already are not written again. At the end every document is read back and compared, and a sample is searched for in both.',
    'Vectors travel: no model is asked. The chunker is that of the source; a target that has another one, other models or another template of texts is refused before anything is written. A server has one list of units for all of its models. What a store computes from its documents stays behind and is named (a graph, claims), and so does what it knows of files: a later ingest of the same folder reads it anew.',
    'OpenSearch ranks with lengths in one byte, so that the first ten hits agree to 0.97 or so; elsewhere to 1.000. There each write that changes or removes documents copies the index: give a large --batch where many have changed.',
    SERVER_NOTE,
    '--json prints { from, to, documents, added, changed, unchanged, removed, extra, vectors, leftOut, checksum, agreement, searches, ms }: extra counts documents beside those of the source, vectors names the spaces copied, checksum is of the contents, and agreement the mean share of the first ten hits that both find. With --dry-run dryRun is true and agreement is missing.',
  ],
  run: copy,
};

const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];

async function copy(context: CommandContext): Promise<number> {
  const { options, output, signal, listen } = context;
  const began = monotonicClock();
  const [from, to] = [options.required('from'), options.required('to')];
  if (from === to)
    throw new InputError('same-place', 'The places of a copy', {
      expected: 'two places',
      received: `"${from}" twice`,
    });
  listen();
  const progress = new Progress(output, 'documents');
  let comparing: Progress | undefined;
  const models = new Models(modelSources(context));
  let leftOut: readonly string[] = [];
  try {
    await using source = await opened(from, context, { create: false });
    const copied = await copyDocuments(
      {
        from: source,
        to: chunker => opened(to, context, { create: true, chunker }),
        sync: options.flag('sync'),
        vectors: !options.flag('no-vectors'),
        batch: options.integer('batch', 200),
        sample: options.integer('sample', 100),
        dryRun: options.flag('dry-run'),
        models: await modelsOf(context, models),
        onCopied: (done, total) => progress.update({ count: done, done, total }),
        onCompared: (done, total) => {
          progress.end();
          comparing ??= new Progress(output, 'documents compared');
          comparing.update({ count: done, done, total });
        },
        onLeftOut: what => void (leftOut = what),
      },
      freeCall(signal),
    );
    comparing?.end();
    print(context, { copied, leftOut, ms: monotonicClock() - began });
    return 0;
  } finally {
    progress.end();
    comparing?.end();
    await models.close();
  }
}

const opened = (
  place: string,
  { env, output }: CommandContext,
  options: Pick<PlaceOptions, 'create' | 'chunker'>,
): Promise<Place> =>
  openPlace(place, {
    ...options,
    env,
    onWarning: warning => output.warn(warning.message, warning),
  });

async function modelsOf(
  { options }: CommandContext,
  models: Models,
): Promise<readonly PlaceEmbedder[]> {
  if (options.texts('embedder').length === 0) return [];
  return models.forIngest(UNITS);
}

interface Printed {
  readonly copied: Copied;
  readonly leftOut: readonly string[];
  readonly ms: number;
}

function print({ options, output }: CommandContext, { copied, leftOut, ms }: Printed): void {
  const { extra, agreement, searches, checksum, vectors, ...rest } = copied;
  const dryRun = options.flag('dry-run');
  const { documents, added, changed, unchanged, removed } = rest;
  if (output.json) {
    const { from, to } = rest;
    output.object({
      from,
      to,
      dryRun: dryRun || undefined,
      documents,
      added,
      changed,
      unchanged,
      removed,
      extra: extra.length,
      vectors,
      leftOut,
      checksum,
      agreement,
      searches: agreement === undefined ? undefined : searches,
      ms,
    });
    return;
  }
  if (leftOut.length > 0) output.note(`Left behind: ${leftOut.map(printable).join('; ')}`);
  const kept = extra.length - removed;
  if (!options.flag('sync') && kept > 0)
    output.note(`${kept} documents are there beside those of the source; --sync removes them`);
  const would = dryRun ? 'would be ' : '';
  const counts = `${documents} documents: ${added} ${would}added, ${changed} ${would}changed, ${unchanged} unchanged${options.flag('sync') ? `, ${removed} ${would}removed` : ''}`;
  output.line(
    agreement === undefined
      ? counts
      : `${counts}; all read back and equal (SHA-256 ${checksum.slice(0, 16)}), ${agreement.toFixed(3)} of the first ten hits agree over ${searches} searches`,
  );
}
