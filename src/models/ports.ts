/**
 * Declares the ports of this package: how each resource is named, given, reserved, guarded and
 * validated. A new port is one entry here; members name it in their needs.
 */

import { defined } from '../core/defined.ts';
import type { Metering, ResourcePort } from '../core/port.ts';
import type { ModelOutput } from '../core/trace/trace.ts';
import { checkedCompletion, decorated } from './checked-completion.ts';
import { CHUNK_TAGS, type TokenClassifiers } from './efficient-rag/token-classifiers.ts';
import type { Embedder } from './embedder.ts';
import { embedChecked } from './embedder.ts';
import { checkedEntities, type EntityRecogniser } from './entity-recogniser.ts';
import { checkNumbers, invalidOutput } from './invalid-output.ts';
import type { Completion, LanguageModel } from './language-model.ts';
import { replyTokensOf, tokensOf } from './prompt-tokens.ts';
import type { QueryUpdater } from './query-updater.ts';
import type { QuestionAnswerer } from './question-answerer.ts';
import { checkSpans } from './question-answerer.ts';
import type { Reranker } from './reranker.ts';
import { checkScores } from './reranker.ts';
import { usageOf } from './reserved-model.ts';
import { shorteningModel } from './shorter-prompt.ts';
import { streamedModel } from './streamed-model.ts';

/** Reserves a call by the tokens of its prompt (`tokensOf`) and of its reply, settles its use. */
export const languageModel: ResourcePort<LanguageModel> = {
  name: 'model',
  noun: 'language model',
  hint: () => 'Give resources: { model } to ask(), or model to openStore().',
  meter(model, metering) {
    const shortening = shorteningModel(model, () => metering.output(SHORTER));
    const metered = meteredModel(shortening, metering);
    return metering.onText ? streamedModel(metered, metering.onText) : metered;
  },
};

/** Says in the trace that a prompt was shortened. */
const SHORTER: ModelOutput = {
  role: 'degraded',
  text: 'The context of the language model had no room for a prompt: fewer or shorter passages were shown',
  parsed: true,
};

function meteredModel(model: LanguageModel, metering: Metering): LanguageModel {
  const { price } = model;
  return decorated(model, async (prompt, _call, onText) => {
    // Drops pieces from a model that ignores its signal and writes on after its call has ended.
    let active = true;
    const forward = onText && ((piece: string) => (active ? onText(piece) : undefined));
    try {
      const completion = await metering.call(
        {
          role: prompt.role,
          atMost: usageOf(
            { input: tokensOf(model, prompt), output: replyTokensOf(model, prompt) },
            price,
          ),
          used: ({ usage }) => usageOf(usage, price),
          check: (received: Completion) => checkedCompletion(model, prompt, received),
        },
        // Hides `begin`: the call is reserved once, above.
        call => model.generate(prompt, { ...call, begin: () => () => {} }, forward),
      );
      const { text, cut } = completion;
      metering.output(defined({ role: prompt.role, text, parsed: true, cut }));
      return completion;
    } finally {
      active = false;
    }
  });
}

/** Reserves the pairs of query and text before they are scored; makes no call for no texts. */
export const reranker: ResourcePort<Reranker> = {
  name: 'reranker',
  noun: 'reranker',
  hint: id =>
    `Name a reranker of a provider, or give resources: { reranker } with the id "${id}" to ask().`,
  meter: (reranker, metering) => ({
    id: reranker.id,
    async score(query, texts) {
      metering.signal.throwIfAborted();
      if (texts.length === 0) return new Float32Array(0);
      const check = (scores: Float32Array): Float32Array => {
        checkScores(reranker, scores, texts.length);
        return scores;
      };
      return metering.call(
        { role: 'score', atMost: { rerankedPairs: texts.length }, check },
        call => reranker.score(query, texts, call),
      );
    },
  }),
};

/** Checks that spans stand in the text that was read. */
export const questionAnswerer: ResourcePort<QuestionAnswerer> = {
  name: 'question-answerer',
  noun: 'question answerer',
  hint: id =>
    `Name an extractive question answering model of a provider, or give resources: { 'question-answerer': model } with the id "${id}" to ask().`,
  meter: (answerer, metering) => ({
    id: answerer.id,
    answer: (question, text) =>
      metering.call(
        {
          role: 'answer',
          check(found) {
            checkSpans(answerer, found, text);
            return found;
          },
        },
        call => answerer.answer(question, text, call),
      ),
  }),
};

/** Checks that each vector is finite and of the updater's dimensions, one for each query. */
export const queryUpdater: ResourcePort<QueryUpdater> = {
  name: 'query-updater',
  noun: 'query updater',
  hint: id =>
    `Give resources: { 'query-updater': updater } with the id "${id}" to ask(); treeHopUpdater makes one of a checkpoint.`,
  space: ({ space }) => space,
  meter: meteredUpdater,
};

