/** Makes tools of agents over a store from the tools of the MCP server. */
import { type Filter, matches } from '../core/corpus/filter.ts';
import { parseFilter } from '../core/corpus/filter-expression.ts';
import type { Budget } from '../core/trace/usage.ts';
import { documentTool } from '../mcp/document-tool.ts';
import { DEFAULT_MS, type McpTool } from '../mcp/tool.ts';
import { MOST_RESULT, toolResult } from '../mcp/tool-result.ts';
import { TOOLS } from '../mcp/tools.ts';
import { type DescribedSchema, describedSchema } from '../models/standard-schema.ts';
import { checkAnswerAt } from '../readers/answer-at.ts';
import { DEFAULTS } from '../run/ask-options.ts';
import { checkBudget } from '../run/run-budget.ts';
import { canonicalMembers, type MemberNames } from '../run/run-members.ts';
import { unknownId } from '../search/checked-search.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { sessionOf } from '../session/open-store.ts';
import { AnsweringStore } from '../session/requests/answering-store.ts';
import { checkedInput, coerced } from '../session/requests/checked-input.ts';
import { fieldsOf, object, record, type Schema, text } from '../session/requests/schema.ts';
import type { AskInput } from '../session/requests/schemas.ts';

/** Fixes what the model of an agent does not choose; names are those of `multihop list`. */
export interface AgentToolOptions
  extends Pick<AskInput, 'strategy' | 'retriever' | 'context' | 'reader' | 'answerAt'> {
  /**
   * Restricts every search and `read_document`; if missing the model chooses a filter. False: there
   * is none, for small models, which fill in every argument that they are shown.
   */
  readonly filter?: string | false;
  /**
   * True: the words of `ask` and `retrieve` end with the ids that `read_document` and `explain_run`
   * take, which the model else reads beside passages, or from your program. Small models follow
   * every such hint.
   */
  readonly hints?: boolean;
  /** Limits of each call; `ms` is 45,000 if missing. */
  readonly budget?: Budget;
}

/** Arguments of a call, as the input schema of the tool describes them. */
export type AgentToolInput = Readonly<Record<string, unknown>>;

/** The record of `--json` of the command, and the same in words. */
export interface AgentToolOutput {
  readonly [field: string]: unknown;
  /** Result in words, with texts of documents quoted as data, for the model. */
  readonly modelText: string;
}

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly form: Schema;
  readonly input: DescribedSchema<AgentToolInput>;
  readonly output: DescribedSchema<AgentToolOutput>;
  /** Throws `InputError`, or `PortError` if a model or the store fails. */
  call(input: AgentToolInput, signal?: AbortSignal): Promise<AgentToolOutput>;
}

export const TOOL_NAMES = ['search', 'ask', 'retrieve', 'read_document', 'explain_run'] as const;
export type AgentToolName = (typeof TOOL_NAMES)[number];

/** Arguments that a model chooses: a program names members and limits. */
const CHOSEN = ['question', 'query', 'k', 'filter', 'id', 'offset', 'limit', 'hop'];

/**
 * Throws `InputError`: `bad-store` for a store that `openStore` did not open, and for members and
 * limits that a call would refuse.
 */
export function agentTools<T>(
  store: DocumentStore,
  { budget, filter, hints = false, ...members }: AgentToolOptions,
  toolOf: (tool: AgentTool) => T,
): Record<AgentToolName, T> {
  checkChosen({ ...members, budget, filter });
  checkAnswerAt(members.answerAt ?? 0);
  const fixed = { ...members, filter };
  const answering = AnsweringStore.over(sessionOf(store), { budget });
  const tools = TOOLS.map(tool => [tool.name, toolOf(agentTool(tool, answering, fixed, hints))]);
  return Object.fromEntries(tools) as Record<AgentToolName, T>;
}

/** Throws `InputError` for names of members, a filter and limits that a call would refuse. */
export function checkChosen({
  budget,
  filter,
  ...members
}: {
  readonly [name in keyof MemberNames]?: MemberNames[name] | object | undefined;
} & { readonly budget?: Budget | undefined; readonly filter?: unknown }): void {
  if (typeof filter === 'string') parseFilter(filter);
  const given = members as Readonly<Record<string, unknown>>;
  // Members made in code have no name to check.
  const names = pick(given, name => typeof given[name] !== 'object');
  canonicalMembers({ ...DEFAULTS, ...(names as Partial<MemberNames>) });
  checkBudget(budget ?? {});
}

function agentTool(
  tool: McpTool,
  store: AnsweringStore,
  members: Omit<AgentToolOptions, 'budget' | 'hints'>,
  hints: boolean,
): AgentTool {
  const { name, title, description } = tool;
  const fields = fieldsOf(tool.input);
  const stated = pick(members, name => name in fields);
  const form = object(pick(fields, name => CHOSEN.includes(name) && !(name in stated)));
  const fixed = pick(stated, name => stated[name] !== false);
  const { filter } = members;
  const within = name === documentTool.name && typeof filter === 'string' && parseFilter(filter);
  const check = checkedInput(form);
  const checked = (value: unknown): AgentToolInput => check(coerced(value, form)) as AgentToolInput;
  const output = record({
    ...fieldsOf(tool.output),
    modelText: text('the result in words, for the model'),
  });
  return {
    name,
    title,
    description,
    form,
    input: describedSchema(form, checked),
    // The record is ours: it is what its schema says.
    output: describedSchema(output, value => value as AgentToolOutput),
    async call(input, signal = new AbortController().signal) {
      const limits = { ms: DEFAULT_MS, most: MOST_RESULT, signal, hints, onRun: () => {} };
      const given = { ...checked(input), ...fixed };
      if (within) await checkWithin(store, within, given['id'] as string);
      const reply = await tool.answer(given, { store, ...limits });
      const { content, structuredContent } = toolResult(reply, MOST_RESULT);
      return { ...structuredContent, modelText: content[0].text };
    },
  };
}

/** Throws as for an unknown document: a model is not told what it may not read. */
async function checkWithin(store: AnsweringStore, filter: Filter, id: string): Promise<void> {
  if (!matches(filter, (await store.document(id)).metadata)) throw unknownId('document', id);
}

/** Returns the entries whose names pass, without undefined ones. */
const pick = <T>(
  entries: Readonly<Record<string, T>>,
  passes: (name: string) => boolean,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(entries).filter(([name, entry]) => passes(name) && entry !== undefined),
  );
