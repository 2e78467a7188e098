/** What a search returns, and the one total order it comes in. */
export { bestFusion, reciprocalRankFusion, weightedFusion } from './fusion.ts';
export { compareHits, distinctDocuments, type Hit, type Ranking, type Unit } from './ranking.ts';
