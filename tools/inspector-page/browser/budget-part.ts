/** Draws the budget as it ran down: one small picture an amount, and all of them as a table. */
import { amountWords, type Course, coursesOf, LIMIT_WORDS } from '../budget-course.ts';
import type { RunRecord } from '../run-record.ts';
import { element, picture } from './elements.ts';

const WIDTH = 200;
const HEIGHT = 56;

export function budgetPart(run: RunRecord, name: string): HTMLElement[] {
  const courses = coursesOf(run);
  if (courses.length === 0) return [element('p', { class: 'note' }, 'Nothing was spent yet.')];
  const limited = courses.some(({ limit }) => limit !== undefined);
  return [
    element(
      'p',
      { class: 'note' },
      limited
        ? 'What was left of each limit, from the start over each hop to the end; amounts without a limit rise as they were spent.'
        : 'No limit was set: amounts as they were spent, from the start over each hop to the end.',
    ),
    element('div', { class: 'courses' }, ...courses.map(figure)),
    element(
      'details',
      {},
      element('summary', {}, 'The same as a table'),
      table(run, courses, name),
    ),
  ];
}

const amount = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(4)));

function totals({ limit, spent }: Course): string {
  const last = spent.at(-1) ?? 0;
  return limit === undefined ? amount(last) : `${amount(last)} of ${amount(limit)}`;
}

function figure(course: Course): HTMLElement {
  const { name, limit, spent } = course;
  const left = limit !== undefined;
  const most = Math.max(limit ?? 0, ...spent) || 1;
  const values = spent.map(value => (left ? Math.max(0, limit - value) : value));
  const across = (index: number): number => (index / Math.max(1, values.length - 1)) * WIDTH;
  const down = (value: number): number => HEIGHT - (value / most) * (HEIGHT - 4) - 1;
  const line = values.map((value, index) =>
    index === 0 ? `M0 ${down(value)}` : `H${across(index)}V${down(value)}`,
  );
  const unit = amountWords(name, limit ?? spent.at(-1) ?? 0);
  const words = `${totals(course)} ${unit} spent`;
  return element(
    'figure',
    {},
    element('figcaption', {}, element('b', {}, totals(course)), ` ${unit}`),
    picture(
      'svg',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': words,
        class: left ? 'left' : 'spent',
      },
      ...values.map((_, index) =>
        picture('line', { class: 'grid', x1: across(index), x2: across(index), y1: 0, y2: HEIGHT }),
      ),
      picture('path', { class: 'area', d: `${line.join('')}V${HEIGHT}H0Z` }),
      picture('path', { class: 'line', d: line.join('') }),
    ),
  );
}

/** Hops of a table: more than these are left out of its middle. */
const MOST_ROWS = 60;

function table(run: RunRecord, courses: readonly Course[], name: string): HTMLElement {
  const steps = courses[0]!.spent.length;
  const named = (step: number): string =>
    step === 0 ? 'start' : step <= run.hops.length ? `hop ${step}` : 'end';
  const rows = [...Array(steps).keys()]
    .filter(step => step < MOST_ROWS || step === steps - 1)
    .map(step =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, named(step)),
        ...courses.map(({ spent }) => element('td', {}, amount(spent[step]!))),
      ),
    );
  const limits = courses.map(({ limit }) =>
    element('td', {}, limit === undefined ? 'none' : amount(limit)),
  );
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `What ${name} spent` },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, 'spent after'),
          ...courses.map(({ name }) => element('th', { scope: 'col' }, LIMIT_WORDS[name])),
        ),
      ),
      element(
        'tbody',
        {},
        ...rows,
        element('tr', {}, element('th', { scope: 'row' }, 'limit'), ...limits),
      ),
    ),
  );
}
