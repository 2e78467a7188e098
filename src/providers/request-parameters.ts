/**
 * Sends the parameters that a model takes: one that a refusal names is renamed or left out, and so
 * are those of later requests to this model.
 */
import { RefusedError } from './fault.ts';
import { concernsSize, refusedParameter, refusesSystem } from './refused-parameter.ts';

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

/** Remembers the changes of one model at one address. */
export class ModelParameters {
  private changes: Changes = new Map();
  private readonly label: string;
  private readonly onNote: OnNote;

  constructor(label: string, onNote: OnNote = warnProcess) {
    this.label = label;
    this.onNote = onNote;
  }

  request(parameters: Parameters): RequestParameters {
    return new RequestParameters(parameters, this.changes, changes => this.remember(changes));
  }

  private remember(changes: Changes): void {
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
  private readonly remember: (changes: Changes) => void;

  constructor(requested: Parameters, changes: Changes, remember: (changes: Changes) => void) {
    this.requested = requested;
    this.changes = new Map(changes);
    this.remember = remember;
  }

  get sent(): Parameters {
    const sent: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(this.requested)) {
      const as = this.changes.has(name) ? this.changes.get(name) : name;
      if (as !== undefined && value !== undefined) sent[as] = value;
    }
    return sent;
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

  /** Remembers the changes: the model took the request with them. */
  accepted(): void {
    this.remember(new Map([...this.changes].filter(([name]) => !this.once.has(name))));
  }
}
