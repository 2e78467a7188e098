/** Writes the manifest of an evaluation: enough to repeat it. */
import { readFileSync } from 'node:fs';
import { defined } from '../core/defined.ts';
import type { Manifest } from '../core/trace/trace.ts';
import type { DataSet } from '../evaluation/example.ts';
import type { SampleDescription } from '../evaluation/question-sample.ts';
import type { ClaimGenerator } from '../models/claim-generator.ts';
import { embedder } from '../models/ports.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Place } from '../search/place.ts';
import {
  type OpenedResource,
  openedOf,
  priceManifest,
  resourceManifest,
} from '../session/opened-resources.ts';
import type { DataFiles } from './find-data.ts';

export interface ManifestOptions {
  readonly dataSet: DataSet;
  readonly files: DataFiles;
  readonly version: string;
  readonly chunker: string;
  /**
   * The canonical name of what embedders read; stands in the manifest where there are embedders.
   */
  readonly template?: string;
  /** Each question searches an index over its own passages alone; one over all if missing. */
  readonly passages?: 'own' | undefined;
  /** Describes the sample, if the questions are one. */
  readonly sample?: SampleDescription;
  /** Resources of the rows, the engine's embedders included. */
  readonly resources?: readonly OpenedResource[];
  /** The file of recorded filters, by its content. */
  readonly filters?: { readonly sha256: string };
  /** The file of recorded sub-questions, by its content. */
  readonly subQuestions?: { readonly sha256: string };
  /** Id of the recogniser of the graph that the place keeps, if any. */
  readonly graph?: string | undefined;
  /** Generates the claims of engines in this process, or generated those that the place keeps. */
  readonly claims?: ClaimGenerator | undefined;
  /** Place that is asked; an engine in this process if missing. */
  readonly place?: Pick<Place, 'label' | 'buildsIndexes'>;
  readonly answerControls?: readonly { readonly name: string }[];
}

/** Contents by hash, versions and settings; no times, no paths. */
export function manifestOf(options: ManifestOptions): Manifest {
  const { dataSet, files, chunker, version, template, sample } = options;
  const { resources = [], answerControls = [], place, passages } = options;
  const digest = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : sha256(readFileSync(path));
  const hasEmbedder = openedOf(resources, embedder).length > 0;
  return defined({
    multihop: version,
    dataset: dataSet.name,
    corpus: files.corpusDigest ?? digest(files.corpus) ?? null,
    questions: digest(files.questions) ?? null,
    qrels: digest(files.qrels),
    documents: dataSet.documents.length,
    examples: dataSet.examples.length,
    sample,
    problems: dataSet.problems.length,
    engine: !place || place.buildsIndexes ? 'embedded' : place.label,
    chunker,
    passages,
    graph: options.graph,
    claims: options.claims?.id,
    ...resourceManifest(resources),
    template: hasEmbedder ? template : undefined,
    ...priceManifest(resources),
    filters: options.filters?.sha256,
    subQuestions: options.subQuestions?.sha256,
    answerControls: answerControls.length > 0 ? answerControls.map(({ name }) => name) : undefined,
  });
}

/** The part of it that the traces of single questions carry. */
export function traceManifest(manifest: Manifest): Manifest {
  const kept = [
    'multihop',
    'dataset',
    'corpus',
    'questions',
    'qrels',
    'chunker',
    'passages',
    'resources',
    'template',
    'model',
    'filters',
    'subQuestions',
  ];
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => kept.includes(key)));
}
