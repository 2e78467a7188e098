/** `ranker TASK`: pools to distil a small ranker from, questions for them, and its judge. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { InputError } from '../../src/core/errors.ts';
import { openLanguageModel } from '../../src/session/language-model.ts';
import { askQuestions, readAsked } from '../learning/ranker/asked-questions.ts';
import { Candidates } from '../learning/ranker/candidates.ts';
import { DOMAINS, domainNamed, type Folders } from '../learning/ranker/domains.ts';
import { judgedDomain, judgement, weightsOfRanks } from '../learning/ranker/judge.ts';
import { judgedPools } from '../learning/ranker/judged-pools.ts';
import { writePools } from '../learning/ranker/pool-file.ts';
import { trainingPools } from '../learning/ranker/training-pools.ts';

const RUN: Readonly<Record<string, (context: CommandContext) => Promise<void>>> = {
  pools,
  questions,
  judge,
};

export const command: Command = {
  positionals: [{ name: 'TASK', summary: Object.keys(RUN).join(', ') }],
  options: [
    { name: 'domain', value: 'NAME', summary: Object.keys(DOMAINS).join(', ') },
    {
      name: 'out',
      value: 'FILE',
      access: 'writes',
      summary: 'pools, or questions that a model asks',
    },
    { name: 'dev', summary: 'pools of dev questions, to judge by' },
    {
      name: 'count',
      value: 'N',
      type: 'integer',
      min: 1,
      default: '1000',
      summary: 'questions at most',
    },
    {
      name: 'documents',
      value: 'FOLDER',
      access: 'read',
      summary: 'documents that train; the training corpus below MULTIHOP_CACHE if missing',
    },
    {
      name: 'asked',
      value: 'FILE',
      access: 'read',
      summary: 'questions that a model asked: only these make pools',
    },
    { name: 'model', value: 'NAME', summary: 'the language model that asks' },
    { name: 'model-url', value: 'URL', summary: 'its address' },
    {
      name: 'pools',
      value: 'FILE',
      access: 'read',
      repeatable: true,
      summary: 'pools to judge by',
    },
    {
      name: 'scores',
      value: 'LABEL=FOLDER',
      repeatable: true,
      summary: 'scores of rankers over them, those of the teacher first',
    },
  ],
  notes: [
    'lab/learning/ranker/README.md says how the tasks and the Python files follow one another.',
  ],
  examples: [
    {
      line: 'ranker pools --domain wikipedia --count 6000 --out wikipedia.jsonl',
      says: 'pools to learn from',
    },
    {
      line: 'ranker judge --pools dev/obliqa.jsonl --scores teacher=scores/teacher',
      says: 'BM25 and the teacher over dev questions',
    },
  ],
  run: runRanker,
};

async function runRanker(context: CommandContext): Promise<number> {
  const name = context.positionals[0]!;
  const task = RUN[name];
  if (!task)
    throw new InputError('unknown-task', `Unknown task "${name}"`, {
      expected: Object.keys(RUN).join(', '),
    });
  await task(context);
  return 0;
}

async function pools(context: CommandContext): Promise<void> {
  const { options, output } = context;
  const domain = domainNamed(needed(context, 'domain'));
  const out = needed(context, 'out');
  const count = options.integer('count', 1000);
  const folders = foldersOf(context);
  mkdirSync(dirname(out), { recursive: true });
  const asked = options.text('asked');
  const made = options.flag('dev')
    ? judgedPools(await domain.dev(folders), count)
    : trainingPools(await domain.train(folders), count, asked ? readAsked(asked) : undefined);
  const written = await writePools(out, made);
  output.line(`${written.pools} pools, ${written.pairs} pairs, ${written.texts} texts in ${out}`);
}

async function questions(context: CommandContext): Promise<void> {
  const { options, env, output, signal } = context;
  const out = needed(context, 'out');
  const { documents } = await domainNamed(needed(context, 'domain')).train(foldersOf(context));
  const [model, baseUrl] = [needed(context, 'model'), options.text('model-url')];
  // A model on a busy machine may take minutes for a reply.
  const opened = await openLanguageModel({ env, model, baseUrl, answerMs: 600_000 });
  context.listen();
  try {
    const candidates = await Candidates.of(documents);
    const count = options.integer('count', 1000);
    const how = { out, count, signal };
    const written = await askQuestions(candidates, opened.decorated!.model, how);
    output.line(`${written} questions in ${out}`);
  } finally {
    await opened.close();
  }
}

async function judge({ options, output }: CommandContext): Promise<void> {
  const folders = options.texts('scores').map(text => {
    const at = text.indexOf('=');
    return { label: text.slice(0, at), folder: text.slice(at + 1) };
  });
  const domains = options.texts('pools').map(path => judgedDomain(path, folders));
  for (const domain of domains) output.line(`${judgement(domain)}\n`);
  if (domains.length > 0) output.line(weightsOfRanks(domains));
}

function needed({ options, positionals }: CommandContext, name: string): string {
  const value = options.text(name);
  if (value !== undefined) return value;
  throw new InputError('missing-option', `"ranker ${positionals[0]}" needs --${name}`, {
    hint: 'See "npm run lab -- ranker --help".',
  });
}

function foldersOf({ options, env }: CommandContext): Folders {
  const cache = env['MULTIHOP_CACHE'] ?? '.cache';
  const documents = options.text('documents') ?? join(cache, 'documents-training', 'corpus');
  return { data: env['MULTIHOP_DATA'] ?? '', cache, documents };
}
