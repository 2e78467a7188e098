/**
 * `multihop init`: looks at the documents of a folder, their languages and the models of this
 * machine, and writes `multihop.config.json`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { withLanguage } from '../../documents/document-language.ts';
import { readDocuments } from '../../documents/read-documents.ts';
import { LANGUAGE_TABLES } from '../../language/tables/tables.ts';
import { folderModels } from '../../providers/local-models/folder-models.ts';
import { ggufModels } from '../../providers/local-models/gguf-models.ts';
import { askedServers } from '../../providers/local-models/server-models.ts';
import type { Command, CommandContext } from '../command.ts';
import { CONFIGURATION_FILE } from '../configuration-file.ts';
import { filesText, foundFiles } from '../found-files.ts';
import { languageName } from '../language-line.ts';
import { printable } from '../wrap.ts';

/** Files of each format that are read for their language, from all over the folder. */
const SAMPLE = 12;
/** Documents of one file that are read: a file of records may have millions. */
const RECORDS = 5;

export const command: Command = {
  positionals: [
    {
      name: 'FOLDER',
      optional: true,
      summary: 'the folder of documents; the working folder if missing',
    },
  ],
  options: [],
  examples: [
    { line: 'multihop init', says: 'then multihop ingest . reads the documents' },
    { line: 'multihop init notes/', says: 'of another folder' },
  ],
  notes: [
    'Reads a sample of the files, asks the servers of models that multihop models lists, and writes multihop.config.json into the folder: the place of its store, and for ask and chat a language model, if one on this machine needs no address. An existing file stays as it is.',
    '--json prints { configuration, settings, files, languages, unread: [{ path, reason }], models }: files counts those of each format, languages the documents of the sample by ISO 639-1 code, unread is what of the sample cannot be read, models names what answers or embeds here.',
  ],
  run: init,
};

async function init({ positionals, env, output, signal }: CommandContext): Promise<number> {
  const folder = positionals[0] ?? '.';
  const files = await foundFiles(folder);
  const text = filesText(files);
  if (text === undefined)
    throw new InputError('empty-corpus', `No document in ${JSON.stringify(folder)}`, {
      expected: 'a folder of documents',
      hint: 'multihop demo has documents of its own.',
    });
  const { languages, unread } = await sampled([...files.byFormat.values()], signal);
  const models = await localModels(env);
  const model = models.find(({ kind, address }) => kind === 'model' && address === undefined);
  const answering = model && { model: model.name };
  const settings = { store: '.multihop/store', ask: answering, chat: answering };
  const path = join(folder, CONFIGURATION_FILE);
  write(path, `${JSON.stringify(settings, undefined, 2)}\n`);
  if (output.json) {
    const counts = [...files.byFormat].map(([format, { length }]) => [format, length] as const);
    output.object({
      configuration: path,
      settings,
      files: Object.fromEntries(counts),
      languages: Object.fromEntries(languages),
      unread,
      models: models.map(({ name }) => name),
    });
    return 0;
  }
  output.line(`Documents  ${text}`);
  for (const { path, reason } of unread) output.line(`           ${printable(path)}: ${reason}`);
  if (languages.size > 0) output.line(`Languages  ${languageText(languages)}`);
  output.line(
    `Models     ${models.map(({ name }) => name).join(', ') || 'none here; none is needed'}`,
  );
  output.line(`Written    ${printable(path)}: ${JSON.stringify(settings)}`);
  output.line(`\nType next, in ${folder === '.' ? 'this folder' : printable(folder)}:`);
  output.line('  multihop ingest .\n  multihop ask "QUESTION"');
  return 0;
}

/** Reads some files of each format. */
async function sampled(
  groups: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<{ languages: Map<string, number>; unread: { path: string; reason: string }[] }> {
  const languages = new Map<string, number>();
  const unread: { path: string; reason: string }[] = [];
  for (const paths of groups) {
    const step = Math.ceil(paths.length / SAMPLE);
    for (const path of paths.filter((_, at) => at % step === 0)) {
      let read = 0;
      for await (const event of readDocuments([path], { signal })) {
        if (event.type === 'skipped') unread.push({ path: event.path, reason: event.reason });
        else {
          const { language = 'en' } = (await withLanguage(event.document)).metadata;
          languages.set(String(language), (languages.get(String(language)) ?? 0) + 1);
        }
        if (++read === RECORDS) break;
      }
    }
  }
  return { languages, unread };
}

async function localModels(env: CommandContext['env']) {
  const models = env['MULTIHOP_MODELS'];
  const [servers, files, folders] = await Promise.all([
    askedServers(env, undefined),
    ggufModels({ models }),
    folderModels(models),
  ]);
  return [...servers.flatMap(server => server.models), ...files, ...folders];
}

/** Says how many documents are in each language, and for which no table of words is there. */
function languageText(languages: ReadonlyMap<string, number>): string {
  const all = [...languages].sort(([, a], [, b]) => b - a);
  const counts = all.map(([code, count]) => `${languageName(code)} ${count}`).join(', ');
  const missing = all.filter(
    ([code]) => code !== 'en' && !LANGUAGE_TABLES.some(table => table.code === code),
  );
  const without = missing.map(([code]) => languageName(code)).join(', ');
  return `${counts}${without && `; every word of a question counts in ${without}, without a table of words`}`;
}

/** Throws `InputError('file-exists')`: settings are work. */
function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new InputError('file-exists', `The file ${JSON.stringify(path)} exists already`, {
      expected: 'a folder without settings',
      hint: 'Remove it first, or edit it.',
    });
  }
}
