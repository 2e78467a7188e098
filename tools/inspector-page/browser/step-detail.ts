/** Shows one step of a run in full: a hop, a search, or a hit with what became of it. */
import type { Hop, Search, SearchRef } from '../../../src/core/trace/trace.ts';
import { LIMIT_WORDS } from '../budget-course.ts';
import { placeWords, textOf } from '../document-text.ts';
import type { Fate, FoundHit, Link } from '../hit-fates.ts';
import { button, type Child, cut, element, facts, given, plural, score } from './elements.ts';
import { queryOf, reasonWords, STATE_WORDS, type Step, type Walk } from './hop-tree.ts';

export interface Ways {
  readonly onStep: (step: Step) => void;
  readonly onPlace: (documentId: string, start: number) => void;
}

/** Texts of models and lists that are longer are cut. */
const MOST_TEXT = 20_000;
const MOST_QUOTE = 600;
const MOST_LINKS = 12;

export function stepDetail(walk: Walk, step: Step, ways: Ways): HTMLElement[] {
  const hop = walk.run.hops[step.hop];
  if (!hop) return [];
  if (step.is === 'hop') return hopDetail(walk, hop, step.hop);
  const search = hop.searches[step.search];
  if (!search) return [];
  if (step.is === 'search') return searchDetail(walk, search, step, ways);
  const hit = walk
    .fates()
    .hitsOf(step)
    .find(({ id }) => id === step.id);
  return hit ? hitDetail(walk, hit, step, ways) : [];
}

function hopDetail({ run }: Walk, hop: Hop, index: number): HTMLElement[] {
  const { reason, outputs = [], withdrawn = [], refused = {}, order, scores, spent } = hop;
  const costs = Object.entries(spent)
    .filter(([name, amount]) => name !== 'hops' && amount !== 0)
    .map(([name, amount]) => `${amount} ${LIMIT_WORDS[name as 'hops'] ?? name}`);
  const gone = withdrawn
    .slice(0, MOST_LINKS)
    .map(({ id, why, detail }) =>
      element(
        'li',
        {},
        given(id),
        ': ',
        given(reasonWords(why)),
        detail && ' ',
        detail && given(detail),
      ),
    );
  const counted = Object.entries(refused).map(([why, count]) =>
    element('li', {}, `${count} × `, given(reasonWords(why))),
  );
  return [
    element('h3', {}, `Hop ${index + 1}`),
    ...(reason === undefined ? [] : [element('p', { dir: 'auto' }, cut(reason, MOST_TEXT))]),
    facts([
      ['ended after', `${(run.times[index] ?? 0).toFixed(0)} ms`],
      ['spent', costs.join(', ')],
      ['kept', plural(hop.kept.length, 'item')],
      ['withdrew', gone.length > 0 && element('ul', { class: 'plain' }, ...gone)],
      [
        'rejected, counted only',
        counted.length > 0 && element('ul', { class: 'plain' }, ...counted),
      ],
      ['then', order && `ordered its evidence anew${scores ? ', with new scores' : ''}`],
      ['cut by', hop.incomplete],
    ]),
    ...outputs.map(({ role, text, parsed }) =>
      element(
        'section',
        { class: 'output' },
        element('h4', { dir: 'auto' }, `${role}${parsed ? '' : ' (could not be read)'}`),
        element('pre', { dir: 'auto' }, cut(text, MOST_TEXT)),
      ),
    ),
  ];
}

function searchDetail(walk: Walk, search: Search, ref: SearchRef, ways: Ways): HTMLElement[] {
  const { from, filter, relaxed, retriever, unit, hits, found } = search;
  const states = Object.groupBy(walk.fates().hitsOf(ref), ({ state }) => state);
  const counts = Object.entries(states).map(
    ([state, all]) => `${all.length} ${STATE_WORDS[state as FoundHit['state']]}`,
  );
  const unlisted = walk.fates().unlisted(ref);
  return [
    element('h3', {}, `Search ${ref.search + 1} of hop ${ref.hop + 1}`),
    element('p', { class: 'query' }, queryOf(search, MOST_TEXT)),
    facts([
      ['came from', from ? stepLink(walk, from, ways) : 'the question'],
      ['led to', ...links(walk, walk.fates().ledTo(ref), ways)],
      ['retriever', given(retriever)],
      ['found', plural(found ?? hits.length, unit)],
      ['of these', counts.join(', ')],
      ['not in the file', unlisted > 0 && plural(unlisted, 'hit')],
      ['filter', filter && element('code', { dir: 'auto' }, JSON.stringify(filter))],
      ['filter relaxed', relaxed && given(relaxed)],
    ]),
    ...(unlisted > 0
      ? [
          element(
            'p',
            { class: 'note' },
            'Compact traces leave out hits that no measure reads; multihop ask --full-trace keeps all of them.',
          ),
        ]
      : []),
  ];
}

