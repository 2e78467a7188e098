/** Shows the documents of the evidence, with what was kept and cited marked in their text. */
import { keptInOrder } from '../../../src/core/trace/evidence-order.ts';
import {
  type KnownText,
  type Mark,
  type Piece,
  pageAt,
  piecesOf,
  placeWords,
  type Stretch,
} from '../document-text.ts';
import { citationsOf } from '../hit-fates.ts';
import type { RunRecord } from '../run-record.ts';
import { sourceLink } from './answer-part.ts';
import type { Documents } from './documents.ts';
import { button, type Child, element, given, plural, webAddress } from './elements.ts';

/** Documents that are shown before more are asked for. */
const FIRST = 6;
/** Characters around a mark of a whole document, and the most of one that is shown at once. */
const AROUND = 180;
const MOST_CHARACTERS = 60_000;

export class EvidencePart {
  readonly element: HTMLElement = element('div', { class: 'documents' });
  private readonly run: RunRecord;
  private readonly documents: Documents;
  private readonly ids: readonly string[];
  private readonly marks: ReadonlyMap<string, readonly Mark[]>;
  private readonly articles = new Map<string, HTMLElement>();
  private readonly opened = new Set<string>();

  constructor(run: RunRecord, documents: Documents) {
    this.run = run;
    this.documents = documents;
    this.marks = marksOf(run);
    this.ids = [...this.marks.keys()];
    this.more(FIRST);
  }

  get count(): number {
    return this.ids.length;
  }

  /** Moves to a place of a document, of the evidence or not. */
  async place(id: string, start: number): Promise<void> {
    const article = this.articles.get(id) ?? this.add(id);
    const find = (): HTMLElement | undefined =>
      [...article.querySelectorAll<HTMLElement>('[data-start]')].findLast(
        each => Number(each.dataset['start']) <= start && start < Number(each.dataset['end']),
      );
    if (!find()) {
      this.opened.add(id);
      await this.fill(id, article, start);
    }
    const to = find() ?? article;
    to.tabIndex = -1;
    to.scrollIntoView({ block: 'center' });
    to.focus({ preventScroll: true });
  }

  private more(count: number): void {
    this.element.querySelector(':scope > .more')?.remove();
    const next = this.ids.filter(id => !this.articles.has(id)).slice(0, count);
    for (const id of next) this.add(id);
    const left = this.ids.filter(id => !this.articles.has(id)).length;
    if (left > 0)
      this.element.append(
        button(`Show ${plural(left, 'more document')}`, () => this.more(20), { class: 'more' }),
      );
  }

  private add(id: string): HTMLElement {
    const article = element('article', {});
    this.articles.set(id, article);
    const last = this.element.querySelector(':scope > .more');
    if (last) last.before(article);
    else this.element.append(article);
    void this.fill(id, article);
    return article;
  }

  /** Shows what is known at once, and the whole document when the server has sent it. */
  private async fill(id: string, article: HTMLElement, at?: number): Promise<void> {
    this.show(id, article, this.documents.of(this.run, id), at);
    if (!this.documents.more) return;
    const whole = await this.documents.whole(id);
    if (whole) this.show(id, article, whole, at);
  }

  private show(id: string, article: HTMLElement, known: KnownText | undefined, at?: number): void {
    const marks = this.marks.get(id) ?? [];
    const open = this.opened.has(id);
    article.classList.toggle('opened', open);
    if (open) article.tabIndex = 0;
    const stretches = known ? shownStretches(known, marks, open, at) : [];
    article.replaceChildren(
      heading(id, known),
      ...stretches.flatMap(stretch => this.stretch(known!, stretch, marks)),
      ...(stretches.length > 0 ? [] : [element('p', { class: 'note' }, noText(marks))]),
      ...(known?.whole && !open && !isAll(known, stretches)
        ? [
            button('Show more of this document', () => {
              this.opened.add(id);
              this.show(id, article, known);
            }),
          ]
        : []),
    );
  }

  private stretch(known: KnownText, stretch: Stretch, marks: readonly Mark[]): HTMLElement[] {
    const place = placeWords(known, stretch.start);
    const parts = piecesOf(stretch, marks).map(piece => pieceElement(known, piece));
    return [
      ...(place === '' ? [] : [element('p', { class: 'place', dir: 'auto' }, place)]),
      element(
        'p',
        { class: 'body', dir: 'auto' },
        stretch.start > 0 && '… ',
        ...parts,
        known.whole &&
          stretch.start + stretch.text.length < known.stretches[0]!.text.length &&
          ' …',
      ),
    ];
  }
}

