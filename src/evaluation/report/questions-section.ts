/**
 * Renders the section of single questions: its controls, an empty table and the data that the
 * script of the page fills it from.
 */
import { escapeHtml } from './escape.ts';
import { type PageData, scriptJson } from './page-data.ts';
import { PAGE_SCRIPT } from './page-script.ts';

type Choice = readonly [value: string, words: string];

const VERDICTS: readonly Choice[] = [
  ['', 'any answer'],
  ['right', 'right'],
  ['not-right', 'not right'],
  ['wrong', 'wrong'],
  ['refused', 'refused'],
  ['failed', 'failed'],
  ['ungraded', 'not graded'],
];
const EVIDENCE: readonly Choice[] = [
  ['', 'any evidence'],
  ['all', 'all of it reached'],
  ['some', 'part of it reached'],
  ['nothing', 'none of it reached'],
  ['missed', 'something missed'],
  ['ungiven', 'no gold evidence'],
];
const DIFFERENCES: readonly Choice[] = [
  ['', 'all questions'],
  ['first', 'first right, second not'],
  ['second', 'second right, first not'],
  ['verdict', 'answers judged differently'],
  ['answer', 'answers in other words'],
  ['evidence', 'another share of evidence'],
];

const options = (choices: readonly Choice[]): string =>
  choices
    .map(([value, words]) => `<option value="${escapeHtml(value)}">${escapeHtml(words)}</option>`)
    .join('');

const select = (id: string, label: string, choices: readonly Choice[]): string =>
  `<label for="${id}">${label}<select id="${id}">${options(choices)}</select></label>`;

/** Everything in the section but the rows of its table, which the script adds. */
export function questionsSection(data: PageData): string {
  const systems = data.systems.map((label, index): Choice => [String(index), label]);
  const types = [...new Set(data.questions.map(({ type }) => type ?? ''))].filter(Boolean).sort();
  const second: Choice = ['', 'no second system'];
  const controls = [
    '<label for="q-search" class="wide">search questions, answers and evidence<input id="q-search" type="search" autocomplete="off"></label>',
    select('q-first', 'system', systems),
    systems.length > 1 ? select('q-second', 'beside', [second, ...systems]) : '',
    select('q-verdict', 'answer', VERDICTS),
    select('q-evidence', 'evidence', EVIDENCE),
    types.length > 1
      ? select('q-type', 'type', [['', 'any type'], ...types.map((name): Choice => [name, name])])
      : '',
    systems.length > 1 ? select('q-difference', 'difference', DIFFERENCES) : '',
    '<button type="button" id="q-reset">Clear filters</button>',
  ];
  const graded =
    data.rightBy === undefined
      ? 'No measure says of single answers whether they are right.'
      : `Right or wrong by ${data.rightBy}.`;
  return (
    '<section id="questions"><h2>Every question</h2>' +
    `<p class="note">${escapeHtml(graded)} Open a question for its gold evidence, what was missed and why, and what the system showed its reader.</p>` +
    '<noscript><p>This list needs JavaScript; questions.json in the folder of the evaluation holds the same.</p></noscript>' +
    `<form id="q-form" role="search" aria-label="Questions">${controls.join('')}</form>` +
    '<p id="q-count" role="status" aria-live="polite"></p>' +
    '<table id="q-table" role="table" aria-label="Questions"><thead role="rowgroup"></thead><tbody role="rowgroup"></tbody></table>' +
    '<nav id="q-pages" aria-label="Pages of questions"></nav>' +
    `<script type="application/json" id="q-data">${scriptJson(data)}</script>` +
    `<script>${PAGE_SCRIPT}</script></section>`
  );
}