function hitDetail(walk: Walk, hit: FoundHit, ref: SearchRef, ways: Ways): HTMLElement[] {
  const { id, documentId, rank, spans, state, fates } = hit;
  const known = documentId === '' ? undefined : walk.documents.of(walk.run, documentId);
  const shown = spans.length > 0 ? spans : [];
  const start = shown[0]?.[0] ?? 0;
  const texts = known ? shown.map(([from, to]) => textOf(known, from, to)) : [];
  const quotes = texts.filter(text => text !== undefined && text !== '') as string[];
  const place = known ? placeWords(known, start) : '';
  return [
    element('h3', { dir: 'auto' }, known?.title || documentId || id),
    element('p', {}, element('span', { class: `state ${state}` }, STATE_WORDS[state])),
    ...quotes.map(text => element('blockquote', { dir: 'auto' }, cut(text, MOST_QUOTE))),
    facts([
      ['fate', fates.length > 0 ? fateList(fates) : 'no hop kept or rejected it'],
      ['score', score(hit.score)],
      ['rank', rank !== undefined && `${rank} of its search`],
      ['led to', ...links(walk, walk.fates().ledTo(ref, id), ways)],
      ['id', given(id)],
      ['document', documentId !== '' && given(documentId)],
      ['place', place !== '' && given(place)],
      ['span', shown.length > 0 && shown.map(([from, to]) => `${from} to ${to}`).join(', ')],
    ]),
    ...(documentId === '' || !(known || walk.documents.more)
      ? [
          element(
            'p',
            { class: 'note' },
            'Its text is not in the trace: multihop inspect --store DIR adds the documents.',
          ),
        ]
      : [button('Show in its document', () => ways.onPlace(documentId, start))]),
  ];
}

function fateList(fates: readonly Fate[]): HTMLElement {
  const items = fates.map(fate => {
    const hop = `hop ${fate.hop + 1} `;
    if (fate.is === 'kept') {
      const { of } = fate;
      const by = of ? ` of hop ${of.hop + 1}, search ${of.search + 1}` : '';
      return element('li', {}, `${hop}kept it${by}, score ${score(fate.score)}`);
    }
    const { why, detail } = fate.why;
    const did = fate.is === 'rejected' ? 'rejected it: ' : 'withdrew it: ';
    return element(
      'li',
      {},
      hop,
      did,
      given(reasonWords(why)),
      detail && ' (',
      detail && given(detail),
      detail && ')',
    );
  });
  return element('ul', { class: 'plain' }, ...items);
}

function links(walk: Walk, all: readonly Link[], ways: Ways): Child[] {
  if (all.length === 0) return [];
  const shown = all
    .slice(0, MOST_LINKS)
    .map(({ hop, search }) => element('li', {}, stepLink(walk, { hop, search }, ways)));
  const left = all.length - shown.length;
  return [
    element('ul', { class: 'plain' }, ...shown, left > 0 && element('li', {}, `and ${left} more`)),
  ];
}

/** A button that moves to a search, or to the hit in it. */
function stepLink({ run }: Walk, { hop, search, id }: Link, { onStep }: Ways): HTMLElement {
  const asked = run.hops[hop]?.searches[search];
  const step: Step =
    id === undefined ? { is: 'search', hop, search } : { is: 'hit', hop, search, id };
  const words = element(
    'span',
    {},
    `hop ${hop + 1}, search ${search + 1}`,
    id !== undefined && ', ',
    id !== undefined && given(id),
    asked?.text !== undefined && ': ',
    asked?.text !== undefined && given(cut(asked.text, 60)),
  );
  return button(words, () => onStep(step), { class: 'link' });
}
