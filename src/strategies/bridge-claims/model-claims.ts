/**
 * Generates the claims of a document by a language model, for a claim base: a call for each
 * sentence that states a fact, a second one if its evidence does not support the claim.
 */
import { inParallel } from '../../core/in-parallel.ts';
import type { ClaimGenerator } from '../../models/claim-generator.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { ruleClaims, sourceOf } from '../../planning/claims/rule-claims.ts';
import { ModelInUse } from '../../planning/model-in-use.ts';
import { placeOf } from './claim-pool.ts';
import { ClaimWriter, type WriterSettings } from './claim-writer.ts';
import { writingCalls } from './settings.ts';

/** Counts up with the prompts and their reading: claims of another version are others. */
const VERSION = 1;
/** The defaults of the strategy. */
const SETTINGS: WriterSettings = { targets: 4, verify: 'words', prompt: 6000 };

/** A server answers several prompts at once in less time; one that queues them keeps its limit. */
const AT_ONCE = 4;

/** Keeps the claim by rules of a sentence for which the model gives none that is supported. */
export function modelClaims(model: LanguageModel): ClaimGenerator {
  return {
    id: `${model.id}, version=${VERSION}`,
    async generate(document, sentences, call) {
      const spans = sentences.map(({ start, end }) => [start, end] as const);
      const ruled = await ruleClaims.generate(document, sentences, call);
      const inUse = new ModelInUse(model);
      const drafts = ruled.map(({ sentence, ...claim }) => {
        const span = sentences[sentence]!;
        return { sentence, claim, place: placeOf(document, span, spans, sourceOf(document, span)) };
      });
      const writer = new ClaimWriter(inUse, SETTINGS, call);
      await inParallel(drafts, AT_ONCE, draft => writer.write([draft]));
      // Claims by rules of a document whose model failed would pass for its own.
      inUse.end();
      return drafts.map(({ sentence, claim }) => ({ sentence, ...claim }));
    },
  };
}

/** Plans the calls for as many sentences that state facts. */
export const plannedClaims = (facts: number): PlannedCalls[] => [
  writingCalls(facts, SETTINGS.prompt),
];
