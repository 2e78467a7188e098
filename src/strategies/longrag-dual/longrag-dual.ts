/**
 * `longrag-dual`: filters chunks by a chain of thought, extracts information from their documents,
 * and answers from both. Paper: Zhao et al., LongRAG, EMNLP 2024 (arXiv 2410.18050), which ChainRAG
 * measures as LongRAG; docs/papers/longrag.md says what follows it. Model calls: k + 3. Without a
 * model, rules filter and extract. Stops after one search; the second hop chooses again among its
 * chunks, so an interrupted run keeps the chunks.
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Ranking } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, Hop, ModelOutput, Question, Search } from '../../core/trace/trace.ts';
import { degraded, ModelInUse } from '../../planning/model-in-use.ts';
import { type Paragraph, paragraphUnit, readParagraphs } from '../../planning/paragraphs.ts';
import { answerFromPassages } from '../../planning/passages-answer.ts';
import { keptFrom, searchAll } from '../../search/retriever.ts';
import { HopDraft } from '../hop-draft.ts';
import { QuestionRun } from '../question-run.ts';
import { rerankedHits } from '../reranked-hits.ts';
import {
  evidenceFirst,
  FIRST_SEARCH,
  type Kit,
  type OpenHop,
  rankingOfFirstSearch,
  SEARCH_DEPTH,
  type Strategy,
} from '../strategy.ts';
import { completed, modelNeed, rerankerNeed } from '../usual-settings.ts';
import { type Branches, extractBranch, filterBranch, fitsPrompt } from './branches.ts';
import {
  dualCalls,
  extracts,
  filters,
  LONGRAG_DUAL_PARAMETERS,
  type LongragDualSettings,
} from './settings.ts';
import { documentViews, type View, viewsOf } from './view.ts';

/** Reason of a chunk that leaves the evidence and returns with spans of its own. */
const READ_AGAIN = 'read-again';

/** Words of a whole document in the last prompt; its tokens bound it besides. */
const LONGEST_DOCUMENT = 100_000;

export const longragDual: Member<Strategy> = member({
  name: 'longrag-dual',
  summary:
    'Filters chunks by a chain of thought, extracts information from their whole documents, and answers from both',
  paper: 'Zhao et al., LongRAG, EMNLP 2024, as ChainRAG measures it',
  cost: 'one search and k + 3 model calls; without a model no call; one pair a candidate with a reranker',
  parameters: completed(LONGRAG_DUAL_PARAMETERS),
  create(settings, name) {
    const needs = [modelNeed(settings.thoughts), rerankerNeed(settings.reranker)];
    return {
      name,
      needs: needs.filter(need => need !== undefined),
      get modelCalls() {
        return dualCalls(settings);
      },
      hops: (question, kit, call) => new Run(question, kit, call, settings).hops(),
      ranking: hops => evidenceFirst(hops, [...droppedIn(hops), ...rankingOfFirstSearch(hops)]),
    };
  },
});

/** Returns the documents of the chunks that the second hop dropped, in order. */
function droppedIn(hops: readonly Hop[]): string[] {
  const documents = new Map(
    (hops[0]?.searches[0]?.hits ?? []).map(({ id, documentId }) => [id, documentId]),
  );
  return (hops[1]?.rejected ?? []).flatMap(({ id }) => documents.get(id) ?? []);
}

/** Runs the strategy on one question. */
class Run extends QuestionRun<LongragDualSettings> {
  /** Undefined if rules take its place. */
  private readonly model: ModelInUse | undefined;

  constructor(question: Question, kit: Kit, call: Call, settings: LongragDualSettings) {
    super(question, kit, call, settings);
    const model = kit.resource(modelNeed(settings.thoughts));
    this.model = model && new ModelInUse(model);
  }

  async *hops(): AsyncGenerator<OpenHop, End, void> {
    const { kit, call, settings, model } = this;
    const depth = Math.max(settings.candidates, settings.k, SEARCH_DEPTH);
    const unit = paragraphUnit(kit.retriever);
    const searches = await searchAll(kit.retriever, [this.question], depth, call, { unit });
    const search = searches[0]!;
    const best = await this.reranked(search);
    const hop = new HopDraft(this.selection, 0, searches);
    const whole = best.map(({ start, end }): View['spans'] => [[start, end]]);
    await this.keep(hop, search, best, whole);
    const opening = this.missing();
    if (best.length === 0 || settings.mode !== 'base') {
      yield hop.closed({ outputs: opening });
      return best.length === 0 ? { why: 'completed' } : yield* this.read(search, best);
    }
    const chunks = await readParagraphs(best, kit.engine, call);
    const { outputs, end } = await this.answered(chunks.filter(({ id }) => this.selection.has(id)));
    yield hop.closed({ outputs: [...opening, ...outputs] });
    model?.end();
    return end;
  }

