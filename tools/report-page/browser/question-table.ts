/** Fills the table of questions: one page of rows, headings that sort, rows that open. */
import type { PageAnswer, PageData } from '../../../src/evaluation/report/page-data.ts';
import { type Choices, reachedOf, type SortKey, traceAddress } from '../question-list.ts';
import { byId, element, told, traceLink } from './elements.ts';
import { questionDetail } from './question-detail.ts';

const MARKS: Readonly<Record<PageAnswer['verdict'], string>> = {
  right: '✓ right',
  wrong: '✗ wrong',
  refused: '– refused',
  failed: '! failed',
  ungraded: 'not graded',
};

interface Column {
  readonly words: string;
  /** Missing for a column that does not sort. */
  readonly sort?: SortKey;
}

function columnsOf(data: PageData, { first, second }: Choices): Column[] {
  const other = second === undefined ? [] : [second];
  return [
    { words: 'no.', sort: 'order' },
    { words: 'question', sort: 'question' },
    { words: other.length > 0 ? data.systems[first]! : 'answer', sort: 'answer' },
    { words: 'evidence', sort: 'evidence' },
    ...other.flatMap(system => [{ words: data.systems[system]! }, { words: 'evidence' }]),
  ];
}

/** `onSort` receives the key of the heading that was pressed. */
export function showHead(data: PageData, choices: Choices, onSort: (key: SortKey) => void): void {
  const cells = columnsOf(data, choices).map(({ words, sort }) => {
    const sorted = sort === choices.sort;
    const direction = choices.descending ? 'descending' : 'ascending';
    const cell = element('th', {
      scope: 'col',
      role: 'columnheader',
      'aria-sort': sorted ? direction : undefined,
    });
    if (sort === undefined) cell.append(words);
    else {
      const mark = sorted ? (choices.descending ? ' ↓' : ' ↑') : '';
      const button = element('button', { type: 'button', 'data-sort': sort }, words + mark);
      button.addEventListener('click', () => onSort(sort));
      cell.append(button);
    }
    return cell;
  });
  const head = byId('q-table')!.querySelector('thead')!;
  const pressed = head.contains(document.activeElement)
    ? document.activeElement!.getAttribute('data-sort')
    : null;
  head.replaceChildren(element('tr', { role: 'row' }, ...cells));
  if (pressed !== null)
    head.querySelector<HTMLElement>(`[data-sort="${CSS.escape(pressed)}"]`)?.focus();
}

/** Shows the rows of one page; `at` are indices of questions. */
export function showRows(data: PageData, choices: Choices, at: readonly number[]): void {
  byId('q-table')!
    .querySelector('tbody')!
    .replaceChildren(...at.map(index => rowOf(data, choices, index)));
}

function rowOf(data: PageData, choices: Choices, index: number): HTMLElement {
  const question = data.questions[index]!;
  const { first, second } = choices;
  const systems = second === undefined ? [first] : [first, second];
  const button = element(
    'button',
    { type: 'button', 'aria-expanded': 'false', class: 'open', dir: 'auto' },
    question.text,
  );
  const row = element(
    'tr',
    { role: 'row' },
    element('td', { role: 'cell', class: 'place', 'data-label': 'no.' }, String(index + 1)),
    element('th', { role: 'rowheader', scope: 'row' }, button),
    ...systems.flatMap(system =>
      cellsOf(data.systems[system]!, question.by[system]!, traceAddress(data, index, [system])),
    ),
  );
  let detail: HTMLElement | undefined;
  button.addEventListener('click', () => {
    if (detail) detail.remove();
    else row.after((detail = detailRow(data, index, systems)));
    const open = button.getAttribute('aria-expanded') !== 'true';
    if (!open) detail = undefined;
    button.setAttribute('aria-expanded', String(open));
  });
  return row;
}

function detailRow(data: PageData, index: number, systems: readonly number[]): HTMLElement {
  const cell = element(
    'td',
    { role: 'cell', colspan: String(2 + 2 * systems.length) },
    questionDetail(data, index, systems),
  );
  return element('tr', { role: 'row', class: 'open' }, cell);
}

/** `trace`: the address of the run's trace. */
function cellsOf(label: string, answer: PageAnswer, trace: string | undefined): HTMLElement[] {
  const { verdict, kind, probability } = answer;
  const { reached, of } = reachedOf(answer);
  const given = kind === 'failed' ? '' : kind === 'abstained' ? 'no answer' : answer.answer;
  const missed = of - reached;
  return [
    element(
      'td',
      { role: 'cell', 'data-label': label },
      element('span', { class: `verdict ${verdict}` }, MARKS[verdict]),
      ' ',
      told(given),
      ...(probability === undefined ? [] : [element('small', {}, ` ${probability.toFixed(2)}`)]),
    ),
    element(
      'td',
      {
        role: 'cell',
        'data-label': 'evidence',
        class: of === 0 ? '' : missed > 0 ? 'bad' : 'good',
      },
      of === 0 ? 'no gold' : `${reached} of ${of}`,
      ...(trace === undefined ? [] : [' ', traceLink(trace, `trace of ${label}`, 'trace')]),
    ),
  ];
}
