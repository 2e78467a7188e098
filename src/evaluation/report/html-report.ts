/**
 * A report as one HTML page that needs nothing else: inline style, inline SVG, and one script that
 * lists single questions. Everything that comes from data is escaped.
 */
import type { EvaluationResult } from '../evaluation-result.ts';
import type { Curves } from './abstention-section.ts';
import { escapeHtml } from './escape.ts';
import type { Figure, LegendEntry } from './figure.ts';
import { type Figures, figuresOf } from './figures.ts';
import { pageData } from './page-data.ts';
import { SCRIPT_SOURCE, STYLE_SOURCE } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { seriesClass } from './plot-frame.ts';
import { questionsSection } from './questions-section.ts';
import { breakable, isLeft, type ReportTable } from './report-table.ts';
import { leadTable, reportSummary, reportTables } from './report-tables.ts';
import type { ScoredQuestions } from './scored-questions.ts';

/** Allows the page's own script and style by their hashes, and no way from text to markup. */
const POLICY = [
  "default-src 'none'",
  `script-src ${SCRIPT_SOURCE}`,
  `style-src ${STYLE_SOURCE}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const paragraph = (text: string): string => `<p class="note">${escapeHtml(text)}</p>`;

/** A long measure name may break before its capitals. */
const heading = (name: string): string => breakable(name).map(escapeHtml).join('<wbr>');

export function htmlTable(table: ReportTable): string {
  const side = (index: number): string => (isLeft(table, index) ? ' class="left"' : '');
  const head = table.columns
    .map((name, index) => `<th scope="col"${side(index)}>${heading(name)}</th>`)
    .join('');
  const body = table.rows.map(row => {
    const [first, ...rest] = row as [string, ...string[]];
    const cells = rest
      .map((cell, index) => `<td${side(index + 1)}>${escapeHtml(cell)}</td>`)
      .join('');
    return `<tr><th scope="row">${escapeHtml(first)}</th>${cells}</tr>`;
  });
  const label = escapeHtml(table.heading);
  // A region that scrolls must be reachable by keyboard, and so named.
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function section(table: ReportTable): string {
  const content = `${table.notes.map(paragraph).join('')}${htmlTable(table)}`;
  const id = escapeHtml(table.id);
  return table.folded
    ? `<details id="${id}"><summary>${escapeHtml(table.heading)}</summary>${content}</details>`
    : `<section id="${id}"><h2>${escapeHtml(table.heading)}</h2>${content}</section>`;
}

function keyList(entries: readonly LegendEntry[], byMeasure = false): string {
  const items = entries.map(
    ({ index, label }) =>
      `<li><span class="swatch ${seriesClass(index)}" aria-hidden="true">${byMeasure ? '&nbsp;' : index + 1}</span>${escapeHtml(label)}</li>`,
  );
  return `<ul class="key">${items.join('')}</ul>`;
}

function figure({ id, caption, svg, legend, byMeasure }: Figure): string {
  return `<figure id="figure-${id}"><figcaption>${escapeHtml(caption)}</figcaption><div class="scroll" role="region" aria-label="${escapeHtml(caption)}" tabindex="0">${svg}</div>${legend ? keyList(legend, byMeasure) : ''}</figure>`;
}

function figuresSection({ key, figures }: Omit<Figures, 'leading'>): string {
  if (figures.length === 0) return '';
  return `<section id="figures"><h2>Figures</h2>${keyList(key)}<div class="figures">${figures.map(figure).join('')}</div></section>`;
}

function leadSection(result: EvaluationResult, figures: readonly Figure[]): string {
  const table = leadTable(result);
  const drawn = figures.map(figure).join('');
  return `<section id="lead"><h2>${escapeHtml(table.heading)}</h2>${table.notes.map(paragraph).join('')}${htmlTable(table)}<div class="figures">${drawn}</div></section>`;
}

/** An evaluation by an earlier version, or of run files, holds no single questions. */
function questionsOf(result: EvaluationResult, questions: ScoredQuestions | undefined): string {
  const data = questions && pageData(result, questions);
  return data ? questionsSection(data) : '';
}

/**
 * The whole page: accuracy and evidence first, then every question (with `questions`), then figures
 * and tables.
 */
export function htmlReport(
  result: EvaluationResult,
  curves: Curves = {},
  questions?: ScoredQuestions,
): string {
  const title = escapeHtml(`Evaluation on ${result.dataset}`);
  const { key, leading, figures } = figuresOf(result, curves, questions);
  const parts = [
    `<header><h1>${title}</h1>${reportSummary(result).map(paragraph).join('')}</header>`,
    leadSection(result, leading),
    questionsOf(result, questions),
    figuresSection({ key, figures }),
    ...reportTables(result, curves).map(section),
    `<details id="manifest"><summary>Manifest</summary><pre>${escapeHtml(JSON.stringify(result.manifest, null, 2))}</pre></details>`,
  ];
  return (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<title>${title}</title><style>${PAGE_STYLE}</style></head>\n<body>\n<main>\n${parts.filter(part => part !== '').join('\n')}\n</main>\n</body></html>\n`
  );
}