function meteredUpdater(updater: QueryUpdater, metering: Metering): QueryUpdater {
  const { id, space, dimensions } = updater;
  const { publishedQuery } = updater;
  return {
    id,
    space,
    dimensions,
    update: (queries, passages) =>
      metering.call(
        { role: 'update', check: next => checkedQueries(updater, next, queries.length) },
        call => updater.update(queries, passages, call),
      ),
    publishedQuery:
      publishedQuery &&
      (text =>
        metering.call(
          { role: 'query', check: query => checkedQueries(updater, [query], 1)[0]! },
          call => updater.publishedQuery!(text, call),
        )),
    ablated(variant) {
      const ablated = updater.ablated?.(variant);
      return ablated && meteredUpdater(ablated, metering);
    },
  };
}

function checkedQueries(
  { id, dimensions }: QueryUpdater,
  vectors: Float32Array[],
  count: number,
): Float32Array[] {
  const message = `The query updater "${id}" returned invalid vectors`;
  checkNumbers(vectors, count, dimensions, invalidOutput('query-updater', message));
  return vectors;
}

/** Checks that each chunk has a label of a known tag, and that texts are texts. */
export const tokenClassifiers: ResourcePort<TokenClassifiers> = {
  name: 'token-classifiers',
  noun: 'token classifiers',
  hint: id => `Give resources: { 'token-classifiers': classifiers } with the id "${id}" to ask().`,
  meter({ id, labeler, filter }, metering) {
    const message = `The token classifiers "${id}" returned an invalid result`;
    const fail = invalidOutput('token-classifiers', message);
    return {
      id,
      labeler: {
        label: (query, chunks) =>
          metering.call(
            {
              port: 'labeler',
              role: 'label',
              check(labels) {
                if (labels.length !== chunks.length)
                  throw fail('wrong-count', `${chunks.length} labels`, String(labels.length));
                for (const { tag, info } of labels) {
                  if (!CHUNK_TAGS.includes(tag))
                    throw fail('unknown-tag', `one of ${CHUNK_TAGS.join(', ')}`, String(tag));
                  if (typeof info !== 'string')
                    throw fail('no-text', 'a text as info', typeof info);
                }
                return labels;
              },
            },
            call => labeler.label(query, chunks, call),
          ),
      },
      filter: {
        compose: (query, infos) =>
          metering.call(
            {
              port: 'query-filter',
              role: 'compose',
              check(next) {
                if (typeof next === 'string') return next;
                throw fail('no-text', 'a text as the next query', typeof next);
              },
            },
            call => filter.compose(query, infos, call),
          ),
      },
    };
  },
};

/** Belongs to the search engine, which embeds queries and items itself. */
export const embedder: ResourcePort<Embedder> = {
  name: 'embedder',
  noun: 'embedder',
  heldBy: 'engine',
  hint: id => `Give the embedder "${id}" to the engine, or embedders: ["${id}"] to openStore().`,
  meter: (embedder, metering) => ({
    id: embedder.id,
    dimensions: embedder.dimensions,
    embed: (texts, as) =>
      metering.call({ role: as, check: vectors => vectors }, call =>
        embedChecked(embedder, texts, as, call),
      ),
  }),
};

/** Reads questions; documents are read by the engine, which is given its own. */
export const entityRecogniser: ResourcePort<EntityRecogniser> = {
  name: 'entity-recogniser',
  noun: 'entity recogniser',
  hint: id =>
    `Give resources: { 'entity-recogniser': recogniser } with the id "${id}" to ask(); "names" goes by spelling.`,
  shippedIds: ['names'],
  shipped: async () => (await import('./name-recogniser.ts')).nameRecogniser,
  meter: (recogniser, metering) => ({
    id: recogniser.id,
    recognise: documents =>
      metering.call(
        { role: 'recognise', check: found => checkedEntities(recogniser, documents, found) },
        call => recogniser.recognise(documents, call),
      ),
  }),
};

/** The ports of this package by name. Members of third parties may declare others. */
export const ports: {
  readonly languageModel: ResourcePort<LanguageModel>;
  readonly reranker: ResourcePort<Reranker>;
  readonly questionAnswerer: ResourcePort<QuestionAnswerer>;
  readonly queryUpdater: ResourcePort<QueryUpdater>;
  readonly tokenClassifiers: ResourcePort<TokenClassifiers>;
  readonly embedder: ResourcePort<Embedder>;
  readonly entityRecogniser: ResourcePort<EntityRecogniser>;
} = {
  languageModel,
  reranker,
  questionAnswerer,
  queryUpdater,
  tokenClassifiers,
  embedder,
  entityRecogniser,
};
