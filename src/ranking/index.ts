/** What a search returns, and the one total order it comes in. */
export { bestFusion, reciprocalRankFusion, weightedFusion } from './fusion.ts';
export {
  LAYER_PRUNINGS,
  type LayerCandidate,
  type LayerPruning,
  survivors,
} from './layer-pruning.ts';
export { compareHits, distinctDocuments, type Hit, type Ranking, type Unit } from './ranking.ts';
