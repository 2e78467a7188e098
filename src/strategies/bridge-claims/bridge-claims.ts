/**
 * `bridge-claims(profile=aware)`: finds claims by the entities that the question names, then by
 * those that the claims name.
 *
 * Paper: MultiHop-RAG, a longitudinal study (Asrani, Agrawal, Narayan). Sentences that state facts
 * become claims, each with a bridge target (the entity that it is about) and a topic. Two to four
 * targets of the question find up to 8 claims; the one or two further targets of each find up to 20
 * more. Claims are written when a search finds their sentence, not when the corpus is indexed: a
 * prompt depends on the sentence alone, so a cache pays for each once. Model calls: 1 for the
 * question, up to 2 a claim, 1 for the answer; `profile=paper` 1 more for each of the first claims,
 * `verify=model` 1 more a claim. Stops after the second hop.
 *
 * Without a model a claim is its sentence with the leading pronoun replaced or the title's main
 * entity put before it, checked by its words; an output of role `degraded` says so.
 */
import { type Member, member } from '../../core/naming/family.ts';
import { evidenceFirst, type Strategy } from '../strategy.ts';
import { completed, modelNeed } from '../usual-settings.ts';
import { ClaimsRun } from './run.ts';
import { BRIDGE_CLAIMS_PARAMETERS, plannedCalls } from './settings.ts';

export const bridgeClaims: Member<Strategy> = member({
  name: 'bridge-claims',
  summary:
    'Claims are found by the entities that the question names, and again by those that the claims name',
  paper: 'Asrani, Agrawal, Narayan, MultiHop-RAG: a longitudinal study',
  cost: 'one search a target, up to 21; with a model 2 calls and up to 2 for each of 28 claims, without one none',
  parameters: completed(BRIDGE_CLAIMS_PARAMETERS),
  create(settings, name) {
    const need = modelNeed(settings.by);
    return {
      name,
      needs: need && [need],
      units: ['sentence'],
      get modelCalls() {
        return plannedCalls(settings);
      },
      hops: (question, kit, call) => new ClaimsRun(question, kit, call, settings).hops(),
      ranking: hops => evidenceFirst(hops),
    };
  },
});
