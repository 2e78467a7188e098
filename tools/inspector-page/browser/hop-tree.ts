/** Makes the tree of a run: hops, their searches, and the hits of those with their fates. */

import { defined } from '../../../src/core/defined.ts';
import type { Hop, Search, SearchRef } from '../../../src/core/trace/trace.ts';
import { textOf } from '../document-text.ts';
import type { FoundHit, HitFates, HitState } from '../hit-fates.ts';
import type { RunRecord } from '../run-record.ts';
import type { Documents } from './documents.ts';
import { type Child, cut, element, given, plural, score } from './elements.ts';
import type { TreeNode } from './tree.ts';

export interface Walk {
  readonly run: RunRecord;
  readonly documents: Documents;
  readonly fates: () => HitFates;
}

/** A step of a run that the tree shows. */
export type Step =
  | { readonly is: 'hop'; readonly hop: number }
  | ({ readonly is: 'search' } & SearchRef)
  | ({ readonly is: 'hit'; readonly id: string } & SearchRef);

export const STATE_WORDS: Readonly<Record<HitState, string>> = {
  cited: 'cited',
  evidence: 'kept',
  withdrawn: 'withdrawn',
  rejected: 'rejected',
  passed: 'passed over',
};

/** Reasons as strategies name them, in words. */
const REASONS: Readonly<Record<string, string>> = {
  seen: 'was evidence already',
  weak: 'too weak beside the best',
  budget: 'no room in the budget',
  cap: 'beyond the most of one document or hop',
  filtered: 'outside the filter',
  'near-duplicate': 'says what kept evidence says',
  duplicate: 'found twice',
  'below-top-k': 'below the best that are kept',
  repeated: 'repeats an earlier one',
};

export const reasonWords = (why: string): string =>
  Object.hasOwn(REASONS, why) ? `${why}: ${REASONS[why]}` : why;

/** The path of keys from the first level to a step. */
export function pathTo(step: Step): string[] {
  const hop = `h${step.hop}`;
  if (step.is === 'hop') return [hop];
  const search = `${hop}s${step.search}`;
  return step.is === 'search' ? [hop, search] : [hop, search, `${search}:${step.id}`];
}

export function stepOf(key: string): Step | undefined {
  const [, hop, search, id] = /^h(\d+)(?:s(\d+)(?::([\s\S]*))?)?$/.exec(key) ?? [];
  if (hop === undefined) return undefined;
  if (search === undefined) return { is: 'hop', hop: Number(hop) };
  const ref = { hop: Number(hop), search: Number(search) };
  return id === undefined ? { is: 'search', ...ref } : { is: 'hit', ...ref, id };
}

/** Hops with more searches, and later ones, begin closed. */
const OPEN_HOPS = 10;
const OPEN_SEARCHES = 6;

export function hopNode(walk: Walk, index: number): TreeNode {
  const hop = walk.run.hops[index]!;
  const { reason, searches, incomplete } = hop;
  return {
    key: `h${index}`,
    open: index === 0 || (index < OPEN_HOPS && searches.length <= OPEN_SEARCHES),
    row: [
      element('span', { class: 'badge' }, `Hop ${index + 1}`),
      element('span', { class: 'what' }, reason === undefined ? summary(hop) : given(cut(reason))),
      element(
        'span',
        { class: 'meta' },
        reason === undefined ? '' : summary(hop),
        incomplete !== undefined && ` cut by ${incomplete}`,
      ),
    ],
    children: () =>
      searches.map((search, at) => searchNode(walk, { hop: index, search: at }, search)),
  };
}

function summary({ searches, kept, withdrawn = [], rejected, refused = {} }: Hop): string {
  const counted = Object.values(refused).reduce((sum, count) => sum + count, 0);
  const refusals = rejected.length + counted;
  return [
    plural(searches.length, 'search', 'searches'),
    `${kept.length} kept`,
    withdrawn.length > 0 ? `${withdrawn.length} withdrawn` : '',
    refusals > 0 ? `${refusals} rejected` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** `most`: characters of it that are shown. */
export const queryOf = ({ text, vector }: Search, most: number): Child =>
  text === undefined ? `vector of ${vector?.from ?? 'a model'}` : given(cut(text, most));

function searchNode(walk: Walk, ref: SearchRef, search: Search): TreeNode {
  const { unit, hits, found, from } = search;
  const fates = walk.fates();
  const all = found ?? hits.length;
  const kept = fates.hitsOf(ref).filter(({ state }) => state === 'cited' || state === 'evidence');
  const key = `h${ref.hop}s${ref.search}`;
  return defined({
    key,
    row: [
      element('span', { class: 'what query' }, queryOf(search, 150)),
      element(
        'span',
        { class: 'meta' },
        `${plural(all, unit)}${kept.length > 0 ? `, ${kept.length} in the evidence` : ''}`,
        from && ` ← hop ${from.hop + 1}`,
      ),
    ],
    children:
      fates.hitsOf(ref).length > 0
        ? () => {
            const shown = fates.hitsOf(ref);
            const best = Math.max(...shown.map(hit => hit.score || 0), Number.MIN_VALUE);
            return shown.map(hit => hitNode(walk, key, hit, best));
          }
        : undefined,
  });
}

function hitNode({ run, documents }: Walk, search: string, hit: FoundHit, best: number): TreeNode {
  const { id, documentId, rank, state, fates } = hit;
  const known = documents.of(run, documentId);
  const title = known?.title || documentId || id;
  const [from, to] = hit.spans[0] ?? [0, 0];
  // A document's own text says less than its title.
  const text = documentId === id ? '' : ((known && textOf(known, from, to)) ?? '');
  const last = fates.at(-1);
  const why = last && last.is !== 'kept' ? last.why.why : '';
  return {
    key: `${search}:${id}`,
    row: [
      element('span', { class: 'rank' }, rank === undefined ? '' : String(rank)),
      element('span', { class: `state ${state}` }, STATE_WORDS[state]),
      element(
        'span',
        { class: text ? 'what quoted' : 'what' },
        given(cut(text || title, 96)),
        ' ',
        element('small', {}, text ? given(cut(title, 48)) : given(shortId(id, documentId))),
      ),
      element(
        'span',
        { class: 'meta' },
        why !== '' && given(cut(why, 40)),
        why !== '' && ' ',
        score(hit.score),
        scoreBar(hit.score / best),
      ),
    ],
  };
}

/** The part of an id behind that of its document. */
const shortId = (id: string, documentId: string): string =>
  documentId !== '' && id.startsWith(documentId) ? id.slice(documentId.length) : id;

function scoreBar(share: number): HTMLElement {
  const fill = element('i', {});
  fill.style.width = `${Math.max(0, Math.min(1, share || 0)) * 100}%`;
  return element('span', { class: 'score', 'aria-hidden': 'true' }, fill);
}
