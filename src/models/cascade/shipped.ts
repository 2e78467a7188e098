/** Loads the shipped weights: `cascade.json`, written by `npm run lab -- learn cascade`. */
import { normAlnum } from '../../core/text/normalise.ts';
import written from './cascade.json' with { type: 'json' };
import { type CascadeCheckpoint, type CascadeModel, cascadeLogit } from './cascade-checkpoint.ts';

let checkpoint: CascadeCheckpoint | undefined;

/**
 * Returns the shipped weights, parsed at the first use, if they were fitted to this language model:
 * how often another one is right is not known, a model made from it included. `model`: its id, of
 * any provider.
 */
export function cascadeFor(model: string): CascadeModel | undefined {
  checkpoint ??= cascadeLogit.read(written);
  const fitted = plain(String(checkpoint.provenance['fittedTo']));
  const [before, behind] = plain(model.split('@')[0]!).split(fitted);
  const isIt = before !== undefined && behind !== undefined && /^(?:instruct.*)?$/.test(behind);
  return isIt ? checkpoint.model : undefined;
}

/** The same model is named with other signs: `qwen2.5-coder:1.5b`. */
const plain = (name: string): string => normAlnum(name).replaceAll(' ', '');
