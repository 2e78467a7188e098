/** Lists the commands of the lab. */
import type { Program } from '../src/cli/command.ts';

export const LAB: Program = {
  name: 'npm run lab --',
  about: 'training of the weights that ship, and judges of the readers of files',
  first: ['npm run lab -- learn --help'],
  commands: [
    {
      name: 'learn',
      summary: 'fit weights by cross-validation',
      load: () => import('./commands/learn.ts'),
    },
    {
      name: 'tree-hop',
      summary: 'train TreeHop for an embedder',
      load: () => import('./commands/tree-hop.ts'),
    },
    {
      name: 'efficient-rag',
      summary: 'train the small token classifiers of the strategy efficient-rag',
      load: () => import('./commands/efficient-rag.ts'),
    },
    {
      name: 'ranker',
      summary: 'pools to distil a small ranker from, and its judge',
      load: () => import('./commands/ranker.ts'),
    },
    {
      name: 'languages',
      summary: 'measure the same questions over the same pages in eleven languages',
      load: () => import('./commands/languages.ts'),
    },
    {
      name: 'expected-pages',
      summary: 'judge the reader of HTML by pages whose main text is stated beside them',
      load: () => import('./commands/expected-pages.ts'),
    },
    {
      name: 'words-kept',
      summary: 'words of files that other readers find and our documents do not hold',
      load: () => import('./commands/words-kept.ts'),
    },
    {
      name: 'pdf-readers',
      summary: 'compare readers of PDF with pdftotext: words, rows of tables, time, memory',
      load: () => import('./commands/pdf-readers.ts'),
    },
    {
      name: 'models',
      summary: 'compare readers with and without a language model over frozen evidence',
      load: () => import('./commands/models.ts'),
    },
    {
      name: 'letters-per-word',
      summary: 'letters of each script that say as much as an English word',
      load: () => import('./commands/letters-per-word.ts'),
    },
  ],
};
