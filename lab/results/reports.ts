/** The reports by name; a new report is one file in `reports/` and one line here. */
import type { Given, Report } from './report.ts';

export const REPORTS: Readonly<Record<string, () => Promise<(request: Given) => Report>>> = {
  'multihop-rag': async () => (await import('./reports/multihop-rag.ts')).report,
  retrievers: async () => (await import('./reports/retrievers.ts')).report,
  'multi-meta-rag': async () => (await import('./reports/multi-meta-rag.ts')).report,
  'direct-r': async () => (await import('./reports/direct-r.ts')).report,
  'query-decomposition': async () => (await import('./reports/query-decomposition.ts')).report,
  'efficient-rag': async () => (await import('./reports/efficient-rag.ts')).report,
  'tree-hop': async () => (await import('./reports/tree-hop.ts')).report,
  models: async () => (await import('./reports/models.ts')).report,
  'unseen-domains': async () => (await import('./reports/unseen-domains.ts')).report,
  'answer-controls': async () => (await import('./reports/answer-controls.ts')).report,
  'fact-lanes': async () => (await import('./reports/fact-lanes.ts')).report,
  generality: async () => (await import('./reports/generality.ts')).report,
  robustness: async () => (await import('./reports/robustness.ts')).report,
  graphs: async () => (await import('./reports/graphs.ts')).report,
  documents: async () => (await import('./reports/documents.ts')).report,
  agents: async () => (await import('./reports/agents.ts')).report,
  seeds: async () => (await import('./reports/seeds.ts')).report,
};
