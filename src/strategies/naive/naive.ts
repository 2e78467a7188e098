/**
 * `naive`: searches passages once and answers from the first k. Paper: NaiveRAG and, with
 * `decomposition=true`, NaiveRAG w/ QD, the baselines of ChainRAG (Zhu et al., ACL 2025, arXiv
 * 2502.14245). Sub-questions are searched as written and their passages pooled in turn. Model
 * calls: one, or two with decomposition. Without a model the clauses of the question are the
 * sub-questions: a passage counts if both a clause and the question find it. Stops after one hop.
 */

import { Selection } from '../../context/selection.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { idOf, inTurns } from '../../core/ranking/in-turns.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, Hop, ModelOutput, Question, Search } from '../../core/trace/trace.ts';
import { degraded, ModelInUse } from '../../planning/model-in-use.ts';
import { paragraphUnit } from '../../planning/paragraphs.ts';
import { answerFromHits } from '../../planning/passages-answer.ts';
import type { Planner } from '../../planning/planner.ts';
import { planners } from '../../planning/planners.ts';
import { sourceNames } from '../../planning/sources.ts';
import { clauseSubQuestions } from '../../planning/sub-questions/clause-sub-questions.ts';
import { splitByModel } from '../../planning/sub-questions/model-sub-questions.ts';
import { searchAll } from '../../search/retriever.ts';
import { HopDraft } from '../hop-draft.ts';
import {
  evidenceFirst,
  type Kit,
  type OpenHop,
  rankingOfFirstSearch,
  SEARCH_DEPTH,
  type Strategy,
} from '../strategy.ts';
import { completed } from '../usual-settings.ts';
import {
  NAIVE_PARAMETERS,
  type NaiveSettings,
  naiveCalls,
  naiveModel,
  splitOf,
} from './settings.ts';

export const naive: Member<Strategy> = member({
  name: 'naive',
  summary:
    'One search over passages, of the question or of its sub-questions, and one answer from the first k',
  paper: 'Zhu et al., ChainRAG, ACL 2025: its baselines NaiveRAG and NaiveRAG w/ QD',
  cost: 'one search and one model call; with decomposition one search a sub-question and two calls; without a model no call',
  parameters: completed(NAIVE_PARAMETERS),
  create(settings, name) {
    const planner = planners.create(settings.planner);
    const need = naiveModel(settings);
    return {
      name,
      needs: need && [need],
      get modelCalls() {
        return naiveCalls(settings);
      },
      hops: (question, kit, call) => oneHop(question, kit, call, { settings, planner }),
      ranking: hops => evidenceFirst(hops, rankingOfPool(hops)),
    };
  },
});

/**
 * Returns the documents of all searches, round robin by rank; by clauses those of the question's
 * search before others.
 */
function rankingOfPool(hops: readonly Hop[]): string[] {
  const { searches = [], outputs = [] } = hops[0] ?? {};
  const pool = inTurns(
    searches.map(({ hits }) => hits.map(({ documentId }) => ({ id: documentId }))),
    idOf,
  ).map(({ id }) => id);
  const whole = outputs.some(({ role, text }) => role === PLAN && text.startsWith(BY_CLAUSES));
  return whole ? [...rankingOfFirstSearch(hops), ...pool] : pool;
}

const PLAN = 'plan';
/** Opens the plan of a run that searched the question and its clauses. */
const BY_CLAUSES = '{"by":"clauses"';

async function* oneHop(
  question: Question,
  kit: Kit,
  call: Call,
  planning: { readonly settings: NaiveSettings; readonly planner: Planner },
): AsyncGenerator<OpenHop, End, void> {
  const { settings } = planning;
  const model = new ModelInUse(kit.resource(naiveModel(settings)));
  const outputs: ModelOutput[] = [];
  if (!model.present && naiveModel(settings)) outputs.push(withoutModel(settings));
  const { texts, whole } = settings.decomposition
    ? await subQuestionsOf(question.text, kit, call, { ...planning, model, outputs })
    : { texts: [question.text], whole: false };
  const searches = await searchAll(
    kit.retriever,
    texts.map(text => ({ text })),
    Math.max(settings.k * (whole ? texts.length : 1), SEARCH_DEPTH),
    call,
    { unit: paragraphUnit(kit.retriever) },
  );
  const hop = new HopDraft(new Selection(kit.context, call), 0, searches);
  const hits = await keepPool(hop, { k: settings.k, whole });
  const answered = await answerFromHits(model, question.text, hits, settings, kit.engine, call);
  yield hop.closed({ outputs: [...outputs, ...answered.outputs] });
  model.end();
  return answered.end;
}

/** Returns a note on the steps that a run without a model leaves out. */
function withoutModel({ decomposition, answer }: NaiveSettings): ModelOutput {
  const lost = [
    ...(decomposition ? ['the sub-questions are the clauses of the question'] : []),
    ...(answer === 'own' ? ['the reader answers'] : []),
  ];
  return degraded(`No language model: ${lost.join(', ')}`);
}

/** Texts to search. */
interface Split {
  readonly texts: readonly string[];
  /** True if the first is the question and the others are its clauses. */
  readonly whole: boolean;
}

/** Returns the sub-questions, and adds what was written on the way to `outputs`. */
async function subQuestionsOf(
  question: string,
  kit: Kit,
  call: Call,
  {
    settings,
    planner,
    model,
    outputs,
  }: {
    readonly settings: NaiveSettings;
    readonly planner: Planner;
    readonly model: ModelInUse;
    readonly outputs: ModelOutput[];
  },
): Promise<Split> {
  const otherwise = 'the clauses of the question are searched';
  const split = await splitByModel(model, question, splitOf(settings), otherwise, call);
  outputs.push(...(split?.outputs ?? []));
  const written = split !== undefined && split.questions.length > 0;
  const questions = written
    ? split.questions
    : clauseSubQuestions(planner, question, settings.parts, await sourceNames(kit.engine, call));
  const text = JSON.stringify({ by: written ? 'model' : 'clauses', subQuestions: questions });
  outputs.push({ role: PLAN, text, parsed: true });
  if (written) return { texts: questions, whole: false };
  return { texts: [...new Set([question, ...questions])], whole: true };
}

/** Keeps and returns the first k hits of each search, round robin by rank; or by votes. */
async function keepPool(
  hop: HopDraft,
  { k, whole }: { readonly k: number; readonly whole: boolean },
): Promise<Hit[]> {
  const { searches } = hop;
  const lists = searches.map(({ hits }, search) =>
    hits.slice(0, k).map(hit => ({ id: hit.id, hit, search })),
  );
  const kept: Hit[] = [];
  for (const { hit, search } of whole ? byVotes(searches, k) : inTurns(lists, idOf))
    if (await hop.keep(hit, search)) kept.push(hit);
  return kept;
}

/** Returns hits of the question, the first search: the first k, and those that clauses vote for. */
function byVotes(searches: readonly Search[], k: number): Pooled[] {
  const [question, ...clauses] = searches;
  const voted = new Set(clauses.flatMap(({ hits }) => hits.slice(0, k).map(({ id }) => id)));
  return question!.hits
    .slice(0, k * searches.length)
    .filter(({ id }, rank) => rank < k || voted.has(id))
    .map(hit => ({ id: hit.id, hit, search: 0 }));
}

interface Pooled {
  readonly id: string;
  readonly hit: Hit;
  readonly search: number;
}
