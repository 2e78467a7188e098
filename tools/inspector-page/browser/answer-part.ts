/** Shows the answer of a run with its citations and support, or why there is none. */
import type { Answer, Citation, Stopped } from '../../../src/core/trace/trace.ts';
import { pageAt, placeWords, textOf } from '../document-text.ts';
import { citationsOf } from '../hit-fates.ts';
import type { RunRecord } from '../run-record.ts';
import type { Documents } from './documents.ts';
import { bar, button, type Child, element, facts, given, plural, webAddress } from './elements.ts';

export interface AnswerContext {
  readonly run: RunRecord;
  readonly documents: Documents;
  /** Moves to a place of a document. */
  readonly onPlace: (documentId: string, start: number) => void;
}

/** `writing`: pieces of an answer that a model is writing. */
export function answerPart(context: AnswerContext, writing = ''): HTMLElement {
  const { run } = context;
  const answer = run.answer?.answer;
  if (!answer) return unanswered(run, writing);
  const cited = citationsOf(run);
  return element(
    'div',
    { class: `answer ${answer.kind}` },
    ...words(answer, cited),
    likelihood(answer),
    ...(run.end?.stopped ? [stop(run.end.stopped)] : []),
    support(answer),
    ...citationList(context, cited),
    ...sides(context, answer),
  );
}

function unanswered({ end, asked, hops }: RunRecord, writing: string): HTMLElement {
  const words = !asked
    ? 'There is no question in this file.'
    : end
      ? 'The run ended without an answer.'
      : writing || (hops.length === 0 ? 'Searching…' : `Hop ${hops.length + 1}…`);
  return element(
    'div',
    { class: 'answer none' },
    element('p', { class: 'text', dir: 'auto' }, words),
    ...(end?.stopped ? [stop(end.stopped)] : []),
  );
}

function words(answer: Answer, cited: readonly Citation[]): HTMLElement[] {
  if (answer.kind === 'abstained') {
    const best = answer.withheld;
    return [
      element('p', { class: 'kind' }, 'No answer is given'),
      element('p', { dir: 'auto' }, answer.reason),
      ...(best
        ? [
            element('p', { class: 'kind' }, 'Best candidate'),
            element('p', { class: 'text', dir: 'auto' }, best.text),
          ]
        : []),
    ];
  }
  const kind = answer.kind === 'evidence' ? 'What supports the question best' : 'Answer';
  const sentences = answer.kind === 'answered' ? (answer.sentences ?? []) : [];
  const parts = sentences.length > 0 ? sentenceParts(answer.text, sentences, cited) : [answer.text];
  return [
    element('p', { class: 'kind' }, kind),
    element('p', { class: 'text', dir: 'auto' }, ...parts),
  ];
}

/** Numbers after each sentence name the citations of the list below. */
function sentenceParts(
  text: string,
  sentences: NonNullable<Extract<Answer, { kind: 'answered' }>['sentences']>,
  cited: readonly Citation[],
): Child[] {
  let at = 0;
  const parts = sentences.flatMap(({ end, citations }): Child[] => {
    const piece = text.slice(at, end);
    at = Math.max(at, end);
    const numbers = citations.map(
      one => cited.findIndex(({ id, start }) => id === one.id && start === one.start) + 1,
    );
    const known = numbers.filter(number => number > 0);
    return [piece, known.length > 0 && element('sup', {}, `[${known.join(', ')}]`)];
  });
  return [...parts, text.slice(at)];
}

function likelihood(answer: Answer): HTMLElement | undefined {
  const probability = answer.kind === 'evidence' ? undefined : answer.probability;
  if (probability === undefined) return undefined;
  const below = answer.kind === 'abstained' ? answer.below : undefined;
  const words = `probability ${probability.toFixed(2)}${below === undefined ? '' : `, ${below} was asked for`}`;
  return element('p', { class: 'likely' }, bar(probability), ' ', words);
}

function stop(stopped: Stopped): HTMLElement {
  const words =
    stopped.by === 'limit'
      ? `Ended by the limit on ${stopped.limit}: this is what had been found.`
      : stopped.by === 'abort'
        ? 'Aborted: this is what had been found.'
        : `Ended by a failure of ${stopped.port} (${stopped.code}): ${stopped.message}`;
  return element('p', { class: 'stopped', dir: 'auto' }, words);
}

function support(answer: Answer): HTMLElement {
  const answered = answer.kind === 'answered' ? answer : undefined;
  const {
    alternatives = [],
    dropped = [],
    unread,
    confidence,
  } = answer.kind === 'evidence' ? ({} as Partial<Extract<Answer, { kind: 'abstained' }>>) : answer;
  const others = alternatives.map(({ text, probability }) =>
    element('li', {}, given(text), ` ${probability.toFixed(2)}`),
  );
  return facts([
    ['support', answer.support === undefined ? undefined : answer.support.toFixed(3)],
    ['form', confidence && `${confidence.form}, ${confidence.share.toFixed(2)} of the candidates`],
    ['question type', answer.questionType && given(answer.questionType)],
    ['not read to the end', unread ? plural(unread, 'part') : undefined],
    ['cited and not shown', dropped.length > 0 && dropped.join(', ')],
    ['other candidates', others.length > 0 && element('ul', { class: 'plain' }, ...others)],
    [
      'not supported',
      answered?.unsupported &&
        element('ul', {}, ...answered.unsupported.map(text => element('li', {}, given(text)))),
    ],
  ]);
}

function citationList(context: AnswerContext, cited: readonly Citation[]): HTMLElement[] {
  if (cited.length === 0) return [];
  const items = cited.map(citation => element('li', {}, ...citationParts(context, citation)));
  return [element('h3', {}, 'Cites'), element('ol', { class: 'citations' }, ...items)];
}

function citationParts(
  { run, documents, onPlace }: AnswerContext,
  { documentId, start, end }: Citation,
): Child[] {
  const known = documents.of(run, documentId);
  const text = known && textOf(known, start, end);
  const title = known?.title || documentId;
  const place = known ? placeWords(known, start) : '';
  const address = webAddress(known?.metadata['url']);
  const page = known && pageAt(known, start);
  return [
    text !== undefined && element('blockquote', { dir: 'auto' }, text),
    element(
      'span',
      { class: 'source' },
      button(given(title), () => onPlace(documentId, start), { class: 'link' }),
      place !== '' && element('span', { class: 'place' }, ' ', given(place)),
      address !== undefined && ' ',
      address !== undefined && sourceLink(address, page),
    ),
  ];
}

/** A link to the source; a PDF opens at the page. */
export function sourceLink(address: string, page?: number): HTMLElement {
  const at = page === undefined || address.includes('#') ? '' : `#page=${page}`;
  return element(
    'a',
    { href: `${address}${at}`, rel: 'noreferrer noopener', target: '_blank' },
    `${new URL(address).host} ↗`,
  );
}

function sides(context: AnswerContext, answer: Answer): HTMLElement[] {
  if (answer.kind !== 'abstained' || !answer.sides) return [];
  return answer.sides.map(({ claim, citations }) =>
    element(
      'section',
      { class: 'side' },
      element('h4', { dir: 'auto' }, claim),
      element(
        'ul',
        { class: 'citations' },
        ...citations.map(citation => element('li', {}, ...citationParts(context, citation))),
      ),
    ),
  );
}
