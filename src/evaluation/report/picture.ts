/**
 * One picture of an evaluation, a self-contained SVG: context tokens against evidence with the
 * control line, and what each number stands for.
 */
import type { EvaluationResult } from '../evaluation-result.ts';
import { escapeHtml } from './escape.ts';
import { figuresOf } from './figures.ts';
import { leadMeasures } from './lead-measures.ts';
import { FIGURE_STYLE } from './page-style.ts';
import { PLOT, seriesClass } from './plot-frame.ts';

const KEY_WIDTH = 460;
const ROW_HEIGHT = 19;
const HEAD = 34;

/**
 * Only rows under the first row's retriever and context can be compared by documents, so only
 * those are drawn; empty when there are none.
 */
export function picture(result: EvaluationResult): string {
  const first = result.rows[0];
  const comparable = {
    ...result,
    rows: result.rows.filter(
      row => row.retriever === first?.retriever && row.context === first?.context,
    ),
  };
  const { key, figures } = figuresOf(comparable);
  const figure = figures.find(({ id }) => id === 'tokens-documents');
  if (!figure) return '';
  const width = PLOT.width + KEY_WIDTH;
  const height = Math.max(PLOT.height, HEAD + (key.length + 1) * ROW_HEIGHT) + HEAD;
  const plot = figure.svg.replace(
    '<svg ',
    `<svg x="0" y="${HEAD}" width="${PLOT.width}" height="${PLOT.height}" `,
  );
  const entries = key.map(({ index, label }, at) => {
    const y = HEAD + 24 + at * ROW_HEIGHT;
    const circle = `<circle class="mark" cx="${PLOT.width + 18}" cy="${y}" r="8"/><text class="number" x="${PLOT.width + 18}" y="${y}" dy=".35em" text-anchor="middle">${index + 1}</text>`;
    return `<g class="${seriesClass(index)}">${circle}</g><text class="axis" x="${PLOT.width + 34}" y="${y}" dy=".35em">${escapeHtml(label)}</text>`;
  });
  const title = `${result.dataset}, ${result.questions.toLocaleString('en-GB')} questions, ${first!.retriever}, ${first!.context}: ${leadMeasures(result).documents} by context tokens; dashed: plain top-k`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui,sans-serif" role="img" aria-label="${escapeHtml(title)}">`,
    `<style>${FIGURE_STYLE}</style>`,
    `<rect width="${width}" height="${height}" style="fill:var(--paper)"/>`,
    `<text class="axis" x="12" y="22">${escapeHtml(title)}</text>`,
    plot,
    ...entries,
    '</svg>\n',
  ].join('\n');
}
