import type { LinearModel } from '../fact-reader/linear-model.ts';
export const OPEN_PARTS = ['span', 'choice', 'verdict'] as const;
export type OpenPart = (typeof OPEN_PARTS)[number];
export type OpenModel = Readonly<Record<OpenPart, LinearModel>>;
