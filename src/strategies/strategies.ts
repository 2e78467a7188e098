/** The family of strategies, from name to factory. */
import { type Family, family } from '../core/naming/family.ts';
import type { MetadataExtractor } from '../planning/metadata/extractor.ts';
import { metadataExtractors } from '../planning/metadata/extractors.ts';
import type { RecordedSubQuestions } from '../planning/sub-questions/recorded-sub-questions.ts';
import { bridgeClaims } from './bridge-claims/bridge-claims.ts';
import { budgetedAgent } from './budgeted-agent.ts';
import { chainWith } from './chain/chain.ts';
import { decomposition } from './decomposition.ts';
import { efficientRag } from './efficient-rag.ts';
import { equalBudgetTopK } from './equal-budget-top-k.ts';
import { factLanesMember } from './fact-lanes/fact-lanes.ts';
import { fixedTopK } from './fixed-top-k.ts';
import { hipporag1 } from './hipporag1/hipporag1.ts';
import { hipporag2 } from './hipporag2/hipporag2.ts';
import { irCot } from './ir-cot/ir-cot.ts';
import { iterRetGen } from './iter-retgen/iter-retgen.ts';
import { iterative } from './iterative.ts';
import { longragDual } from './longrag-dual/longrag-dual.ts';
import { longragUnits } from './longrag-units/longrag-units.ts';
import { multiMetaRagWith } from './multi-meta-rag.ts';
import { naive } from './naive/naive.ts';
import { queryDecompositionWith } from './query-decomposition/query-decomposition.ts';
import { slotAgent } from './slot-agent.ts';
import type { Strategy } from './strategy.ts';
import type { StrategyName } from './strategy-names.ts';
import { treeHop } from './tree-hop/tree-hop.ts';

/**
 * Creates the family over given metadata extractors and recorded sub-questions:
 * `strategiesWith(extractorsWith(readRecordedFilters(json)))`.
 */
export const strategiesWith = (
  extractors: Family<MetadataExtractor>,
  subQuestions?: RecordedSubQuestions,
): Family<Strategy> =>
  family('strategy', [
    fixedTopK,
    equalBudgetTopK,
    iterative,
    decomposition,
    budgetedAgent,
    slotAgent,
    multiMetaRagWith(extractors),
    queryDecompositionWith(subQuestions),
    treeHop,
    irCot,
    iterRetGen,
    efficientRag,
    bridgeClaims,
    factLanesMember(subQuestions),
    naive,
    longragUnits,
    longragDual,
    hipporag1,
    hipporag2,
    chainWith(subQuestions),
  ]);

/**
 * All strategies by name.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { strategies } from 'multihop/strategies';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const strategy = strategies.create('fixed-top-k(k=1)');
 * console.log((await ask('Who built the engine?', { engine, strategy })).strategy);
 * console.log(strategies.members.map(({ name }) => name));
 * ```
 */
export const strategies: Family<Strategy, StrategyName> = strategiesWith(metadataExtractors);
