/**
 * Finds the parameter that a server refuses in the words of its refusal: by the fields in which
 * servers name it, else by its name in the message.
 */
import { parseJson } from '../core/text/bounded-json.ts';
import type { RefusedError } from './fault.ts';

/** Status and answer of a refusal, whichever error carries it. */
export type Refused = Pick<RefusedError, 'status' | 'body'>;

/** Statuses by which servers refuse a request for what it holds. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 413, 422]);

/** Fields of a refusal that hold text for people, and that name a field of the request. */
const MESSAGES: ReadonlySet<string> = new Set([
  'message',
  'msg',
  'detail',
  'details',
  'error',
  'errors',
  'reason',
  'description',
  'raw',
]);
const POINTERS: ReadonlySet<string> = new Set([
  'param',
  'parameter',
  'field',
  'loc',
  'path',
  'property',
  'argument',
]);
/** Fields that quote the request, which holds the names of all parameters. */
const QUOTES: ReadonlySet<string> = new Set(['input', 'body', 'request', 'ctx']);
/** Fields that no request goes without: a refusal that points to one concerns no parameter. */
const REQUIRED = /^(?:model|messages?|prompt|content|inputs?|texts?|query|documents?)$/;

/** Other names of a parameter, in messages of models that the AI SDK calls in their own terms. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  max_tokens: ['max_output_tokens', 'max_new_tokens'],
  stop: ['stop_sequences'],
};

/** Returns the first of the names that a refusal names; undefined if it names none. */
export function refusedParameter(refusal: Refused, names: readonly string[]): string | undefined {
  if (!REFUSED.has(refusal.status)) return undefined;
  const { fields, messages } = readRefusal(refusal.body);
  const pointed = fields
    .map(field => names.find(name => pattern(name, '^', '$').test(field)))
    .find(name => name !== undefined);
  if (pointed !== undefined || fields.some(field => REQUIRED.test(field))) return pointed;
  const text = messages.join('\n');
  const quoted = firstIn(text, names, '[\'"`\u2018\u201c]', '[\'"`\u2019\u201d]');
  return quoted ?? firstIn(text, names, '(?<![\\w-])', '(?![\\w-])');
}

/** Tells if a refusal concerns the size of a value and not the parameter. */
export const concernsSize = ({ body }: Pick<Refused, 'body'>): boolean =>
  /too (?:large|big|high|long|small|low)|exceed|(?:less|more|higher|lower) than|at (?:most|least)|greater|larger|(?:max|min)imum|range|<=|≤/i.test(
    refusalWords(body),
  );

const AMOUNT =
  /too (?:many|much|large|big|long)|exceed|less than|fewer|at most|greater|larger|longer|more than|maximum|\bmax\b|up to|limit|batch|length|size|split|inputs|texts|items|最大|超过/i;

/** Tells if a server refuses a request for the amount of its texts, in words of its own. */
export function refusesAmount({ status, body }: Refused): boolean {
  if (status === 413) return true;
  if (status !== 400 && status !== 422) return false;
  const { fields, messages } = readRefusal(body);
  return (
    fields.some(field => REQUIRED.test(field) && field !== 'model') ||
    AMOUNT.test(messages.join('\n'))
  );
}

/**
 * Matches the words by which servers and chat templates refuse messages of the system; some
 * templates only know turns that alternate from the user on.
 */
const NO_SYSTEM =
  /system (?:role|message|prompt|instruction)s?\b.{0,40}(?:not|n't|unsupported|invalid)|(?:not|n't|unsupported|invalid).{0,40}\bsystem['"`]? (?:role|message|prompt|instruction)|developer instruction|does not support ['"`]?system|only user(?:,| and) (?:assistant|model)|roles? must alternate|(?:unexpected|invalid|unsupported|unknown) role:? ['"`]?system|role ['"`]system['"`] (?:is )?(?:not|un|in)/i;

/** Tells if a model refuses messages of the system. */
export const refusesSystem = ({ status, body }: Refused): boolean =>
  REFUSED.has(status) && NO_SYSTEM.test(refusalWords(body));

/** Matches the words by which servers say that a prompt does not fit into a context. */
const CONTEXT =
  /request too large|please (?:try to )?reduce (?:your|the) (?:message|prompt|input|length)|context.{0,12}(?:length|size|window|limit)|prompt is too long|input (?:is )?too long|too many (?:input |prompt )?tokens|(?:token count|tokens?) .{0,60}exceed|exceeds? .{0,60}(?:tokens|token count|token limit)/i;

/** Tells if a model refuses a prompt because its context has no room for it. */
export const refusesContext = ({ status, body }: Refused): boolean =>
  REFUSED.has(status) && CONTEXT.test(refusalWords(body));

/** Tells if a server may refuse a request for what a text of it says. */
export const refusesContent = ({ status }: Refused): boolean => status === 400 || status === 422;

/** Returns what a refusal says to people. */
export const refusalWords = (body: string): string => readRefusal(body).messages.join('\n');

function firstIn(
  text: string,
  names: readonly string[],
  before: string,
  after: string,
): string | undefined {
  const places = names.map(name => ({ name, at: text.search(pattern(name, before, after)) }));
  return places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0]?.name;
}

/** Matches a name in snake case or camel case. */
function pattern(name: string, before: string, after: string): RegExp {
  const names = [name, ...(ALSO[name] ?? [])].map(form =>
    form
      .replace(/[^\w]/g, '\\$&')
      .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
      .replaceAll('_', '[_ ]?'),
  );
  return new RegExp(`${before}(?:${names.join('|')})${after}`, 'i');
}

interface ReadRefusal {
  /** Names of fields that the refusal points to, and of those around them. */
  readonly fields: readonly string[];
  readonly messages: readonly string[];
}

/** Reads `{ error: { message, param } }`, `{ detail: [{ loc, msg }] }`, and plain text. */
function readRefusal(body: string): ReadRefusal {
  const read = { fields: [] as string[], messages: [] as string[] };
  try {
    collect(parseJson(body), 'error', read);
  } catch {
    read.messages.push(body);
  }
  return read;
}

function collect(value: unknown, key: string, read: ReadRefusal): void {
  const { fields, messages } = read as { readonly fields: string[]; readonly messages: string[] };
  if (typeof value === 'string') {
    if (MESSAGES.has(key)) messages.push(value);
    else if (POINTERS.has(key)) fields.push(...value.split(/[.[\]/]/).filter(part => part !== ''));
  } else if (typeof value === 'object' && value !== null)
    for (const [name, field] of Object.entries(value))
      if (!QUOTES.has(name)) collect(field, Array.isArray(value) ? key : name, read);
}
