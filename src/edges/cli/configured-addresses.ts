/**
 * Refuses to send a key or a password of the environment to an address that only a configuration
 * names: the file may come with a folder that somebody else wrote.
 */
import { InputError } from '../../errors.ts';
import { environmentKey, isAllowedOrigin } from '../providers/environment-key.ts';
import { recordedAddress } from '../providers/recorded-address.ts';
import type { Secret } from '../providers/secret.ts';
import type { Defaults, OptionValues } from './option-values.ts';
import type { Environment } from './style.ts';

type KeyFor = (address: string, env: Environment) => Secret | string | undefined;

const modelKey: KeyFor = (address, env) => environmentKey(address, env, 'MULTIHOP_MODEL_API_KEY');

/** The options that are addresses, and what would be sent there. */
const ADDRESSES: Readonly<Record<string, KeyFor>> = {
  'base-url': environmentKey,
  'reranker-url': environmentKey,
  'model-url': modelKey,
  'judge-url': modelKey,
  engine: (_, env) => env['MULTIHOP_ENGINE_PASSWORD'],
};

/** A provider's own variable is sent to that provider alone. */
const withoutOwn = (env: Environment): Environment => ({
  MULTIHOP_API_KEY: env['MULTIHOP_API_KEY'],
  MULTIHOP_API_KEY_ORIGIN: env['MULTIHOP_API_KEY_ORIGIN'],
  MULTIHOP_MODEL_API_KEY: env['MULTIHOP_MODEL_API_KEY'],
  MULTIHOP_ENGINE_PASSWORD: env['MULTIHOP_ENGINE_PASSWORD'],
});

/** Throws `InputError('configured-address')` for the options whose values are those of the file. */
export function checkConfiguredAddresses(
  options: OptionValues,
  configured: Defaults,
  env: Environment,
): void {
  for (const [name, keyFor] of Object.entries(ADDRESSES)) {
    const [address] = configured.get(name) ?? [];
    // Others are refused where they are used.
    if (address === undefined || !URL.canParse(address) || !options.isDefault(name)) continue;
    if (keyFor(address, withoutOwn(env)) === undefined || isAllowedOrigin(address, env)) continue;
    const printed = recordedAddress(address).replaceAll("'", '%27');
    throw new InputError(
      'configured-address',
      `The configuration names "${printed}", and keys are sent only to addresses that you give`,
      {
        hint: `If you trust it, give it: --${name} '${printed}', or list its origin in MULTIHOP_ALLOWED_ORIGINS. Or unset the key.`,
      },
    );
  }
}
