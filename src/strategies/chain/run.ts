/** Runs `chain` on one question: one sub-question after another, then the answer. */
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Document, Span } from '../../core/corpus/document.ts';
import { sentenceSpansOf } from '../../core/corpus/sentence-spans.ts';
import { idOf, inTurns } from '../../core/ranking/in-turns.ts';
import { distinctDocuments, type Hit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, ModelOutput, Question, Search, SearchRef } from '../../core/trace/trace.ts';
import { sentenceSupport } from '../../language/english/words/content-words.ts';
import { ModelInUse } from '../../planning/model-in-use.ts';
import type { Planner } from '../../planning/planner.ts';
import type { ReadAnswer } from '../../planning/sub-questions/read-answer.ts';
import type { RecordedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import { keptFrom, searchAll } from '../../search/retriever.ts';
import { HopDraft } from '../hop-draft.ts';
import { QuestionRun } from '../question-run.ts';
import { type Kit, type OpenHop, SEARCH_DEPTH } from '../strategy.ts';
import { modelNeed, rerankerNeed } from '../usual-settings.ts';
import { Answering, type Material, sufficeByRule } from './answer.ts';
import { type AskedSubQuestion, type Completed, completeSubQuestion } from './complete.ts';
import { type ChainPlan, splitQuestion } from './decompose.ts';
import { DocumentPool, evidenceOrder } from './document-order.ts';
import { Expansion, SENTENCE, spacesOf } from './expansion.ts';
import { lackingOutputs, probeOutput, subQuestionOutput } from './records.ts';
import { SentenceContext, wordsOf } from './sentence-context.ts';
import { type ChainSettings, limitsOf } from './settings.ts';

interface Setup {
  readonly settings: ChainSettings;
  readonly planner: Planner;
  readonly recorded: RecordedSubQuestions | undefined;
}

/** A sub-question under way. */
interface Step extends Completed {
  readonly context: SentenceContext;
  /** The search of its seeds. */
  readonly seeds: SearchRef;
  readonly carried: readonly string[];
  /** The best score of a reranker. */
  readonly confidence: number | undefined;
  /** The last answer, and the number of sentences that it was read from. */
  read?: { readonly answer: ReadAnswer; readonly sentences: number };
}

/** A hop under way. */
interface Draft {
  readonly reason: string;
  readonly hop: HopDraft;
  readonly outputs: ModelOutput[];
}

export class ChainRun extends QuestionRun<ChainSettings> {
  private readonly setup: Setup;
  private readonly model: ModelInUse;
  private readonly expansion: Expansion;
  private readonly answering: Answering;
  private readonly documents = new Map<string, Document>();
  private readonly asked: (AskedSubQuestion & { readonly step: Step; summary?: string })[] = [];
  private readonly pool = new DocumentPool();
  private plan!: ChainPlan;
  private hop = 0;

  constructor(question: Question, kit: Kit, call: Call, setup: Setup) {
    super(question, kit, call, setup.settings);
    this.setup = setup;
    const { settings } = setup;
    this.model = new ModelInUse(kit.resource(modelNeed(settings.by)));
    this.expansion = new Expansion(kit, call, settings);
    this.answering = new Answering(kit, call, settings, this.model);
  }

  async *hops(): AsyncGenerator<OpenHop, End, void> {
    const { kit, call, model } = this;
    const notes = this.missing();
    const plan = await splitQuestion(this.question.text, { ...this.setup, kit, call, model });
    this.plan = plan;
    this.pool.questionFirst = plan.by === 'clauses';
    this.pool.linkedLast = plan.questions.length === 1;
    let end: End = { why: 'completed' };
    for (const index of plan.questions.keys()) {
      const outputs = index === 0 ? [...notes, ...plan.outputs] : [];
      const { draft: first, step } = await this.seed(index, outputs);
      let draft = first;
      const expanding = this.rounds(step, draft);
      for (;;) {
        const next = await expanding.next(draft);
        if (next.done) break;
        yield this.closed(draft);
        draft = await this.expand(step, next.value, plan.questions[index]!);
      }
      await this.answer(step, draft);
      if (index + 1 === plan.questions.length) end = await this.integrate(draft);
      yield this.closed(draft);
    }
    model.end();
    return end;
  }

  /** Says what the run lacks. */
  private missing(): ModelOutput[] {
    const { settings } = this;
    const { edges = [] } = this.kit.engine.capabilities;
    const follows = !settings.graph || this.expansion.labels.length > 0;
    return lackingOutputs({
      model: !this.model.present,
      reranker: rerankerNeed(settings.reranker) === undefined,
      edges: follows ? undefined : edges,
      similarity: settings.graph && settings.semantic && spacesOf(this.kit.retriever).length === 0,
    });
  }

  /** Searches the sentences of a sub-question and keeps its seeds. */
  private async seed(
    index: number,
    outputs: ModelOutput[],
  ): Promise<{ readonly draft: Draft; readonly step: Step }> {
    const { settings } = this;
    const { questions } = this.plan;
    const { model, call, expansion, asked } = this;
    const withoutModel = !model.present;
    const done = await completeSubQuestion(questions, index, asked, { settings, call, model });
    outputs.push(...done.outputs);
    const carried = await this.carried(done, outputs);
    const last = asked.at(-1)?.step.seeds;
    const depth = Math.max(settings.candidates, SEARCH_DEPTH);
    const search = (text: string, unit: Search['unit']): Promise<Search[]> =>
      searchAll(this.kit.retriever, [{ text, from: last }], depth, call, { unit });
    const searches: Search[] = [];
    if (withoutModel && index === 0)
      searches.push(...(await search(this.question.text, 'document')));
    const at = searches.length;
    searches.push(...(await search(done.text, SENTENCE)));
    if (withoutModel) searches.push(...(await search(done.text, 'document')));
    if (settings.probe) {
      outputs.push(probeOutput(questions[index]!, index + 1, searches.length, done));
      searches.push(...(await search(done.original, 'passage')));
      searches.push(...(await search(done.text, 'passage')));
    }
    const draft = this.draft(done.text, searches, outputs);
    const candidates = searches[at]!.hits.slice(0, settings.candidates);
    const ranked = await expansion.reranked(done.text, candidates);
    const seeds = { hop: this.hop, search: at };
    const context = new SentenceContext(settings.words);
    const chosen = ranked.slice(0, limitsOf(settings).seeds);
    await this.read(chosen);
    for (const hit of chosen) await this.add(hit, at, context, draft);
    const byScore = rerankerNeed(settings.reranker) ? ranked[0]?.score : undefined;
    this.pooled(chosen, candidates, searches, at);
    if (withoutModel) {
      this.pool.link(await expansion.links(chosen));
      await this.keepFirst(draft);
    }
    return { draft, step: { ...done, context, seeds, carried, confidence: byScore } };
  }

  private draft(reason: string, searches: readonly Search[], outputs: ModelOutput[]): Draft {
    this.pool.note(
      this.hop,
      searches.filter(({ unit }) => unit !== 'passage'),
    );
    return { reason, outputs, hop: new HopDraft(this.selection, this.hop, searches) };
  }

  /** Pools the documents of a sub-question: those of its seeds first where a model ranked them. */
  private pooled(
    seeds: readonly Hit[],
    candidates: readonly Hit[],
    searches: readonly Search[],
    at: number,
  ): void {
    const whole = searches.filter(({ unit }) => unit === 'document').map(({ hits }) => hits);
    const first = rerankerNeed(this.settings.reranker) || whole.length === 0 ? seeds : [];
    if (at > 0) this.pool.addQuestion(whole[0]!);
    this.pool.add([...first, ...(whole.at(-1) ?? []), ...candidates]);
  }

  /** Keeps a sentence of each of the first documents that has none. */
  private async keepFirst(draft: Draft): Promise<void> {
    const has = new Set(this.selection.all.map(({ documentId }) => documentId));
    const best = this.pool.order().slice(0, this.settings.documents);
    const found = best.filter(id => !has.has(id)).flatMap(id => this.pool.hitOf(id) ?? []);
    await this.read(found.map(({ hit }) => hit));
    for (const { hit, ref, search } of found) {
      const item = keptFrom(search, ref, hit);
      const shown = search.unit === SENTENCE ? item : { ...item, spans: [this.bestSpan(hit)] };
      await draft.hop.keepItem(shown);
    }
  }

  /** Returns the sentence of a document that shares most with the question. */
  private bestSpan({ documentId }: Hit): Span {
    const document = this.documents.get(documentId)!;
    const spans = sentenceSpansOf(document, analysisOf(this.kit.engine));
    const texts = spans.map(([start, end]) => document.text.slice(start, end));
    const support = sentenceSupport(this.question.text, texts);
    return spans[support.indexOf(Math.max(...support))] ?? [0, document.text.length];
  }

  /** Adds a sentence to a context, and to the evidence unless it is there. */
  private async add(
    hit: Hit,
    search: number,
    context: SentenceContext,
    draft: Draft,
  ): Promise<void> {
    // The evidence shows a duplicate's text already, and its document says of whom it speaks.
    if (!this.selection.has(hit.id) && !(await draft.hop.keep(hit, search)))
      if (this.selection.refusal.why !== 'duplicate') return;
    context.add(hit, wordsOf(hit, this.documents));
  }

  private async read(hits: readonly Hit[]): Promise<void> {
    const ids = distinctDocuments(hits).filter(id => !this.documents.has(id));
    if (ids.length === 0) return;
    for (const document of await this.kit.engine.read('document', ids, this.call))
      this.documents.set(document.id, document);
  }

  /** Yields the neighbours of each round, until the sentences suffice; receives the hop so far. */
  private async *rounds(step: Step, first: Draft): AsyncGenerator<string[], void, Draft> {
    const { expansion, settings } = this;
    const { expanded, rounds, checksSeeds } = limitsOf(settings);
    let draft = first;
    let last = step.context.sentences.slice(0, expanded).map(({ id }) => id);
    const seen = new Set(step.context.sentences.map(({ id }) => id));
    for (let round = 0; round < rounds && !step.context.isFull; round++) {
      const next = await expansion.neighbours(last, seen);
      if (next.length === 0) return;
      const checks = round > 0 || checksSeeds;
      if (checks && (await this.suffice(step, draft))) return;
      for (const id of next) seen.add(id);
      draft = yield next;
      last = next;
    }
  }

  /** Searches neighbours and adds the best up to the limit. */
  private async expand(step: Step, ids: readonly string[], reason: string): Promise<Draft> {
    const { search, hits } = await this.expansion.ranked(ids, {
      text: step.text,
      from: step.seeds,
    });
    const draft = this.draft(reason, [search], []);
    const added = hits.slice(0, limitsOf(this.settings).added);
    await this.read(added);
    for (const hit of added) {
      if (!step.context.fits(wordsOf(hit, this.documents))) break;
      await this.add(hit, 0, step.context, draft);
    }
    if (!this.model.present) await this.keepFirst(draft);
    return draft;
  }

  private material({ text, context, carried }: Step): Material {
    const { documents } = this;
    return { question: text, sentences: context.sentences, documents, carried };
  }

  /** Summarises what is known of unanswered sub-questions that this one needs, each once. */
  private async carried({ unanswered }: Completed, outputs: ModelOutput[]): Promise<string[]> {
    const summaries: string[] = [];
    if (!this.model.present) return summaries;
    for (const place of unanswered) {
      const earlier = this.asked[place]!;
      earlier.summary ??=
        (await this.answering.summary(this.material(earlier.step), outputs)) ?? '';
      if (earlier.summary !== '') summaries.push(earlier.summary);
    }
    return summaries;
  }

  /**
   * Returns true if the sentences suffice: the model answers from them, by the call that answers
   * the sub-question. Without a model their words decide.
   */
  private async suffice(step: Step, draft: Draft): Promise<boolean> {
    if (!this.model.present) return sufficeByRule(this.material(step));
    return (await this.readAnswer(step, draft)).answer !== undefined;
  }

  /** Answers from the sentences so far, once. */
  private async readAnswer(step: Step, draft: Draft): Promise<ReadAnswer> {
    const sentences = step.context.sentences.length;
    if (step.read?.sentences !== sentences) {
      const answer = await this.answering.subAnswer(this.material(step));
      step.read = { answer, sentences };
      draft.outputs.push(...answer.outputs);
    }
    return step.read.answer;
  }

  private async answer(step: Step, draft: Draft): Promise<void> {
    const read = await this.readAnswer(step, draft);
    const number = this.asked.length + 1;
    draft.outputs.push(subQuestionOutput(number, step, read.answer, step.confidence));
    this.asked.push({ text: step.text, read, step });
  }

  /** Answers the question; the reader does if nothing here can. */
  private async integrate(draft: Draft): Promise<End> {
    const { settings } = this;
    if (settings.answer === 'reader' || !this.model.present) return { why: 'completed' };
    if (settings.integration === 'answers')
      return this.answering.fromAnswers(
        this.question.text,
        this.asked.map(({ text: question, read: { answer, citations } }) => ({
          question,
          answer,
          citations,
        })),
        draft.outputs,
      );
    const pooled = inTurns(
      this.asked.map(({ step }) => step.context.sentences),
      idOf,
    );
    const best = pooled.slice(0, settings.candidates);
    const ranked = await this.expansion.reranked(this.question.text, best);
    return this.answering.fromSentences(
      this.question.text,
      [...ranked, ...pooled.slice(settings.candidates)],
      this.documents,
      draft.outputs,
    );
  }

  /** Returns a finished hop, with the evidence in order. */
  private closed({ reason, hop, outputs }: Draft): OpenHop {
    this.hop += 1;
    const order = evidenceOrder(this.selection.all, this.pool.order());
    return hop.closed({
      reason,
      order: order.length > 0 ? order : undefined,
      outputs: [...outputs, ...this.model.takeNotes()],
    });
  }
}
