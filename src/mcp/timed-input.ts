/** Gives the calls of tools a time limit where they name none. */
import type { Budget } from '../core/trace/usage.ts';
import { fieldsOf, type Schema } from '../session/requests/schema.ts';
import { DEFAULT_MS, type ToolCall } from './tool.ts';

/** Says the default in the schema of a call with a budget. */
export function inputOf<Input>(input: Schema<Input>): Schema<Input> {
  const properties = fieldsOf(input);
  const description = `limits that hold together; ms is ${DEFAULT_MS} if missing; the server may have lower ones`;
  return {
    ...input,
    properties: { ...properties, budget: { ...properties['budget'], description } },
  };
}

export function timed<T extends { readonly budget?: Budget }>(input: T, { ms }: ToolCall): T {
  return { ...input, budget: { ms, ...input.budget } };
}
