/** Lists the models in folders of `MULTIHOP_MODELS`, by what their configuration says. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kind } from '../model-servers.ts';
import { countOf, type LocalModel, licenceName } from './local-model.ts';

/** Kinds by the end of the architecture's name; any other model embeds. */
const KINDS: readonly [end: RegExp, kind: Kind][] = [
  [/(?:ForCausalLM|LMHeadModel)$/, 'model'],
  [/ForSequenceClassification$/, 'reranker'],
  [/ForQuestionAnswering$/, 'question-answerer'],
  [/ForTokenClassification$/, 'entity-recogniser'],
];

export async function folderModels(models: string | undefined): Promise<LocalModel[]> {
  if (models === undefined) return [];
  const entries = await readdir(models, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => folderModel(models, name)),
  );
  return found.filter(model => model !== undefined);
}

async function folderModel(models: string, name: string): Promise<LocalModel | undefined> {
  const folder = join(models, name);
  const config = await readFile(join(folder, 'config.json'), 'utf8')
    .then(text => JSON.parse(text) as Readonly<Record<string, unknown>>)
    .catch(() => undefined);
  if (typeof config !== 'object' || config === null) return undefined;
  const { architectures, max_position_embeddings: context } = config;
  const architecture = Array.isArray(architectures) ? String(architectures[0]) : '';
  const kind = KINDS.find(([end]) => end.test(architecture))?.[1] ?? 'embedder';
  return {
    name,
    kind,
    bytes: await weightBytes(join(folder, 'onnx')),
    licence: await licenceOf(folder),
    contextTokens: countOf(context),
  };
}

async function weightBytes(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map(async name => (await stat(join(folder, name))).size));
  return countOf(sizes.reduce((sum, size) => sum + size, 0));
}

/** Reads the licence in the front matter of a model card. */
async function licenceOf(folder: string): Promise<string | undefined> {
  const card = await readFile(join(folder, 'README.md'), 'utf8').catch(() => '');
  return licenceName(/^---\n(?:[^\n]*\n)*?licen[cs]e: *([^\n]+)\n/i.exec(card)?.[1]);
}
