/** Draws the trace of the demo's question as an SVG: one column a hop, arrows for origins. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hop, Trace } from '../../src/core/trace/trace.ts';
import { ask, ingest } from '../../src/index.ts';

const QUESTION =
  "Which company is to replace the engines of the ship from which this year's winner of the Fathom Prize listens to the sea?";
const COLUMN = 330;
const BOX = 290;
const LINE = 17;
/** Characters of a line in a box. */
const CHARACTERS = 39;

/** Returns the SVG of the demo's three-hop run. The same text for the same code. */
export async function tracePicture(root: string): Promise<string> {
  const documents = readFileSync(join(root, 'demo/corpus.jsonl'), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
  const engine = await ingest(documents);
  const settings = { strategy: 'iterative(rounds=3)', context: 'lead', reader: 'extractive' };
  return draw(await ask(QUESTION, { engine, ...settings }));
}

function draw(trace: Trace): string {
  const titles = new Map(trace.evidence.map(({ id, title }) => [id, title]));
  const cited = new Set(
    trace.answer.kind === 'answered' ? trace.answer.citations.map(({ id }) => id) : [],
  );
  const placed = new Map<string, { readonly x: number; readonly y: number }>();
  const parts: string[] = [];
  let bottom = 0;
  for (const [index, hop] of trace.hops.entries()) {
    const x = 20 + index * COLUMN;
    let y = 84;
    parts.push(text(x, 66, `Hop ${index + 1}`, 'h'));
    const query = hop.searches[0]!;
    const origin = query.from?.id === undefined ? undefined : placed.get(query.from.id);
    if (origin) parts.push(arrow(origin.x + BOX, origin.y, x, y + 20));
    y = box(parts, x, y, ['search', ...wrapped(queryOf(hop), 4)], 'q') + 14;
    for (const { id } of hop.kept) {
      const lines = [cited.has(id) ? 'evidence, cited' : 'evidence'];
      placed.set(id, { x, y: y + 20 });
      y = box(parts, x, y, [...lines, ...wrapped(titles.get(id) ?? id, 3)], kindOf(cited, id)) + 10;
    }
    bottom = Math.max(bottom, y);
  }
  const answer = trace.answer.kind === 'answered' ? trace.answer.text : 'abstained';
  parts.push(text(20, 26, trace.question.text, 'h'));
  parts.push(text(20, bottom + 26, `Answer: ${answer}`, 't'));
  return page(20 + trace.hops.length * COLUMN, bottom + 46, parts);
}

const kindOf = (cited: ReadonlySet<string>, id: string): string => (cited.has(id) ? 'c' : 'e');
/** Returns the query, with the question named where it is the beginning. */
const queryOf = (hop: Hop): string => {
  const query = hop.searches[0]?.text ?? '';
  return query.startsWith(`${QUESTION} `)
    ? `the question + ${query.slice(QUESTION.length + 1)}`
    : query;
};

/** Adds a box with its lines and returns its lower edge. */
function box(
  parts: string[],
  x: number,
  y: number,
  lines: readonly string[],
  kind: string,
): number {
  const height = lines.length * LINE + 12;
  parts.push(`<rect class="${kind}" x="${x}" y="${y}" width="${BOX}" height="${height}" rx="5"/>`);
  for (const [index, line] of lines.entries())
    parts.push(text(x + 9, y + 18 + index * LINE, line, index === 0 ? 'l' : 'b'));
  return y + height;
}

/** Breaks a text into lines, the last one cut with an ellipsis. */
function wrapped(given: string, most: number): string[] {
  const lines: string[] = [''];
  for (const word of given.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length >= CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]} ...`];
}

const arrow = (x: number, y: number, toX: number, toY: number): string =>
  `<path class="a" d="M${x} ${y} C ${x + 24} ${y}, ${toX - 24} ${toY}, ${toX - 3} ${toY}" marker-end="url(#m)"/>`;

const text = (x: number, y: number, value: string, kind: string): string =>
  `<text class="${kind}" x="${x}" y="${y}">${value.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</text>`;

const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2328}.t{font-size:14px;font-weight:600}
.h{font-weight:600}.l{font-size:11px;fill:#59636e}rect{fill:#f6f8fa;stroke:#d1d9e0}
.q{fill:#ddf4ff;stroke:#54aeff}.c{fill:#dafbe1;stroke:#2da44e}.a{fill:none;stroke:#59636e}`;

const page = (width: number, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The trace of a question over three hops">
<style>${STYLE}</style>
<defs><marker id="m" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#59636e"/></marker></defs>
<rect width="${width}" height="${height}" style="fill:#fff;stroke:none"/>
${parts.join('\n')}
</svg>
`;
