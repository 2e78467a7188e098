/** Starts the questions of an HTML report: reads the form, shows one page of what it leaves. */
import type { PageData } from '../../../src/evaluation/report/page-data.ts';
import { type Choices, listed, QuestionSearch, type SortKey } from '../question-list.ts';
import { byId, element } from './elements.ts';
import { showHead, showRows } from './question-table.ts';

/** Rows of a page: few enough to appear at once, however many questions there are. */
const PAGE = 25;

const data = JSON.parse(byId('q-data')!.textContent ?? '') as PageData;
const search = new QuestionSearch(data);
const form = byId<HTMLFormElement>('q-form')!;
const sorted: { key: SortKey; descending: boolean } = { key: 'order', descending: false };
let found: number[] = [];
let page = 0;

const chosen = (id: string): string =>
  byId<HTMLInputElement | HTMLSelectElement>(`q-${id}`)?.value ?? '';

function choices(): Choices {
  const second = chosen('second');
  return {
    search: chosen('search'),
    first: Number(chosen('first')),
    second: second === '' ? undefined : Number(second),
    verdict: chosen('verdict'),
    evidence: chosen('evidence'),
    type: chosen('type'),
    difference: chosen('difference'),
    sort: sorted.key,
    descending: sorted.descending,
  };
}

function sortBy(key: SortKey): void {
  sorted.descending = sorted.key === key && !sorted.descending;
  sorted.key = key;
  show();
}

/** Filters and sorts anew, from the first page. */
function show(): void {
  const now = choices();
  const difference = byId<HTMLSelectElement>('q-difference');
  if (difference) difference.disabled = now.second === undefined;
  found = listed(data, now, search);
  page = 0;
  showHead(data, now, sortBy);
  byId('q-table')!.classList.toggle('two', now.second !== undefined);
  showPage();
}

function showPage(): void {
  const all = data.questions.length;
  const from = page * PAGE;
  const to = Math.min(from + PAGE, found.length);
  const part = found.length === all ? `${all} questions` : `${found.length} of ${all} questions`;
  byId('q-count')!.textContent = found.length > PAGE ? `${part}, ${from + 1} to ${to} shown` : part;
  showRows(data, choices(), found.slice(from, to));
  showPager();
}

function showPager(): void {
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const nav = byId('q-pages')!;
  nav.hidden = pages === 1;
  const turn = (words: string, to: number): HTMLElement => {
    const button = element('button', { type: 'button' }, words);
    button.disabled = to < 0 || to >= pages || to === page;
    button.addEventListener('click', () => {
      page = to;
      showPage();
      byId('q-table')!.scrollIntoView({ block: 'nearest' });
      const again = [...nav.querySelectorAll('button')].find(one => one.textContent === words);
      (again?.disabled ? nav.querySelector<HTMLElement>('button:enabled') : again)?.focus();
    });
    return button;
  };
  nav.replaceChildren(
    turn('First', 0),
    turn('Previous', page - 1),
    element('span', {}, `page ${page + 1} of ${pages}`),
    turn('Next', page + 1),
    turn('Last', pages - 1),
  );
}

form.addEventListener('submit', event => event.preventDefault());
form.addEventListener('input', show);
byId('q-reset')!.addEventListener('click', () => {
  form.reset();
  sorted.key = 'order';
  sorted.descending = false;
  show();
});
show();
