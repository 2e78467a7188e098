/** JSON Schemas of documents, traces and errors. */
import { list, object, record, type Schema } from './schemas.ts';

/** Documents in one request. */
export const MOST_DOCUMENTS = 1000;

const METADATA: Schema = {
  type: 'object',
  additionalProperties: {
    anyOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { type: 'string' } },
    ],
  },
};
const OUTLINE: Schema = list(
  record(
    {
      start: { type: 'integer', minimum: 0 },
      heading: list({ type: 'string' }),
      kind: { type: 'string' },
      line: { type: 'integer' },
      page: { type: 'integer' },
    },
    ['start', 'heading'],
  ),
);

/** Fields beyond these become metadata, as in a file of records. */
const GIVEN_DOCUMENT: Schema = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      minLength: 1,
      description: 'unique; made from the text if it is missing',
    },
    title: { type: 'string' },
    text: { type: 'string', minLength: 1 },
    metadata: METADATA,
    outline: OUTLINE,
  },
  required: ['text'],
};

export const DOCUMENTS_INPUT: Schema = object(
  { documents: { ...list(GIVEN_DOCUMENT), minItems: 1, maxItems: MOST_DOCUMENTS } },
  ['documents'],
);

/** One document whose id stands in the path. */
export const DOCUMENT_INPUT: Schema = GIVEN_DOCUMENT;

export const REMOVE_INPUT: Schema = object(
  {
    ids: { ...list({ type: 'string', minLength: 1 }), minItems: 1, maxItems: MOST_DOCUMENTS },
  },
  ['ids'],
);

export const DOCUMENT: Schema = record(
  {
    id: { type: 'string' },
    title: { type: 'string' },
    text: { type: 'string' },
    metadata: METADATA,
    outline: OUTLINE,
  },
  ['id', 'title', 'text', 'metadata'],
);

export const DOCUMENTS_OUTPUT: Schema = record(
  {
    documents: list(
      record(
        {
          id: { type: 'string' },
          title: { type: 'string' },
          source: { type: 'string' },
          date: { type: 'string' },
          url: { type: 'string' },
          metadata: METADATA,
          characters: { type: 'integer' },
        },
        ['id', 'title', 'metadata', 'characters'],
      ),
    ),
    total: { type: 'integer' },
    next: { type: 'string', description: 'after of the next page; missing on the last one' },
  },
  ['documents', 'total'],
);

export const STORED_OUTPUT: Schema = record(
  {
    read: { type: 'integer' },
    added: { type: 'integer' },
    changed: { type: 'integer' },
    unchanged: { type: 'integer' },
    documents: { type: 'integer', description: 'documents in the store' },
  },
  ['added', 'changed', 'unchanged', 'documents'],
);

export const REMOVED_OUTPUT: Schema = record({ removed: { type: 'integer' } }, ['removed']);

export const TRACES_OUTPUT: Schema = record(
  {
    traces: list(
      record(
        {
          id: { type: 'string' },
          question: { type: 'string' },
          strategy: { type: 'string' },
          answer: { type: 'object' },
          hops: { type: 'integer' },
          ms: { type: 'number' },
          stopped: { type: 'object' },
        },
        ['id', 'question', 'strategy', 'answer', 'hops', 'ms'],
      ),
    ),
  },
  ['traces'],
);

export const PROBLEM: Schema = record(
  {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'see docs/error-codes.md' },
    hint: { type: 'string' },
  },
  ['type', 'title', 'status', 'detail', 'code'],
);

export const ABOUT_OUTPUT: Schema = record(
  {
    version: { type: 'string' },
    documents: { type: 'integer' },
    strategies: list({ type: 'string' }),
    retrievers: list({ type: 'string' }),
    readers: list({ type: 'string' }),
    contexts: list({ type: 'string' }),
    defaults: { type: 'object' },
    readOnly: { type: 'boolean' },
  },
  ['version', 'documents', 'strategies', 'retrievers', 'readers', 'contexts', 'defaults'],
);
