/** Lists the benchmarks: the file of each, and what it measures beside the imports of that file. */

export interface ListedTask {
  /** A file of this folder, and the task that it exports. */
  readonly file: string;
  readonly task: string;
  /** Sources that the benchmark starts as processes, or that its build is made of. */
  readonly starts?: readonly string[];
  /** False if it reads no data set. */
  readonly needsData?: false;
}

const COMMAND = ['src/cli/main.ts'];
const WRITER = ['bench/engine-changes/writer.ts'];
const ENGINES = ['bench/engine-load/child.ts'];
const SIZED = ['bench/store-size/child.ts'];

export const TASKS: Readonly<Record<string, ListedTask>> = {
  'lexical-6k': { file: 'lexical-query.ts', task: 'lexical6k' },
  'lexical-100k': { file: 'lexical-query.ts', task: 'lexical100k' },
  build: { file: 'lexical-build.ts', task: 'build6k' },
  'build-100k': { file: 'lexical-build.ts', task: 'build100k' },
  load: { file: 'lexical-load.ts', task: 'load' },
  'ingest-growth': { file: 'ingest-growth.ts', task: 'ingestGrowth' },
  memory: { file: 'lexical-memory.ts', task: 'memory' },
  'vector-6k': { file: 'vector-query.ts', task: 'vector6k' },
  'vector-57k': { file: 'vector-query.ts', task: 'vector57k' },
  'vector-real': { file: 'vector-real.ts', task: 'vectorReal' },
  'hybrid-hop': { file: 'hybrid-hop.ts', task: 'hybridHop' },
  'fact-lanes': { file: 'fact-lanes.ts', task: 'factLanes' },
  'question-length': { file: 'question-length.ts', task: 'questionLength' },
  'trace-bytes': { file: 'trace-bytes.ts', task: 'traceBytes' },
  'score-spans': { file: 'score-spans.ts', task: 'scoreSpans', needsData: false },
  'ask-memory': { file: 'ask-memory.ts', task: 'askMemory' },
  'tree-hop': { file: 'tree-hop.ts', task: 'treeHop' },
  'tree-hop-384': { file: 'tree-hop-questions.ts', task: 'treeHop384' },
  'tree-hop-1024': { file: 'tree-hop-questions.ts', task: 'treeHop1024' },
  'tree-hop-epoch': { file: 'tree-hop-epoch.ts', task: 'treeHopEpoch' },
  ranker: { file: 'ranker.ts', task: 'ranker', needsData: false },
  graph: { file: 'graph.ts', task: 'graph' },
  'catalogue-growth': { file: 'catalogue-growth.ts', task: 'catalogueGrowth' },
  growth: { file: 'parser-growth.ts', task: 'parserGrowth', needsData: false },
  'engines-load-20k': { file: 'engine-load.ts', task: 'enginesLoad20k', starts: ENGINES },
  'engines-load-100k': { file: 'engine-load.ts', task: 'enginesLoad100k', starts: ENGINES },
  'engines-load': { file: 'engine-load.ts', task: 'enginesLoad', starts: ENGINES },
  'store-200k': { file: 'store-size.ts', task: 'store200k', starts: SIZED },
  'store-1m': { file: 'store-size.ts', task: 'store1m', starts: SIZED },
  'engines-changes': { file: 'engine-changes.ts', task: 'engineChanges', starts: WRITER },
  'engines-drift': { file: 'engine-changes.ts', task: 'engineDrift' },
  import: {
    file: 'cold-import.ts',
    task: 'coldImport',
    needsData: false,
    starts: ['src/index.ts', 'tsdown.config.ts'],
  },
  'ingest-documents': {
    file: 'whole-commands.ts',
    task: 'ingestDocuments',
    needsData: false,
    starts: COMMAND,
  },
  'ingest-cores': {
    file: 'whole-commands.ts',
    task: 'ingestCores',
    needsData: false,
    starts: COMMAND,
  },
  'ask-documents': {
    file: 'whole-commands.ts',
    task: 'askDocuments',
    needsData: false,
    starts: COMMAND,
  },
  'cold-ask': { file: 'cold-ask.ts', task: 'coldAsk', starts: COMMAND },
  capacity: { file: 'capacity.ts', task: 'capacity', starts: COMMAND },
  server: { file: 'server.ts', task: 'server', starts: COMMAND },
  soak: { file: 'soak.ts', task: 'soak', starts: COMMAND },
};
