/** Writes the manifest of an evaluation: enough to repeat it. */
import { readFileSync } from 'node:fs';
import type { DataSet } from '../../evaluation/example.ts';
import type { SampleDescription } from '../../evaluation/question-sample.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { Manifest } from '../../trace/trace.ts';
import { sha256 } from '../sha256.ts';
import type { DataFiles } from './find-data.ts';

/** A model under the name by which the rows call it, and what it is behind that. */
export interface NamedModel<M> {
  readonly model: M;
  readonly identity: string;
}

export interface ManifestOptions {
  readonly dataSet: DataSet;
  readonly files: DataFiles;
  readonly version: string;
  readonly chunker: string;
  /**
   * The canonical name of what embedders read; stands in the manifest where there are embedders.
   */
  readonly template?: string;
  /** Describes the sample, if the questions are one. */
  readonly sample?: SampleDescription;
  readonly embedders?: readonly NamedModel<{ readonly id: string }>[];
  readonly rerankers?: readonly NamedModel<{ readonly id: string }>[];
  readonly queryUpdaters?: readonly NamedModel<{ readonly id: string }>[];
  readonly tokenClassifiers?: readonly NamedModel<{ readonly id: string }>[];
  readonly model?: LanguageModel;
  /** The file of recorded filters, by its content. */
  readonly filters?: { readonly sha256: string };
  /** The file of recorded sub-questions, by its content. */
  readonly subQuestions?: { readonly sha256: string };
  readonly controls: boolean;
}

/** Contents by hash, versions and settings; no times, no paths. */
export function manifestOf(options: ManifestOptions): Manifest {
  const {
    dataSet,
    files,
    chunker,
    version,
    controls,
    template,
    sample,
    embedders = [],
    rerankers = [],
    queryUpdaters = [],
    tokenClassifiers = [],
  } = options;
  const identities = (
    models: readonly NamedModel<{ readonly id: string }>[],
  ): Record<string, string> =>
    Object.fromEntries(models.map(({ model, identity }) => [model.id, identity]));
  const digest = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : sha256(readFileSync(path));
  return {
    multihop: version,
    dataset: dataSet.name,
    corpus: digest(files.corpus) ?? null,
    questions: digest(files.questions) ?? null,
    ...(files.qrels === undefined ? {} : { qrels: digest(files.qrels) }),
    documents: dataSet.documents.length,
    examples: dataSet.examples.length,
    ...(sample ? { sample } : {}),
    problems: dataSet.problems.length,
    engine: 'embedded',
    chunker,
    ...(embedders.length > 0
      ? { embedders: identities(embedders), ...(template === undefined ? {} : { template }) }
      : {}),
    ...(rerankers.length > 0 ? { rerankers: identities(rerankers) } : {}),
    ...(queryUpdaters.length > 0 ? { queryUpdaters: identities(queryUpdaters) } : {}),
    ...(tokenClassifiers.length > 0 ? { tokenClassifiers: identities(tokenClassifiers) } : {}),
    ...modelManifest(options.model),
    ...(options.filters ? { filters: options.filters.sha256 } : {}),
    ...(options.subQuestions ? { subQuestions: options.subQuestions.sha256 } : {}),
    controls,
  };
}

/** A recording and its replay have one: it does not say where completions came from. */
export function modelManifest(model: LanguageModel | undefined): Manifest {
  return model ? { model: { id: model.id, ...(model.price ? { price: model.price } : {}) } } : {};
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
    'embedders',
    'template',
    'rerankers',
    'queryUpdaters',
    'tokenClassifiers',
    'model',
    'filters',
    'subQuestions',
  ];
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => kept.includes(key)));
}
