/**
 * Readers of documents and of benchmark data sets.
 *
 * @module multihop/formats
 */
import { checkNode } from '../platform/node-version.ts';

export { dataSets, readDataSet } from './data-sets.ts';
export { fileSource, memorySource, type Source } from './files/source.ts';
export { type ReadOptions, readDocuments } from './read-documents.ts';

checkNode();
