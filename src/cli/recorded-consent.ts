/**
 * Runs a command with the addresses that the user allows the record of its store to name; of others
 * it asks at the terminal.
 */
import { join } from 'node:path';
import { InputError } from '../core/errors.ts';
import { originOf } from '../providers/environment-key.ts';
import type { AddressConsent } from './address-consent.ts';
import type { Command, CommandContext } from './command.ts';

/**
 * Returns the exit code. A command is refused an address before it has done anything, so that it
 * can be run again after a yes.
 */
export async function runWithConsent(
  { run }: Command,
  context: CommandContext,
  consent: AddressConsent,
): Promise<number> {
  const store = context.options.text('store');
  const record = store === undefined ? undefined : join(store, 'store.json');
  const attempt = (): Promise<number> =>
    run({
      ...context,
      ...(record === undefined ? {} : { env: consent.environment(record) }),
      startedAt: context.startedAt + consent.waitedMs,
    });
  try {
    return await attempt();
  } catch (error) {
    const remedy = InputError.is(error) ? error.remedy : undefined;
    if (!record || remedy?.id !== 'trust-address' || remedy.name === undefined) throw error;
    const asks = `${record} names ${remedy.name} as the address of its embedder, where texts would be sent.`;
    if (!(await consent.ask(record, [originOf(new URL(remedy.name))], asks))) throw error;
    return attempt();
  }
}
