/**
 * Keeps the tests that a file registers and runs them one after another in this process, in the
 * order of `node:test`, until one fails.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface TestOptions {
  readonly skip?: boolean | string;
  readonly todo?: boolean | string;
}
export type Body = (context: RunningTest) => unknown;
export type HookName = 'before' | 'after' | 'beforeEach' | 'afterEach';

interface OneTest {
  readonly name: string;
  readonly body: Body;
  readonly options: TestOptions;
}

/** Thrown when a test fails; `test` is its full name. */
export class TestFailure extends Error {
  readonly test: string;

  constructor(test: string, cause: unknown) {
    super(`${test}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.test = test;
  }
}

/** Told the full name of the suite or test whose code runs next. */
type Entered = (name: string) => void;

class Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly children: (Suite | OneTest)[] = [];
  readonly hooks: Record<HookName, Body[]> = {
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
  };

  constructor(name: string, parent?: Suite) {
    [this.name, this.parent] = [name, parent];
  }

  /** Returns a name that no other child of this suite has. */
  childName(name: string): string {
    const full = this.parent ? `${this.name} > ${name}` : name;
    const same = this.children.filter(child => child.name.replace(/ #\d+$/, '') === full).length;
    return same === 0 ? full : `${full} #${same}`;
  }
}

/** The part of `TestContext` of `node:test` that the tests use. */
export class RunningTest {
  readonly name: string;
  readonly after: (hook: Body) => void;
  readonly diagnostic: () => void = () => undefined;
  skipped = false;

  constructor(name: string, after: (hook: Body) => void) {
    [this.name, this.after] = [name, after];
  }

  skip(): void {
    this.skipped = true;
  }

  /** A failing test within a test fails the outer test. */
  async test(name: string, ...rest: readonly unknown[]): Promise<void> {
    const { body, options } = parsed([name, ...rest]);
    if (!options.skip) await runBody({ name: `${this.name} > ${name}`, body, options }, [], []);
  }
}

/** The tests of one file. */
export class RegisteredTests {
  private readonly root = new Suite('');
  private readonly suite = new AsyncLocalStorage<Suite>();
  private readonly describing: Promise<unknown>[] = [];
  private running = false;

  test(parts: readonly unknown[]): void {
    if (this.running) throw new Error('A test was registered while tests run');
    const { name, body, options } = parsed(parts);
    const suite = this.current();
    if (!options.skip) suite.children.push({ name: suite.childName(name), body, options });
  }

  describe(parts: readonly unknown[]): void {
    const { name, body, options } = parsed(parts);
    if (options.skip) return;
    const outer = this.current();
    const suite = new Suite(outer.childName(name), outer);
    outer.children.push(suite);
    const result = this.suite.run(suite, () => (body as () => unknown)());
    if (result instanceof Promise) this.describing.push(result);
  }

  hook(name: HookName, body: Body): void {
    this.current().hooks[name].push(body);
  }

  private current(): Suite {
    return this.suite.getStore() ?? this.root;
  }

  /**
   * Runs the tests and suites that `only` holds, or all. Throws {@link TestFailure} at the first
   * that fails.
   */
  async run(entered: Entered, only?: ReadonlySet<string>): Promise<void> {
    for (let at = 0; at < this.describing.length; at++) await this.describing[at];
    this.running = true;
    await runSuite(this.root, entered, only);
  }
}

async function runSuite(
  suite: Suite,
  entered: Entered,
  within?: ReadonlySet<string>,
): Promise<void> {
  const only = within?.has(suite.name) ? undefined : within;
  if (only && !holdsAny(suite, only)) return;
  const hook = async (name: 'before' | 'after'): Promise<void> => {
    entered(suite.name);
    await failing(suite.name, () => runAll(suite.hooks[name], new RunningTest(suite.name, noHook)));
  };
  try {
    await hook('before');
    for (const child of suite.children) {
      if (child instanceof Suite) await runSuite(child, entered, only);
      else if (!only || only.has(child.name)) {
        entered(child.name);
        await runBody(child, hooksOf(suite, 'beforeEach'), hooksOf(suite, 'afterEach').reverse());
      }
    }
  } finally {
    await hook('after');
  }
}

const holdsAny = (suite: Suite, only: ReadonlySet<string>): boolean =>
  suite.children.some(
    child => only.has(child.name) || (child instanceof Suite && holdsAny(child, only)),
  );

/** Returns the hooks of the suite and those around it, the outermost first. */
const hooksOf = (suite: Suite | undefined, name: HookName): Body[] =>
  suite ? [...hooksOf(suite.parent, name), ...suite.hooks[name]] : [];

async function runBody(
  { name, body, options }: OneTest,
  before: readonly Body[],
  after: readonly Body[],
): Promise<void> {
  const hooks: Body[] = [];
  const context = new RunningTest(name, hook => void hooks.push(hook));
  try {
    await failing(name, async () => {
      await runAll(before, context);
      try {
        await body(context);
      } finally {
        await runAll([...after, ...hooks], context);
      }
    });
  } catch (error) {
    // Tests that are to be written fail without a fault.
    if (!options.todo) throw error;
  }
}

async function runAll(bodies: readonly Body[], context: RunningTest): Promise<void> {
  for (const body of bodies) await body(context);
}

async function failing(test: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof TestFailure ? error : new TestFailure(test, error);
  }
}

function noHook(): never {
  throw new Error('A hook has no `after`');
}

/** Returns name, options and body, each of which may be left out. */
function parsed(parts: readonly unknown[]): OneTest {
  const body = parts.find(each => typeof each === 'function') as Body | undefined;
  const options = parts.find(each => typeof each === 'object' && each !== null) as TestOptions;
  const name = typeof parts[0] === 'string' ? parts[0] : body?.name || '<anonymous>';
  if (body && body.length > 1) throw new Error(`${name}: tests with callbacks are not run here`);
  return { name, body: body ?? (() => undefined), options: options ?? {} };
}
