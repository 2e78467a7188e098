/** Lays the figures of two runs side by side, and says which documents only one of them kept. */
import { keptInOrder } from '../../../src/core/trace/evidence-order.ts';
import { coursesOf, LIMIT_WORDS } from '../budget-course.ts';
import type { RunRecord } from '../run-record.ts';
import type { Documents } from './documents.ts';
import { type Child, cut, element, given } from './elements.ts';

const MOST_LISTED = 12;

/** `names`: of the two runs. */
export function comparison(
  runs: readonly [RunRecord, RunRecord],
  names: readonly [string, string],
  documents: Documents,
): HTMLElement {
  const rows: [string, Child, Child][] = [
    ['answer', ...both(runs, answerWords)],
    ['probability', ...both(runs, probability)],
    ['hops', ...both(runs, ({ hops }) => String(hops.length))],
    ...amountRows(runs),
    ['documents only here', ...onlyHere(runs, documents)],
  ];
  const same = runs[0].asked?.question.text === runs[1].asked?.question.text;
  return element(
    'section',
    { class: 'comparison', 'aria-label': 'Comparison' },
    element('h2', {}, 'Side by side'),
    ...(same ? [] : [element('p', { class: 'note' }, 'These runs answer different questions.')]),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Figures of both runs' },
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            element('td', {}),
            ...names.map(name => element('th', { scope: 'col' }, given(name))),
          ),
        ),
        element(
          'tbody',
          {},
          ...rows.map(([name, one, other]) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, name),
              element('td', {}, one),
              element('td', {}, other),
            ),
          ),
        ),
      ),
    ),
  );
}

const both = (
  [one, other]: readonly [RunRecord, RunRecord],
  show: (run: RunRecord) => Child,
): [Child, Child] => [show(one), show(other)];

function answerWords({ answer, end }: RunRecord): Child {
  const given_ = answer?.answer;
  if (!given_) return end ? 'none' : 'still running';
  if (given_.kind !== 'abstained') return given(cut(given_.text, 300));
  const best = given_.withheld?.text;
  return element(
    'span',
    {},
    'none',
    best !== undefined && '; best candidate ',
    best !== undefined && given(cut(best, 200)),
  );
}

function probability({ answer }: RunRecord): string {
  const known = answer && answer.answer.kind !== 'evidence' ? answer.answer.probability : undefined;
  return known === undefined ? '–' : known.toFixed(2);
}

function amountRows(runs: readonly [RunRecord, RunRecord]): [string, string, string][] {
  const courses = runs.map(coursesOf);
  const names = new Set(courses.flatMap(all => all.map(({ name }) => name)));
  names.delete('hops');
  return [...names].map(name => {
    const [one, other] = courses.map(all => {
      const last = all.find(course => course.name === name)?.spent.at(-1);
      return last === undefined ? '–' : String(Number(last.toFixed(name === 'ms' ? 0 : 4)));
    });
    return [LIMIT_WORDS[name], one!, other!];
  });
}

function onlyHere(
  runs: readonly [RunRecord, RunRecord],
  documents: Documents,
): [HTMLElement, HTMLElement] {
  const sets = runs.map(
    run =>
      new Set((run.context?.evidence ?? keptInOrder(run.hops)).map(({ documentId }) => documentId)),
  );
  const lists = runs.map((run, side) => {
    const here = [...sets[side]!].filter(id => !sets[1 - side]!.has(id));
    if (here.length === 0) return element('span', {}, 'none');
    const items = here
      .slice(0, MOST_LISTED)
      .map(id => element('li', {}, given(cut(documents.of(run, id)?.title || id, 90))));
    const left = here.length - items.length;
    return element(
      'ul',
      { class: 'plain' },
      ...items,
      left > 0 && element('li', {}, `and ${left} more`),
    );
  });
  return [lists[0]!, lists[1]!];
}
