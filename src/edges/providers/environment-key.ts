/** Keys come from the environment, and only go where they belong. */
import { Secret } from './secret.ts';

/** A provider's own variable is sent to that provider's host alone. */
const OWN: Readonly<Record<string, string>> = {
  'api.openai.com': 'OPENAI_API_KEY',
  'api.cohere.com': 'COHERE_API_KEY',
  'api.jina.ai': 'JINA_API_KEY',
};

/** `MULTIHOP_API_KEY` for any host, else the variable of the host's provider. Undefined: no key is sent. */
export function environmentKey(baseUrl: string, env: Readonly<Record<string, string | undefined>>): Secret | undefined {
  let own: string | undefined;
  try {
    const { protocol, hostname } = new URL(baseUrl);
    if (protocol === 'https:' && Object.hasOwn(OWN, hostname)) own = OWN[hostname];
  } catch {
    // The endpoint says what is wrong with the address.
  }
  const text = (env.MULTIHOP_API_KEY || (own === undefined ? undefined : env[own]))?.trim();
  return text ? new Secret(text) : undefined;
}
