/** Types and JSON Schemas of documents, traces and errors. */
import type {
  Block,
  BlockKind,
  Document,
  Ingestible,
  IngestibleRecord,
} from '../../core/corpus/document.ts';
import type { About } from '../evidence-view.ts';
import type { Problem } from './problem.ts';
import {
  flag,
  list,
  number,
  object,
  optional,
  record,
  type Schema,
  some,
  text,
  whole,
} from './schema.ts';
import { ABOUT } from './schemas.ts';
import type { TraceSummary } from './trace-shelf.ts';

/** Documents in one request. */
const MOST_DOCUMENTS = 1000;

export interface ListedDocuments {
  readonly documents: readonly (Omit<About, 'documentId' | 'path'> &
    Pick<Document, 'id' | 'metadata'> & { readonly characters: number })[];
  readonly total: number;
  /** `after` of the next page; missing on the last. */
  readonly next?: string | undefined;
}

const METADATA: Schema<Document['metadata']> = {
  type: 'object',
  additionalProperties: { anyOf: [text(), number(), flag(), list(text())] },
};
const OUTLINE = list(
  record<Omit<Block, 'links' | 'anchors'>>({
    start: whole(),
    heading: list(text()),
    kind: optional(text() as Schema<BlockKind>),
    line: optional(whole()),
    page: optional(whole()),
  }),
);

/** Fields beyond these become metadata, as in a file of records. The id may stand in the path. */
export const DOCUMENT_INPUT: Schema<IngestibleRecord> = record<IngestibleRecord>({
  id: optional({ ...text('unique; made from the text if it is missing'), minLength: 1 }),
  title: optional(text()),
  text: { ...text(), minLength: 1 },
  metadata: optional(METADATA),
  outline: optional(OUTLINE),
});

const listed = <T>(items: Schema<T>): Schema<readonly T[]> => ({
  ...list(items),
  minItems: 1,
  maxItems: MOST_DOCUMENTS,
});

interface DocumentsInput {
  readonly documents: readonly Ingestible[];
}
export const DOCUMENTS_INPUT: Schema<DocumentsInput> = object<DocumentsInput>({
  documents: listed(DOCUMENT_INPUT),
});

interface RemoveInput {
  readonly ids: readonly string[];
}
export const REMOVE_INPUT: Schema<RemoveInput> = object<RemoveInput>({
  ids: listed({ ...text(), minLength: 1 }),
});

export const DOCUMENT: Schema = record({
  id: text(),
  title: text(),
  text: text(),
  metadata: METADATA,
  outline: optional(OUTLINE),
});

const { documentId: _, path: __, ...LISTED } = ABOUT;
export const DOCUMENTS_OUTPUT: Schema<ListedDocuments> = record<ListedDocuments>({
  documents: list(
    record<ListedDocuments['documents'][number]>({
      id: text(),
      ...LISTED,
      metadata: METADATA,
      characters: whole(),
    }),
  ),
  total: whole(),
  next: optional(text('after of the next page; missing on the last one')),
});

export const STORED_OUTPUT: Schema = record({
  read: optional(whole()),
  added: whole(),
  changed: whole(),
  unchanged: whole(),
  documents: whole('documents in the store'),
});

export const REMOVED_OUTPUT: Schema = record({ removed: whole() });

export const TRACES_OUTPUT: Schema = record({
  traces: list(
    record<TraceSummary>({
      id: text(),
      question: text(),
      strategy: text(),
      answer: some as Schema<TraceSummary['answer']>,
      hops: whole(),
      ms: number(),
      stopped: optional(some as Schema<NonNullable<TraceSummary['stopped']>>),
    }),
  ),
});

export const PROBLEM: Schema = record<Problem & { readonly error: unknown }>({
  type: text(),
  title: text(),
  status: whole(),
  detail: text(),
  code: text('see docs/error-codes.md'),
  hint: optional(text()),
  error: optional({ ...some, description: 'message, type and code, as clients of OpenAI read it' }),
});

const NAMES = list(text());
export const ABOUT_OUTPUT: Schema = record({
  version: text(),
  documents: whole(),
  strategies: NAMES,
  retrievers: NAMES,
  readers: NAMES,
  contexts: NAMES,
  defaults: some,
  readOnly: optional(flag()),
});
