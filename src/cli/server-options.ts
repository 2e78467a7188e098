/** The options of a server over a store: where it listens, who may call it, and its limits. */

import { InputError } from '../core/errors.ts';
import type { Budget } from '../core/trace/usage.ts';
import { APP_LIMITS } from '../server/app.ts';
import { isLoopback } from '../server/guards.ts';
import { CONNECTION_LIMITS } from '../server/listen.ts';
import { DEFAULT_HOST, type ServerOptions } from '../server/open-server.ts';
import { checkedToken, keptToken, newToken } from '../server/token.ts';
import type { OpenStoreOptions } from '../session/document-store.ts';
import { isServerAddress } from '../stores/servers/engine-address.ts';
import { parseBudget } from './budget.ts';
import type { CommandContext } from './command.ts';
import { sessionOptions } from './model-options.ts';
import type { Option } from './option.ts';
import { BUDGET_OPTION } from './options.ts';

/** The environment variable of the token. */
export const TOKEN_VARIABLE = 'MULTIHOP_TOKEN';
const DEFAULT_BUDGET = 'ms=120000';

export const HTTP_OPTIONS: readonly Option[] = [
  {
    name: 'host',
    value: 'HOST',
    default: '127.0.0.1',
    summary:
      'address to listen on; beyond loopback set a token with MULTIHOP_TOKEN or --token-file',
  },
  { name: 'port', value: 'N', type: 'integer', default: '7777', summary: '0 for a free port' },
  {
    name: 'token-file',
    value: 'FILE',
    access: 'keeps',
    summary: `a file with the token, made with a new one if it is missing, for clients that are configured once; without it ${TOKEN_VARIABLE}, else a new token at each start, which is printed and kept in DIR/server.token`,
  },
  {
    name: 'no-token',
    summary: 'answer every program that reaches the loopback address of this machine',
  },
  {
    name: 'allow-host',
    value: 'NAME',
    repeatable: true,
    summary: 'a host name that requests may use, in addition to localhost and addresses',
  },
  {
    name: 'allow-origin',
    value: 'ORIGIN',
    repeatable: true,
    summary: 'pages of this origin, such as https://app.example, may call the server',
  },
  {
    name: 'allow-model',
    value: 'NAME',
    repeatable: true,
    summary: 'a reranker or question answerer that requests may open; others are refused',
  },
];

/** The limits of runs, wherever their requests come from. */
export const RUN_LIMIT_OPTIONS: readonly Option[] = [
  {
    ...BUDGET_OPTION,
    default: DEFAULT_BUDGET,
    summary: 'limits of every run; a request may lower them',
  },
  {
    name: 'concurrent',
    value: 'N',
    type: 'integer',
    min: 1,
    default: '32',
    summary: 'runs at once',
  },
];

export const LIMIT_OPTIONS: readonly Option[] = [
  ...RUN_LIMIT_OPTIONS,
  {
    name: 'queue',
    value: 'N',
    type: 'integer',
    default: '64',
    summary: 'requests that may wait for a run to end; further requests get 503',
  },
  {
    name: 'rate',
    value: 'N',
    type: 'integer',
    min: 1,
    default: '6000',
    summary: 'requests a minute of each client; further requests get 429',
  },
  {
    name: 'connections',
    value: 'N',
    type: 'integer',
    min: 1,
    default: '128',
    summary:
      'connections of each client at once; further ones get 503. Behind a proxy all clients are one: give as many as all may have together, up to 1024',
  },
  {
    name: 'grace',
    value: 'SECONDS',
    type: 'integer',
    default: '10',
    summary:
      'time that runs have to end when the server stops, before they end with what they have',
  },
  { name: 'read-only', summary: 'refuse to add and delete documents' },
];

/** A configuration may not decide these: it may come with a folder that somebody else wrote. */
const OWN = ['host', 'token-file', 'no-token', 'allow-host', 'allow-origin', 'allow-model'];

export interface ServerToken {
  readonly token: string | false;
  /** Keeps a new token once the server listens. */
  readonly folder?: string;
}

/**
 * Returns the token of the server: of `--token-file`, of the environment, or on loopback a new one
 * with the folder that is to keep it. Throws `InputError`: `configured-server`, `bad-token`,
 * `token-needed`.
 */
export async function serverToken({ options, env }: CommandContext): Promise<ServerToken> {
  for (const name of OWN) if (options.isDefault(name)) throw configuredServer(name);
  const file = options.text('token-file');
  const token = env[TOKEN_VARIABLE];
  const unneeded = options.flag('no-token');
  if (unneeded && (file !== undefined || token))
    throw new InputError('bad-token', 'A server has a token or none', {
      received: `--no-token and ${file === undefined ? TOKEN_VARIABLE : '--token-file'}`,
    });
  if (file !== undefined) return { token: await keptToken(file) };
  if (token) return { token: checkedToken(token) };
  if (!isLoopback(options.text('host') ?? DEFAULT_HOST)) throw tokenNeeded();
  if (unneeded) return { token: false };
  const store = options.required('store');
  return { token: newToken(), folder: isServerAddress(store) ? '.multihop' : store };
}

/** Returns the options of a store that answers requests. Throws `InputError` for a wrong limit. */
export function storeOptions(
  context: CommandContext,
): OpenStoreOptions & { readonly budget: Budget } {
  return {
    ...sessionOptions(context),
    budget: context.options.get(BUDGET_OPTION) ?? parseBudget(DEFAULT_BUDGET),
  };
}

/** Returns the options of a server. Throws `InputError` for a wrong limit or address. */
export function serverOptions(
  context: CommandContext,
  token: string | false,
): ServerOptions & { readonly budget: Budget } {
  const { options, output } = context;
  return {
    ...storeOptions(context),
    token,
    hosts: options.texts('allow-host').map(name => name.toLowerCase()),
    origins: options.texts('allow-origin').map(originOf),
    allowModels: options.texts('allow-model'),
    readOnly: options.flag('read-only'),
    limits: {
      concurrent: options.integer('concurrent', APP_LIMITS.concurrent),
      queue: options.integer('queue', APP_LIMITS.queue),
      perMinute: options.integer('rate', APP_LIMITS.perMinute),
      clientConnections: options.integer('connections', CONNECTION_LIMITS.clientConnections),
    },
    log: output.verbose ? (line: string) => output.note(line) : undefined,
  };
}

function originOf(address: string): string {
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  if (origin === address && /^https?:/.test(origin)) return origin;
  throw new InputError('bad-value', 'The option --allow-origin', {
    expected: 'an origin without a path, such as https://app.example',
    received: `"${address}"`,
  });
}

const configuredServer = (name: string): InputError =>
  new InputError('configured-server', `The configuration sets "${name}"`, {
    expected: `--${name} on the command line`,
    hint: 'A file that comes with a folder does not decide who may call a server.',
  });

export const tokenNeeded = (): InputError =>
  new InputError('token-needed', 'A server that others can reach needs a token', {
    expected: `${TOKEN_VARIABLE}, or --token-file FILE`,
    hint: 'Others on the network could read every document. Or listen on 127.0.0.1.',
  });
