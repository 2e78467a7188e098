/** Stands in for `node:test` in the process that runs many mutants. */
import { type Body, type HookName, RegisteredTests } from './registered-tests.ts';

let tests = new RegisteredTests();

/** Returns the tests that were registered since the last call. */
export function takenTests(): RegisteredTests {
  const taken = tests;
  tests = new RegisteredTests();
  return taken;
}

type Register = (...parts: readonly unknown[]) => Promise<void>;
interface Registers extends Register {
  readonly skip: Register;
  readonly todo: Register;
}

function registering(register: (parts: readonly unknown[]) => void): Registers {
  const plain: Register = (...parts) => {
    register(parts);
    return Promise.resolve();
  };
  return Object.assign(plain, { skip: nothing, todo: nothing });
}

const nothing: Register = () => Promise.resolve();
const hook =
  (name: HookName) =>
  (body: Body): void =>
    tests.hook(name, body);

export const describe: Registers = registering(parts => tests.describe(parts));
export const suite: Registers = describe;
export const test: Registers & { readonly test: Registers } = Object.assign(
  registering(parts => tests.test(parts)),
  { test: registering(parts => tests.test(parts)) },
);
export const it: Registers = test;
export const before: (body: Body) => void = hook('before');
export const after: (body: Body) => void = hook('after');
export const beforeEach: (body: Body) => void = hook('beforeEach');
export const afterEach: (body: Body) => void = hook('afterEach');
export default test;
