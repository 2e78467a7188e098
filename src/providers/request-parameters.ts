/**
 * Sends the parameters that a model takes: one that a refusal names is renamed or left out, and so
 * are those of later requests to this model.
 */
import { RefusedError } from './fault.ts';
import {
  concernsSize,
  refusalWords,
  refusedParameter,
  refusesSystem,
} from './refused-parameter.ts';
import { replyLimit } from './reply-limit.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/** New names of parameters that OpenAI renamed. */
const RENAMED: Readonly<Record<string, string>> = { max_tokens: 'max_completion_tokens' };

/** Stands for the role of the system among the parameters of a request. */
export const SYSTEM = '(system role)';

/**
 * Without these a request asks for something else. A format has steps of its own, see
 * `languageModelOver`.
 */
const KEPT: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'query',
  'texts',
  'documents',
  'response_format',
]);

/** Receives what a refusal taught, once. */
export type OnNote = (text: string) => void;

export const warnProcess: OnNote = text => process.emitWarning(text);

/** The name that a parameter is sent by; undefined if it is left out. */
type Changes = ReadonlyMap<string, string | undefined>;

interface Learnt {
  readonly changes: Changes;
  /** Greatest limit on a reply. */
  readonly mostTokens: number;
}

/** Names of the limit on a reply. */
const LIMITS = ['max_tokens', 'max_completion_tokens'] as const;

/** Remembers the changes of one model at one address. */
export class ModelParameters {
  private changes: Changes = new Map();
  /** Greatest limit on a reply that the model was seen to take. */
  mostTokens: number = Number.POSITIVE_INFINITY;
  private readonly label: string;
  private readonly onNote: OnNote;

  constructor(label: string, onNote: OnNote = warnProcess) {
    this.label = label;
    this.onNote = onNote;
  }

  request(parameters: Parameters): RequestParameters {
    const known = { changes: this.changes, mostTokens: this.mostTokens };
    return new RequestParameters(parameters, known, learnt => this.remember(learnt));
  }

  private remember({ changes, mostTokens }: Learnt): void {
    if (mostTokens < this.mostTokens) {
      this.mostTokens = mostTokens;
      this.onNote(
        `${this.label} refuses longer replies: requests ask for at most ${mostTokens} tokens from now on`,
      );
    }
    for (const [name, sent] of changes) {
      if (this.changes.has(name) && this.changes.get(name) === sent) continue;
      this.changes = new Map([...this.changes, [name, sent]]);
      this.onNote(`${this.label} ${learnt(name, sent)} from now on`);
    }
  }
}

function learnt(name: string, sent: string | undefined): string {
  if (name === SYSTEM) return 'refuses the system role: its text stands before that of the user';
  const done = sent === undefined ? 'requests leave it out' : `requests send ${sent} instead`;
  return `refuses the parameter ${name}: ${done}`;
}

/** The parameters of one request, which refusals change. */
export class RequestParameters {
  private readonly requested: Parameters;
  private readonly changes: Map<string, string | undefined>;
  /** Changes that hold for this request alone. */
  private readonly once = new Set<string>();
  private mostTokens: number;
  /** The limit of this request, whose prompt may leave less room than others. */
  private tokensNow: number;
  private readonly remember: (learnt: Learnt) => void;

  constructor(
    requested: Parameters,
    { changes, mostTokens }: Learnt,
    remember: (learnt: Learnt) => void,
  ) {
    this.requested = requested;
    this.changes = new Map(changes);
    this.mostTokens = mostTokens;
    this.tokensNow = mostTokens;
    this.remember = remember;
  }

  get sent(): Parameters {
    const sent: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(this.requested)) {
      const as = this.changes.has(name) ? this.changes.get(name) : name;
      if (as !== undefined && value !== undefined) sent[as] = value;
    }
    for (const name of LIMITS)
      if (typeof sent[name] === 'number') sent[name] = Math.min(sent[name], this.tokensNow);
    return sent;
  }

  /** The limit that is sent; undefined if none is. */
  get sentTokens(): number | undefined {
    const { sent } = this;
    return LIMITS.map(name => sent[name]).find(value => typeof value === 'number');
  }

  /** Changes the parameter that a refusal names, if it names one: the request can be sent again. */
  change(error: unknown): boolean {
    if (!(error instanceof RefusedError)) return false;
    if (SYSTEM in this.sent && refusesSystem(error)) {
      this.changes.set(SYSTEM, undefined);
      return true;
    }
    const names = Object.keys(this.sent).filter(name => name !== SYSTEM);
    const refused = refusedParameter(error, names);
    if (this.isShortened(error, refused)) return true;
    if (refused === undefined || KEPT.has(refused)) return false;
    const name = Object.keys(this.requested).find(
      parameter => (this.changes.get(parameter) ?? parameter) === refused,
    )!;
    const other = RENAMED[name];
    const isTooLarge = other !== undefined && concernsSize(error);
    if (isTooLarge) this.once.add(name);
    const isLeftOut =
      isTooLarge || name !== refused || (other !== undefined && other in this.requested);
    this.changes.set(name, isLeftOut ? undefined : other);
    return true;
  }

  /** Asks for a shorter reply where a refusal says that the one asked for has no room. */
  private isShortened(error: RefusedError, refused: string | undefined): boolean {
    const asked = this.sentTokens;
    if (asked === undefined) return false;
    const refusesNumber = LIMITS.some(name => name === refused) && concernsSize(error);
    const limit = replyLimit(refusalWords(error.body), asked, refusesNumber);
    if (limit === undefined) return false;
    this.tokensNow = limit.now;
    this.mostTokens = Math.min(this.mostTokens, limit.later);
    return true;
  }

  /** Remembers the changes: the model took the request with them. */
  accepted(): void {
    const changes = new Map([...this.changes].filter(([name]) => !this.once.has(name)));
    this.remember({ changes, mostTokens: this.mostTokens });
  }
}
