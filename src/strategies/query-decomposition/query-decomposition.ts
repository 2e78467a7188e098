/**
 * `query-decomposition`: a model splits the question into sub-questions; each is searched for k
 * passages. Paper: Hieu et al. (docs/papers/query-decomposition.md). `sub-answers` answers each and
 * integrates the answers (2 + parts model calls); `sub-contexts` pools the passages for the reader
 * (1 call). With `chained` a query contains an earlier answer, if its passages contain it. Without
 * a model the clauses are the sub-questions. Stops after the last.
 */

import { type Member, member } from '../../core/naming/family.ts';
import { optional } from '../../core/port.ts';
import { idOf, inTurns } from '../../core/ranking/in-turns.ts';
import { distinctDocuments, type Ranking } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, EvidenceItem, ModelOutput, Question } from '../../core/trace/trace.ts';
import { languageModel } from '../../models/ports.ts';
import { ModelInUse } from '../../planning/model-in-use.ts';
import type { Planner } from '../../planning/planner.ts';
import { planners } from '../../planning/planners.ts';
import { answerFromSubAnswers } from '../../planning/sub-answers.ts';
import { type BoundQuery, boundQuery } from '../../planning/sub-questions/bind.ts';
import type { ReadAnswer } from '../../planning/sub-questions/read-answer.ts';
import type { RecordedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import { referencesIn, withReferences } from '../../planning/sub-questions/references.ts';
import { searchAll } from '../../search/retriever.ts';
import { HopDraft } from '../hop-draft.ts';
import { QuestionRun } from '../question-run.ts';
import {
  BY_CONSIDERED,
  evidenceFirst,
  type Kit,
  rankingOfConsidered,
  SEARCH_DEPTH,
  type Strategy,
} from '../strategy.ts';
import { completed } from '../usual-settings.ts';
import {
  plannedCalls,
  type QueryDecompositionSettings,
  queryDecompositionParameters,
} from './settings.ts';
import { planOf, readAnswerOf } from './steps.ts';

const MODEL = optional(languageModel);

/** Creates the strategy over recorded sub-questions; see `strategiesWith(extractors, recorded)`. */
export function queryDecompositionWith(recorded?: RecordedSubQuestions): Member<Strategy> {
  return member({
    name: 'query-decomposition',
    summary:
      'A model splits the question; one search a sub-question; sub-answers integrated, or passages pooled',
    paper: 'the Group-8 comparison, query decomposition',
    cost: 'one search a sub-question; 2 + parts model calls (sub-answers), 1 (sub-contexts), 0 without a model: the clauses are asked then',
    parameters: completed(queryDecompositionParameters),
    create(settings, name) {
      const planner = planners.create(settings.planner);
      return {
        name,
        needs: [MODEL],
        get modelCalls() {
          return plannedCalls(settings);
        },
        hops: (question, kit, call) =>
          new Run(question, kit, call, { settings, planner, recorded }).hops(),
        ranking: hops => evidenceFirst(hops),
        diagnostic:
          settings.integration === 'sub-answers'
            ? BY_CONSIDERED
            : { name: 'pooled', ranking: hops => rankingOfPool(hops, settings.k) },
      };
    },
  });
}

/** Returns the pooled documents, then all others by their best score. */
function rankingOfPool(hops: Parameters<Strategy['ranking']>[0], k: number): string[] {
  const pooled = distinctDocuments(
    inTurns(
      hops.map(({ searches }) => searches[0]?.hits.slice(0, k) ?? []),
      idOf,
    ),
  );
  return [...new Set([...pooled, ...rankingOfConsidered(hops)])];
}

interface AnsweredSubQuestion {
  /** The query's text. */
  readonly question: string;
  readonly read: ReadAnswer;
}

/** Runs the strategy on one question. */
class Run extends QuestionRun<QueryDecompositionSettings> {
  private readonly subQuestions: AnsweredSubQuestion[] = [];
  /** Evidence among the first k hits of each sub-question. */
  private readonly contexts: (readonly EvidenceItem[])[] = [];
  private readonly model: ModelInUse;
  private readonly sources: {
    readonly planner: Planner;
    readonly recorded: RecordedSubQuestions | undefined;
  };

  constructor(
    question: Question,
    kit: Kit,
    call: Call,
    sources: {
      readonly settings: QueryDecompositionSettings;
      readonly planner: Planner;
      readonly recorded: RecordedSubQuestions | undefined;
    },
  ) {
    super(question, kit, call, sources.settings);
    this.sources = sources;
    this.model = new ModelInUse(kit.resource(MODEL));
  }

  async *hops(): ReturnType<Strategy['hops']> {
    const { settings, kit, call, question } = this;
    const plan = await planOf(question.text, {
      ...this.sources,
      settings,
      kit,
      call,
      model: this.model,
    });
    let end: End = { why: 'completed' };
    for (const [index, reason] of plan.questions.entries()) {
      const outputs: ModelOutput[] = index === 0 ? [...plan.outputs] : [];
      const query = this.queryOf(reason);
      if (settings.chained) outputs.push(...bindingOutputs(query));
      const depth = Math.max(settings.k, SEARCH_DEPTH);
      const searches = await searchAll(kit.retriever, [query], depth, call);
      const hop = new HopDraft(this.selection, index, searches);
      await this.keepFirst(searches[0]!.hits, hop, (index + 1) / plan.questions.length);
      const answered =
        settings.integration === 'sub-answers' || this.isReferredTo(plan.questions, index);
      const read = await readAnswerOf(query.text, this.contexts[index]!, {
        settings,
        kit,
        call,
        model: this.model,
        recorded: plan.answers?.[index],
        answered,
      });
      outputs.push(...read.outputs);
      this.subQuestions.push({ question: query.text, read });
      if (index + 1 === plan.questions.length && settings.integration === 'sub-answers')
        end = await this.integrated(outputs);
      outputs.push(...this.model.takeNotes());
      yield hop.closed({ reason, order: this.pooled(index), outputs });
    }
    this.model.end();
    return end;
  }

  /** Returns the query of a sub-question; without chaining, references are removed. */
  private queryOf(reason: string): BoundQuery {
    const { chained, checked } = this.settings;
    const answers = this.subQuestions.map(({ read }) => read);
    if (chained)
      return boundQuery(reason, answers, { mustOccur: checked, fallback: this.question.text });
    const text = withReferences(reason, () => undefined);
    return { text: /[\p{L}\p{N}]/u.test(text) ? text : this.question.text, bindings: [] };
  }

  private isReferredTo(questions: readonly string[], index: number): boolean {
    return (
      this.settings.chained &&
      questions.slice(index + 1).some(later => referencesIn(later).includes(index + 1))
    );
  }

  /**
   * Keeps the first k hits. `share` bounds the pool so far, so that each sub-question has an equal
   * share and the room that earlier ones left.
   */
  private async keepFirst(hits: Ranking, hop: HopDraft, share: number): Promise<void> {
    const { selection } = this;
    const { k, integration, pool } = this.settings;
    const most = integration === 'sub-contexts' ? pool * share : Number.POSITIVE_INFINITY;
    const first = hits.slice(0, k);
    for (const hit of first) {
      if (selection.has(hit.id)) {
        hop.refuse(hit.id, { why: 'seen' });
        continue;
      }
      const price = await selection.price(hop.itemOf(hit));
      if (selection.tokens + price > most) hop.refuse(hit.id, { why: 'cap' });
      else await hop.keep(hit, 0, price);
    }
    const items = new Map(selection.all.map(item => [item.id, item]));
    this.contexts.push(first.flatMap(({ id }) => items.get(id) ?? []));
  }

  /** Returns the order of the pool after a hop. */
  private pooled(index: number): string[] | undefined {
    if (this.settings.integration === 'sub-answers' || index === 0) return undefined;
    return inTurns(this.contexts, idOf).map(({ id }) => id);
  }

  /**
   * Integrates the sub-answers in a last call, if there is a model; appends its replies to
   * `outputs`.
   */
  private async integrated(outputs: ModelOutput[]): Promise<End> {
    const asked = this.subQuestions.map(({ question, read: { answer, citations } }) => ({
      question,
      answer,
      citations,
    }));
    const read = await this.model.ask(model =>
      answerFromSubAnswers(this.question.text, asked, model, this.call),
    );
    outputs.push(...(read?.outputs ?? []));
    if (!read) return { why: 'completed' };
    return read.end.draft ? { ...read.end, why: 'sufficient' } : read.end;
  }
}

function bindingOutputs({ bindings }: BoundQuery): ModelOutput[] {
  return bindings.map(({ reference, text, why }) => ({
    role: 'binding',
    text: text === undefined ? `#${reference} is not bound: ${why}` : `#${reference} is ${text}`,
    parsed: true,
  }));
}
