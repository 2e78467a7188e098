/** Reads the published token classifiers of `packages/efficient-rag-lite` for tests. */
import { readFileSync } from 'node:fs';
import { type LiteCheckpoint, readLite } from '../src/models/efficient-rag/lite-checkpoint.ts';
import { liteClassifiers } from '../src/models/efficient-rag/lite-classifiers.ts';
import type { TokenClassifiers } from '../src/models/efficient-rag/token-classifiers.ts';

const FILE = new URL('../packages/efficient-rag-lite/lite.json', import.meta.url);
const checkpoint: LiteCheckpoint = readLite(JSON.parse(readFileSync(FILE, 'utf8')));

export const shippedCheckpoint = (): LiteCheckpoint => checkpoint;

export const shippedClassifiers = (): TokenClassifiers => liteClassifiers(checkpoint.model, 'lite');
