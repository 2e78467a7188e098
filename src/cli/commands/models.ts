/** `multihop models`: lists models on this machine, tries one, downloads one. */
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { downloadGguf } from '../../providers/llama/open-gguf.ts';
import { folderModels } from '../../providers/local-models/folder-models.ts';
import { ggufModels } from '../../providers/local-models/gguf-models.ts';
import type { LocalModel } from '../../providers/local-models/local-model.ts';
import { type AskedServer, askedServers } from '../../providers/local-models/server-models.ts';
import { TRIED, type TriedModel, triedModel } from '../../providers/local-models/try-model.ts';
import { type Kind, serversOf } from '../../providers/model-servers.ts';
import type { Command, CommandContext } from '../command.ts';
import { answerTime, MODEL_TIMEOUT_OPTION } from '../model-options.ts';
import type { Option } from '../option.ts';
import { Progress } from '../progress.ts';

/** Verbs of the list for each kind. */
const DOES: Readonly<Record<Kind, string>> = {
  model: 'answers',
  embedder: 'embeds',
  reranker: 'reranks',
  'question-answerer': 'finds answers',
  'entity-recogniser': 'finds entities',
};

const AS_OPTION: Option<Kind> = {
  name: 'as',
  value: 'KIND',
  summary: `try it as one of ${TRIED.join(', ')}; without it, as what it is`,
  read: kindOf,
};

export const command: Command = {
  positionals: [
    {
      name: 'NAME',
      optional: true,
      summary: 'a model to try with a sentence, as --model, --embedder or reranked() name it',
    },
  ],
  options: [
    AS_OPTION,
    { name: 'download', summary: 'download the file of hf:ORG/NAME:FILE first' },
    { name: 'model-url', value: 'URL', summary: 'address of a server to ask too' },
    MODEL_TIMEOUT_OPTION,
  ],
  examples: [
    { line: 'multihop models', says: 'what is on this machine' },
    {
      line: 'multihop models gguf:qwen2.5-1.5b-instruct-q4_k_m.gguf',
      says: 'does it work, and how fast',
    },
    { line: 'multihop models hf:Qwen/Qwen3-4B-GGUF:Q4_K_M --download', says: 'download a file' },
  ],
  notes: [
    'Lists folders and GGUF files in MULTIHOP_MODELS, GGUF files where node-llama-cpp keeps them and where the command runs, and the models of servers that answer on this machine: Ollama (OLLAMA_HOST), and OpenAI-compatible ones on the ports 8080, 8000 and 1234. What GGUF files are for is known with node-llama-cpp installed.',
    'A download goes into MULTIHOP_MODELS, or the folder of node-llama-cpp without it. Nothing else downloads a file of hf:.',
    '--json prints { models: [{ name, kind, bytes, licence, contextTokens, address }], servers: [{ address, answers }] }, or of a model that was tried { name, kind, id, loadMs, firstMs, tokensPerSecond, dimensions, text }.',
  ],
  run: async context => {
    context.listen();
    const [name] = context.positionals;
    if (name === undefined) await listModels(context);
    else await tryModel(name, context);
    return 0;
  },
};

function kindOf(text: string): Kind {
  const kind = TRIED.find(known => known === text);
  if (kind) return kind;
  throw new InputError('unknown-kind', `Unknown kind "${text}"`, {
    expected: `one of ${TRIED.join(', ')}`,
  });
}

async function listModels({ env, options, output }: CommandContext): Promise<void> {
  const models = env['MULTIHOP_MODELS'];
  const [folders, files, servers] = await Promise.all([
    folderModels(models),
    ggufModels({ models }),
    askedServers(env, options.text('model-url')),
  ]);
  const found = [...folders, ...files, ...servers.flatMap(server => server.models)];
  if (output.json) {
    const asked = servers.map(({ address, answers }) => ({ address, answers }));
    output.object({
      models: found.map(model => defined<LocalModel>({ ...model })),
      servers: asked,
    });
    return;
  }
  for (const line of rowsOf(found)) output.line(line);
  if (found.length === 0)
    output.line('No models here. multihop models hf:ORG/NAME:FILE --download brings one.');
  output.note(asked(servers));
}

function rowsOf(models: readonly LocalModel[]): string[] {
  const cells = models.map(({ name, kind, bytes, licence, contextTokens, address }) => [
    name,
    DOES[kind],
    bytes === undefined ? '' : sizeOf(bytes),
    contextTokens === undefined ? '' : `${contextTokens} tokens`,
    [licence ?? '', address === undefined ? '' : `at ${address}`].filter(Boolean).join(', '),
  ]);
  const widths = [0, 1, 2, 3].map(at => Math.max(...cells.map(row => row[at]!.length)));
  return cells.map(row =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const sizeOf = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`;

function asked(servers: readonly AskedServer[]): string {
  const silent = servers.filter(({ answers }) => !answers).map(({ address }) => address);
  return silent.length > 0 ? `No answer from ${silent.join(', ')}` : 'Every server answers';
}

async function tryModel(name: string, context: CommandContext): Promise<void> {
  const { env, options, output, signal } = context;
  if (options.flag('download')) {
    await download(name, context);
  }
  const kind = options.get(AS_OPTION) ?? (await kindOfName(name, env));
  const tried = await triedModel(kind, name, {
    env,
    signal,
    baseUrl: options.text('model-url'),
    answerMs: answerTime(context),
  });
  if (output.json) output.object(defined<object>({ name, kind, ...tried }));
  else output.line(words(kind, tried));
}

async function download(name: string, { env, output, signal }: CommandContext): Promise<void> {
  const progress = new Progress(output, 'MB');
  const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
  try {
    await downloadGguf(name, {
      env,
      signal,
      onProgress(done, total) {
        const [count, all] = [megabytes(done), megabytes(total)];
        progress.update({ count, done: count, total: all });
      },
    });
  } finally {
    progress.end();
  }
}

/** Returns what the list says of the name, else what its server has. */
async function kindOfName(name: string, env: CommandContext['env']): Promise<Kind> {
  const scheme = name.slice(0, name.indexOf(':'));
  const served = TRIED.find(kind => serversOf(kind).some(server => server.scheme === scheme));
  if (served) return served;
  const models = env['MULTIHOP_MODELS'];
  const known = [...(await folderModels(models)), ...(await ggufModels({ models }))];
  const listed = known.find(model => model.name === name.replace(/\?.*/, ''));
  return listed?.kind ?? 'model';
}

function words(
  kind: Kind,
  { loadMs, firstMs, tokensPerSecond, dimensions, text }: TriedModel,
): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const times = `loaded in ${seconds(loadMs)}, first result after ${seconds(firstMs)}`;
  if (kind === 'embedder') return `works, ${dimensions} dimensions (${times})`;
  if (kind === 'reranker') return `works (${times})`;
  const speed = tokensPerSecond ?? 0;
  const rate = speed >= 10 ? speed.toFixed(0) : speed.toFixed(1);
  return `works, ${rate} tokens a second (${times}): ${text?.trim()}`;
}
