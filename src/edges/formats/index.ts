/** Files into documents, and benchmarks into graded questions. */
// Inside the room: corpus-queries.ts, csv.ts, data-set-file.ts, decode.ts, distractor-questions.ts,
// html-text.ts, html.ts, json-text.ts, json.ts, later.ts, lines.ts, markdown.ts, multihop-rag.ts,
// musique.ts, paragraph-pool.ts, plain-text.ts, record.ts, walk.ts
export { type DataSetFiles, type DataSetFormat, dataSets, readDataSet } from './data-sets.ts';
export { type FactSurvival, factSurvival } from './fact-survival.ts';
export { type DetectedFormat, type Format, fileDocument } from './format.ts';
export { formatNamed, formatOf, formats, HEAD_BYTES } from './formats.ts';
export {
  type LoadEvent,
  type ReadOptions,
  readDocuments,
  readSource,
  type SkippedEvent,
} from './read-documents.ts';
export {
  DEFAULT_LIMITS,
  fileError,
  fileSource,
  type Limits,
  memorySource,
  printBytes,
  type Source,
} from './source.ts';
