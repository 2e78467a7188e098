/** `/v1/documents`: lists, reads, stores and deletes documents. */
import type { Ingestible } from '../../core/corpus/document.ts';
import {
  DOCUMENT,
  DOCUMENT_INPUT,
  DOCUMENTS_INPUT,
  DOCUMENTS_OUTPUT,
  REMOVE_INPUT,
  REMOVED_OUTPUT,
  STORED_OUTPUT,
} from '../../session/requests/document-schemas.ts';
import type { Schema } from '../../session/requests/schema.ts';
import { PAGE_INPUT } from '../../session/requests/schemas.ts';
import { type Answered, json, type Route, type RouteCall, route } from '../route.ts';

const answers = (schema: Schema, description: string): Answered[] => [
  { type: 'application/json', schema, description },
];

const stored = async (
  { store, signal }: RouteCall,
  documents: readonly Ingestible[],
): Promise<Response> => json(await store.put(documents, signal));

export const documentRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/documents',
    id: 'listDocuments',
    summary: 'Lists documents, ascending by id, without their texts',
    access: 'token',
    query: PAGE_INPUT,
    answers: answers(DOCUMENTS_OUTPUT, 'one page'),
    answer: async ({ store, input, signal }) => json(await store.documents(input, signal)),
  }),
  route({
    method: 'POST',
    path: '/v1/documents',
    id: 'putDocuments',
    summary:
      'Stores documents: adds new ones, replaces those of a known id with another text; answers once they are on the disk and have their vectors',
    access: 'token',
    works: true,
    body: DOCUMENTS_INPUT,
    bodyOf: 'document',
    answers: answers(STORED_OUTPUT, 'what was stored'),
    answer: call => stored(call, call.input.documents),
  }),
  route({
    method: 'DELETE',
    path: '/v1/documents',
    id: 'removeDocuments',
    summary: 'Deletes documents, all or none',
    access: 'token',
    works: true,
    body: REMOVE_INPUT,
    answers: answers(REMOVED_OUTPUT, 'the number of deleted documents'),
    answer: async ({ store, input, signal }) =>
      json({ removed: await store.remove(input.ids, signal) }),
  }),
  route({
    method: 'GET',
    path: '/v1/documents/{id}',
    id: 'readDocument',
    summary: 'Reads a document with its text and outline',
    access: 'token',
    answers: answers(DOCUMENT, 'the document'),
    answer: async ({ store, params }) => json(await store.document(params['id']!)),
  }),
  route({
    method: 'PUT',
    path: '/v1/documents/{id}',
    id: 'putDocument',
    summary: 'Stores one document under the id in the path',
    access: 'token',
    works: true,
    body: DOCUMENT_INPUT,
    bodyOf: 'document',
    answers: answers(STORED_OUTPUT, 'what was stored'),
    answer: call => stored(call, [{ ...call.input, id: call.params['id']! }]),
  }),
  route({
    method: 'DELETE',
    path: '/v1/documents/{id}',
    id: 'removeDocument',
    summary: 'Deletes a document',
    access: 'token',
    works: true,
    answers: answers(REMOVED_OUTPUT, 'the number of deleted documents'),
    answer: async ({ store, params, signal }) =>
      json({ removed: await store.remove([params['id']!], signal) }),
  }),
];