  /** Runs the second hop: both branches, the choice, and the answer. */
  private async *read(search: Search, best: Ranking): AsyncGenerator<OpenHop, End, void> {
    const { kit, call, settings, model } = this;
    const chunks = await readParagraphs(best, kit.engine, call);
    const scores = best.map(({ score }) => score);
    const outputs: ModelOutput[] = [];
    const material: Branches = {
      question: this.question.text,
      chunks,
      scores,
      settings,
      model,
      call,
    };
    const kept = filters(settings) ? await filterBranch(material, outputs) : chunks.map(() => true);
    const whole =
      extracts(settings) || settings.mode === 'long' ? await this.wholeOf(chunks) : new Map();
    const extracted = extracts(settings)
      ? await extractBranch(material, whole, outputs)
      : { sentences: [] };
    const views =
      settings.mode === 'long'
        ? documentViews(chunks, whole)
        : viewsOf(chunks, kept, extracted.sentences);
    const before = this.selection.all.map(({ id }) => id);
    this.selection.withdrawAll();
    // Chunks are hits of the search of the first hop.
    const hop = new HopDraft(this.selection, 0);
    for (const { spans, chunk } of views)
      if (spans.length === 0) hop.refuse(chunk.id, { why: 'filtered' });
    const spans = views.map(view => view.spans);
    await this.keep(hop, search, best, spans);
    const gone = new Set(hop.rejected.map(({ id }) => id));
    const pieces = await this.piecesOf(views);
    const shown = chunks.filter(({ id }, at) => kept[at] && this.selection.has(id));
    const answered = await this.answered(
      settings.mode === 'long' ? pieces : shown,
      pieces,
      extracted.info,
    );
    yield hop.closed({
      reason: settings.mode,
      withdrawn: before.map(id => ({ id, why: gone.has(id) ? 'filtered' : READ_AGAIN })),
      outputs: [...outputs, ...answered.outputs],
    });
    model?.end();
    return answered.end;
  }

  /** Notes what this run lacks. */
  private missing(): ModelOutput[] {
    const { settings, model } = this;
    const lost = [
      ...(model || !filters(settings) ? [] : ['chunks are filtered by words and scores']),
      ...(model || !extracts(settings) ? [] : ['sentences are extracted by words']),
      ...(model || settings.answer === 'reader' ? [] : ['the reader answers']),
    ];
    return [
      ...(lost.length > 0 ? [degraded(`No language model: ${lost.join(', ')}`)] : []),
      ...(rerankerNeed(settings.reranker)
        ? []
        : [degraded('No reranker: the first chunks of the search are read')]),
    ];
  }

  /** Returns the k best hits, by the reranker if there is one, with its scores. */
  private async reranked({ hits, unit }: Search): Promise<Ranking> {
    const { kit, call, settings, question } = this;
    const reranker = kit.resource(rerankerNeed(settings.reranker));
    const first = hits.slice(0, reranker ? settings.candidates : settings.k);
    const ranked = await rerankedHits(reranker, question.text, first, unit, kit, call);
    return ranked.slice(0, settings.k);
  }

  /** Keeps hits of the search with spans, in order. */
  private async keep(
    hop: HopDraft,
    search: Search,
    best: Ranking,
    spans: readonly View['spans'][],
  ): Promise<void> {
    for (const [at, { id }] of best.entries()) {
      if (spans[at]!.length === 0) continue;
      const hit = search.hits.find(each => each.id === id)!;
      await hop.keepItem({ ...keptFrom(search, FIRST_SEARCH, hit), spans: spans[at]! });
    }
  }

  /** Reads the documents of chunks; those too long for a prompt are left out. */
  private async wholeOf(chunks: readonly Paragraph[]): Promise<ReadonlyMap<string, Paragraph>> {
    const ids = [...new Set(chunks.map(({ documentId }) => documentId))];
    const hits = ids.map(id => ({ id, documentId: id, start: 0, end: Infinity, score: 0 }));
    const documents = await readParagraphs(hits, this.kit.engine, this.call);
    return new Map(
      documents
        .filter(({ text }) => fitsPrompt(text, this.settings.prompt))
        .map(document => [document.documentId, { ...document, end: document.text.length }]),
    );
  }

  /** Reads the spans of the evidence as paragraphs of their own, in order. */
  private async piecesOf(views: readonly View[]): Promise<Paragraph[]> {
    const hits = views
      .filter(({ chunk }) => this.selection.has(chunk.id))
      .flatMap(({ chunk: { id, documentId }, spans }) =>
        spans.map(([start, end]) => ({ id, documentId, start, end, score: 0 })),
      );
    return readParagraphs(hits, this.kit.engine, this.call);
  }

  /** Answers from what is shown and from the information, which rests on `beside`. */
  private async answered(
    paragraphs: readonly Paragraph[],
    beside: readonly Paragraph[] = [],
    info?: string,
  ): Promise<{ readonly outputs: readonly ModelOutput[]; readonly end: End }> {
    const { model, call, question, settings } = this;
    const { mode, words, prompt, answer } = settings;
    const shown = paragraphs.length > 0 || info !== undefined;
    const material = { question: question.text, paragraphs, beside, info };
    const room = { words: mode === 'long' ? LONGEST_DOCUMENT : words, prompt };
    const read =
      answer === 'own' && shown
        ? await model?.ask(language => answerFromPassages(language, material, room, call))
        : undefined;
    return {
      outputs: [...(read?.outputs ?? []), ...(model?.takeNotes() ?? [])],
      end: read?.end ?? { why: 'completed' },
    };
  }
}
