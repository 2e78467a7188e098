/** Writes `mcp-tools.json`, the list of tools that clients of the Model Context Protocol get. */
import { writeFileSync } from 'node:fs';
import { listedTool, TOOLS } from '../../src/mcp/tools.ts';

const file = new URL('mcp-tools.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(TOOLS.map(listedTool), undefined, 2)}\n`);
