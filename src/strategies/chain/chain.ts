/**
 * `chain`: answers sub-questions in order over a graph of sentences and completes each by earlier
 * answers. Paper: Zhu et al., ChainRAG, ACL 2025 (arXiv 2502.14245); docs/papers/chain-rag.md says
 * what follows it. Model calls for u sub-questions: 1 to split, up to u - 1 to rewrite, up to 2
 * checks for each, u sub-answers, 1 answer. Without a model, rules split and answer. Stops after
 * the last sub-question.
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Hop } from '../../core/trace/trace.ts';
import { planners } from '../../planning/planners.ts';
import type { RecordedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import { evidenceFirst, type Strategy } from '../strategy.ts';
import { completed, modelNeed, rerankerNeed } from '../usual-settings.ts';
import { ChainRun } from './run.ts';
import { answererNeed, CHAIN_PARAMETERS, chainCalls } from './settings.ts';

/** Creates the strategy over recorded sub-questions; see `strategiesWith(extractors, recorded)`. */
export function chainWith(recorded?: RecordedSubQuestions): Member<Strategy> {
  return member({
    name: 'chain',
    summary:
      'Answers sub-questions in order over a graph of sentences, each completed by earlier answers',
    paper: 'Zhu et al., ChainRAG, ACL 2025',
    cost: 'up to 4 searches a sub-question; without a model up to 5, and 1 of the question; with a model about 4 calls a sub-question, without one none; with a reranker up to 100 pairs a search of sentences',
    parameters: completed(CHAIN_PARAMETERS),
    create(settings, name) {
      const planner = planners.create(settings.planner);
      const needs = [
        modelNeed(settings.by),
        rerankerNeed(settings.reranker),
        answererNeed(settings),
      ];
      return {
        name,
        needs: needs.filter(need => need !== undefined),
        units: ['sentence', ...(settings.probe ? (['passage'] as const) : [])],
        requires: () => ({ units: ['sentence', 'document'] }),
        get modelCalls() {
          return chainCalls(settings);
        },
        hops: (question, kit, call) =>
          new ChainRun(question, kit, call, { settings, planner, recorded }).hops(),
        ranking: hops => evidenceFirst(hops, found(hops)),
      };
    },
  });
}

/** Returns the documents of all searches, in their order. */
const found = (hops: readonly Hop[]): string[] =>
  hops.flatMap(({ searches }) =>
    searches.flatMap(({ hits }) => hits.map(({ documentId }) => documentId)),
  );
