/** Shows one question in full: gold, what was missed and why, and the evidence of each system. */
import type {
  PageAnswer,
  PageData,
  PageQuestion,
} from '../../../src/evaluation/report/page-data.ts';
import { fateWords, traceAddress } from '../question-list.ts';
import { element, told, traceLink } from './elements.ts';

/** `systems`: indices of the systems that are shown. */
export function questionDetail(
  data: PageData,
  index: number,
  systems: readonly number[],
): HTMLElement {
  const question = data.questions[index]!;
  const { id, type, answers } = question;
  const trace = traceAddress(data, index, systems);
  const facts = [`id ${id}`, ...(type === undefined ? [] : [`type ${type}`])].join(' · ');
  return element(
    'div',
    { class: 'detail' },
    element('p', { class: 'note' }, facts),
    element(
      'p',
      {},
      element('b', {}, 'Accepted answers: '),
      told(answers.length === 0 ? 'none given' : answers.join(' | ')),
    ),
    ...(trace === undefined
      ? []
      : [
          element(
            'p',
            {},
            systems.length > 1
              ? traceLink(trace, 'Both traces side by side', 'Both traces side by side')
              : traceLink(
                  trace,
                  'Its trace: hops, hits and budget',
                  'Its trace: hops, hits and budget',
                ),
          ),
        ]),
    ...goldTable(data, question, systems),
    ...systems.map(system => systemDetail(data, system, question.by[system]!)),
  );
}

function goldTable(
  data: PageData,
  { gold, by }: PageQuestion,
  systems: readonly number[],
): HTMLElement[] {
  if (gold.length === 0) return [element('p', { class: 'note' }, 'No gold evidence is given.')];
  const rows = gold.map(({ title, documentId, fact }, at) =>
    element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row' },
        told(title === '' ? documentId : title),
        ...(fact === undefined ? [] : [element('br'), told(fact)]),
      ),
      ...systems.map(system => {
        const fate = by[system]!.gold[at]!;
        return element(
          'td',
          { class: fate.is === 'reached' ? 'good' : 'bad', 'data-label': data.systems[system]! },
          fateWords(fate),
        );
      }),
    ),
  );
  const heads = ['gold evidence', ...systems.map(system => data.systems[system]!)];
  const head = element('tr', {}, ...heads.map(text => element('th', { scope: 'col' }, text)));
  return [
    element('table', { class: 'gold' }, element('thead', {}, head), element('tbody', {}, ...rows)),
  ];
}

function systemDetail(data: PageData, system: number, answer: PageAnswer): HTMLElement {
  const { withheld, probability, stopped, evidence } = answer;
  const facts = [
    ...(probability === undefined ? [] : [`probability ${probability.toFixed(2)}`]),
    ...(stopped === undefined ? [] : [`ended by the limit of ${stopped}`]),
    `evidence: ${evidence.length}`,
  ];
  const items = evidence.map(at => {
    const { title, documentId, text } = data.passages[at]!;
    const place =
      title === '' || title === documentId ? [] : [' ', element('code', {}, documentId)];
    return element(
      'li',
      {},
      element('b', { dir: 'auto' }, title === '' ? documentId : title),
      ...place,
      ...(text === '' ? [] : [told(text, 'p')]),
    );
  });
  return element(
    'section',
    {},
    element('h3', {}, data.systems[system]!),
    element('p', { class: 'note' }, facts.join(' · ')),
    ...(withheld === undefined ? [] : [element('p', {}, 'Withheld: ', told(withheld))]),
    items.length === 0
      ? element('p', {}, 'It showed its reader nothing.')
      : element('ol', {}, ...items),
  );
}
