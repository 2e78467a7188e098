/**
 * Lists all commands. A new command is one file in `commands/` that exports `command`, and one line
 * here; it is loaded when it is called.
 */
import type { CommandEntry, Program } from './command.ts';

export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'look at a folder of documents, and write settings that fit it',
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'ingest',
    summary: 'read documents into a store',
    load: () => import('./commands/ingest.ts'),
  },
  { name: 'search', summary: 'search a store once', load: () => import('./commands/search.ts') },
  {
    name: 'ask',
    summary: 'answer a question from a store, with its evidence',
    load: () => import('./commands/ask.ts'),
  },
  {
    name: 'chat',
    summary: 'ask a store one question after another',
    load: () => import('./commands/chat.ts'),
  },
  {
    name: 'serve',
    summary: 'serve a store over HTTP',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'mcp',
    summary: 'let an assistant search a store, by the Model Context Protocol',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'models',
    summary: 'list the models on this machine, and try one',
    load: () => import('./commands/models.ts'),
  },
  {
    name: 'documents',
    summary: 'list the documents of a store, and what was skipped',
    load: () => import('./commands/documents.ts'),
  },
  {
    name: 'remove',
    summary: 'delete documents from a store',
    load: () => import('./commands/remove.ts'),
  },
  {
    name: 'copy',
    summary: 'copy documents and vectors between stores and servers',
    load: () => import('./commands/copy.ts'),
  },
  {
    name: 'verify',
    summary: 'check every file of a store',
    load: () => import('./commands/verify.ts'),
  },
  {
    name: 'verify-trace',
    summary: 'check that a trace was not changed',
    load: () => import('./commands/verify-trace.ts'),
  },
  {
    name: 'inspect',
    summary: 'write a page that shows the hops, evidence and answer of a trace',
    load: () => import('./commands/inspect.ts'),
  },
  {
    name: 'eval',
    summary: 'score strategies on a benchmark, side by side',
    load: () => import('./commands/eval.ts'),
  },
  {
    name: 'score',
    summary: 'score recorded runs of other agents, and say which hop lost which evidence',
    load: () => import('./commands/score.ts'),
  },
  {
    name: 'report',
    summary: 'print the results of an evaluation as text, Markdown or HTML',
    load: () => import('./commands/report.ts'),
  },
  {
    name: 'replay',
    summary: 'verify recorded traces and score them again without searching',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'dataset',
    summary: 'describe a benchmark data set, and count the facts that each chunker does not cut',
    load: () => import('./commands/dataset.ts'),
  },
  {
    name: 'learn',
    summary: 'fit the support threshold to graded questions by cross-validation',
    load: () => import('./commands/learn.ts'),
  },
  {
    name: 'treehop',
    summary: 'read and write published checkpoints of TreeHop',
    load: () => import('./commands/treehop.ts'),
  },
  {
    name: 'list',
    summary: 'list strategies, retrievers, readers, measures, ...',
    load: () => import('./commands/list.ts'),
  },
  {
    name: 'completion',
    summary: 'print the script that completes commands, options and names in a shell',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'demo',
    summary: 'answer a three-hop question over a small corpus',
    load: () => import('./commands/demo.ts'),
  },
];

export const MULTIHOP: Program = {
  name: 'multihop',
  about: 'questions whose evidence is spread over several documents',
  first: [
    'multihop demo',
    'multihop ingest notes/ --store notes.store',
    'multihop ask "Who founded the company that ...?" --store notes.store',
  ],
  commands,
};
