/** Lists the tools. A new tool is an object in a file of this folder, and an entry here. */
import { documentTool } from './document-tool.ts';
import { explainTool } from './explain-tool.ts';
import { askTool, retrieveTool } from './run-tools.ts';
import { searchTool } from './search-tool.ts';
import type { McpTool } from './tool.ts';

export const TOOLS: readonly McpTool[] = [
  searchTool,
  askTool,
  retrieveTool,
  documentTool,
  explainTool,
];

/** A tool in the list of a client. Nothing changes a store, and nothing beyond it is reached. */
export const listedTool = ({ name, title, description, input, output }: McpTool): object => ({
  name,
  title,
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
});
