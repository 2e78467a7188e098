/** Chunkers, retrievers, contexts and readers keep the laws of their families, with default settings and others. */
import { contexts } from '../../src/context/contexts.ts';
import { chunkers } from '../../src/corpus/chunk.ts';
import { readers } from '../../src/reading/readers.ts';
import { retrievers } from '../../src/retrieval/retrievers.ts';
import { chunkerLaws } from '../../src/testing/chunker-laws.ts';
import { contextLaws } from '../../src/testing/context-laws.ts';
import { readerLaws } from '../../src/testing/reader-laws.ts';
import { retrieverLaws } from '../../src/testing/retriever-laws.ts';
import { runLaws } from './run-laws.ts';

const names = (family: { readonly members: readonly { readonly name: string }[] }, ...more: readonly string[]): string[] => [
  ...family.members.map(({ name }) => name),
  ...more,
];

for (const name of names(
  chunkers,
  'sentences(per=3)',
  'tokens(size=1, overlap=0)',
  'tokens(size=300, overlap=60)',
  'tokens(size=1000, overlap=200)',
))
  runLaws(name, chunkerLaws(chunkers.create(name)));
for (const name of names(
  retrievers,
  'lexical(s1)',
  'lexical(unit=passage)',
  'lexical(s1, unit=sentence)',
  'lexical(bm25(k1=0, b=1, stop=english))',
))
  runLaws(name, retrieverLaws(retrievers.create(name)));
for (const name of names(contexts, 'lead(words=1)', 'lead(words=13)', 'lead(words=100000)'))
  runLaws(name, contextLaws(contexts.create(name)));
for (const name of names(readers)) runLaws(name, readerLaws(readers.create(name)));
