/** The shape of a set of tools: a search and a way to read on, for one agent. */

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolResult {
  /** Text for the model. */
  readonly text: string;
  /** Inputs of the reading tool around each hit, best first. */
  readonly hits: readonly ToolInput[];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Properties of the JSON Schema of the input; all but `optional` are required. */
  readonly properties: Readonly<Record<string, object>>;
  readonly optional?: readonly string[];
  run(input: ToolInput): Promise<ToolResult>;
}

export interface ToolSet {
  readonly label: string;
  readonly search: Tool;
  readonly read: Tool;
  /** Inputs of `search` for a question or words; the next is tried if one finds nothing. */
  inputsOf(question: string): Promise<readonly ToolInput[]>;
  /** The process of a server of the tools, if they have one. */
  readonly server?: number | undefined;
  close(): Promise<void>;
}

/** Characters of each result that the agent sees, of every tool alike. */
export const MOST_CHARACTERS = 3_200;

/** Runs a tool; the text is cut, and an error is a result, as agents pass it to their model. */
export async function resultOf(tool: Tool, input: ToolInput): Promise<ToolResult> {
  try {
    const { text, hits } = await tool.run(input);
    return { text: text.slice(0, MOST_CHARACTERS), hits };
  } catch (error) {
    return { text: `Error: ${(error as Error).message.slice(0, 200)}`, hits: [] };
  }
}

const STOPS = new Set(
  `a about after all an and any are as at be been before but by can could did do does for from had has
  have how i if in into is it its many may me more most much must my need no not of on one only or
  other out over should so some than that the their them then there these they this to unless until
  up use used uses using want was way were what when where which while who whose why will with
  without would you your`.split(/\s+/),
);

/** Returns the distinct words of a question that carry content, in lower case. */
export const contentWords = (question: string): string[] => [
  ...new Set(
    (question.match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu) ?? [])
      .map(word => word.toLowerCase())
      .filter(word => !STOPS.has(word)),
  ),
];