function pieceElement(known: KnownText, { start, text, marked }: Piece): Child {
  const range = { 'data-start': start, 'data-end': start + text.length };
  if (!marked) return element('span', range, text);
  const place = placeWords(known, start);
  const attributes = { ...range, class: marked, title: place === '' ? undefined : place };
  return element('mark', attributes, text);
}

const noText = (marks: readonly Mark[]): string =>
  marks.length > 0
    ? `Its text is not in the trace: multihop inspect --store DIR adds the documents. Kept: ${marks
        .slice(0, 20)
        .map(({ start, end }) => `${start} to ${end}`)
        .join(', ')}.`
    : 'Its text is not in the trace: multihop inspect --store DIR adds the documents.';

function heading(id: string, known: KnownText | undefined): HTMLElement {
  const { title = '', metadata = {} } = known ?? {};
  const address = webAddress(metadata['url']);
  const about = ['source', 'author', 'published_at'].flatMap(field => {
    const value = metadata[field];
    return typeof value === 'string' ? [field === 'published_at' ? value.slice(0, 10) : value] : [];
  });
  const page = known && pageAt(known, known.stretches[0]?.start ?? 0);
  return element(
    'header',
    {},
    element('h3', { dir: 'auto' }, title || id),
    element(
      'p',
      { class: 'note' },
      given([...about, ...(title ? [id] : [])].join(' · ')),
      address !== undefined && ' ',
      address !== undefined && sourceLink(address, known?.whole ? undefined : page),
    ),
  );
}

const isAll = ({ stretches }: KnownText, shown: readonly Stretch[]): boolean =>
  shown.length === 1 && shown[0]!.text.length === stretches[0]?.text.length;

/** Chooses of a whole document windows around its marks, or its beginning up to a bound. */
function shownStretches(
  { stretches, whole }: KnownText,
  marks: readonly Mark[],
  open: boolean,
  at: number | undefined,
): readonly Stretch[] {
  if (!whole) return stretches;
  const { text } = stretches[0]!;
  if (open) {
    const from = at === undefined || at < MOST_CHARACTERS ? 0 : at - AROUND;
    return [{ start: from, text: text.slice(from, from + MOST_CHARACTERS) }];
  }
  const windows: [number, number][] = [];
  for (const { start, end } of marks.length > 0 ? marks : [{ start: 0, end: 0 }]) {
    const [from, to] = [lineStart(text, start), wordEnd(text, end + AROUND)];
    const last = windows.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else windows.push([from, to]);
  }
  return windows.slice(0, 40).map(([from, to]) => ({ start: from, text: text.slice(from, to) }));
}

/** Begins a window at the line before a mark, where that is near. */
function lineStart(text: string, start: number): number {
  const least = Math.max(0, start - AROUND);
  const line = text.lastIndexOf('\n', start - 1);
  if (line >= least) return line + 1;
  if (least === 0) return 0;
  const word = text.indexOf(' ', least);
  return word < 0 || word > start ? least : word + 1;
}

const wordEnd = (text: string, end: number): number => {
  const space = text.indexOf(' ', end);
  return space < 0 || end >= text.length ? text.length : Math.min(space, end + AROUND);
};

/** Returns the marks of each document, ascending, in the order of the evidence. */
function marksOf(run: RunRecord): Map<string, Mark[]> {
  const marks = new Map<string, Mark[]>();
  const add = (documentId: string, mark?: Mark): void => {
    const all = marks.get(documentId) ?? [];
    if (mark) all.push(mark);
    marks.set(documentId, all);
  };
  const items = run.context?.evidence ?? keptInOrder(run.hops);
  for (const { documentId, spans = [] } of items) {
    add(documentId);
    for (const [start, end] of spans) add(documentId, { start, end, cited: false });
  }
  for (const { documentId, start, end } of citationsOf(run))
    add(documentId, { start, end, cited: true });
  for (const all of marks.values()) all.sort((a, b) => a.start - b.start || a.end - b.end);
  return marks;
}
