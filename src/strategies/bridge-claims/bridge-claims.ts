/**
 * `bridge-claims`: finds claims by the entities that the question names, then by the entities that
 * these claims name. Paper: MultiHop-RAG, a longitudinal study (Asrani, Agrawal, Narayan);
 * docs/papers/bridge-claims.md says what follows it. Model calls: 1 for the question, up to 2 for
 * each claim, 1 for each of the first claims, 1 for the answer; more with `verify=model`. Without a
 * model, rules write claims. Stops after the second hop.
 */
import { type Member, member } from '../../core/naming/family.ts';
import { evidenceFirst, type Strategy } from '../strategy.ts';
import { completed, modelNeed } from '../usual-settings.ts';
import { ClaimsRun } from './run.ts';
import { BRIDGE_CLAIMS_PARAMETERS, plannedCalls, settingsOf } from './settings.ts';

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
      hops(question, kit, call) {
        const model = kit.resource(need);
        const decided = settingsOf(settings, model !== undefined);
        return new ClaimsRun(question, kit, call, decided, model).hops();
      },
      ranking: hops => evidenceFirst(hops),
    };
  },
});
