/**
 * What the second stage of open questions sees besides: titles that the question or good sentences
 * say, by which documents of a chain hang together (hyperlinks of ChainRAG and entities of
 * HippoRAG, read from the texts themselves), and how well it answers a search for a name.
 */
import { type Features, voiceAt } from './features.ts';
import type { Candidate, QuestionView } from './question-view.ts';
import type { TextWords } from './text-words.ts';

/** How many of the best candidates speak: as far down as a chain's next title is looked for. */
const SPEAKING = 30;
/** Characters of a title that is no mere initial, and of one that is no sentence. */
const MIN_LETTERS = 3;
const MAX_LETTERS = 80;

/** `scores`: of the stage before. */
export function linksOf(view: QuestionView, scores: Float64Array): Features {
  const { candidates } = view;
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const speakers = order
    .slice(0, SPEAKING)
    .map((at, rank): Speaker => speakerOf(candidates[at]!, voiceAt(rank)));
  const question = padded(view.lanes[0]!.toLowerCase());
  const asked = eachDocument(candidates, title => Number(question.includes(title)));
  const said = eachDocument(candidates, (title, documentId) =>
    question.includes(title)
      ? 0
      : (speakers.find(one => one.documentId !== documentId && one.text.includes(title))?.voice ??
        0),
  );
  const open = bestOfEach(speakers).filter(
    ({ title }) => title !== '' && !question.includes(title),
  );
  return {
    'title is asked': asked,
    'title is said': said,
    'says a title': Float64Array.from(
      candidates.map(({ documentId, text }) => {
        const words = wordsOf(text);
        return (
          open.find(one => one.documentId !== documentId && words.includes(one.title))?.voice ?? 0
        );
      }),
    ),
    'found by a name': view.named,
  };
}

interface Speaker {
  readonly documentId: string;
  /** Padded words; the title is empty where it names nothing. */
  readonly text: string;
  readonly title: string;
  readonly voice: number;
}

const speakerOf = ({ documentId, text, title }: Candidate, voice: number): Speaker => ({
  ...{ documentId, text: wordsOf(text), title: titleOf(title), voice },
});

/** In the order of their voices, so that the first of a document is its loudest. */
const bestOfEach = (speakers: readonly Speaker[]): Speaker[] =>
  speakers.filter(
    ({ documentId }, at) => speakers.findIndex(one => one.documentId === documentId) === at,
  );

/** A document's number for each of its candidates; 0 where its title names nothing. */
function eachDocument(
  candidates: readonly Candidate[],
  numberOf: (title: string, documentId: string) => number,
): Float64Array {
  const known = new Map<string, number>();
  return Float64Array.from(
    candidates.map(({ documentId, title }) => {
      const words = titleOf(title);
      const number = known.get(documentId) ?? (words === '' ? 0 : numberOf(words, documentId));
      known.set(documentId, number);
      return number;
    }),
  );
}

/**
 * "Inna (singer)" is said as "Inna". Trimmed first: to look for blanks before a parenthesis takes
 * the square of a long run of them.
 */
export const bareTitle = (title: string): string =>
  title
    .trimEnd()
    .replace(/\([^()]*\)$/, '')
    .trim();

/** The title as a name that can be asked for; empty where it is none. */
export function titleName(title: string): string {
  // Nothing is looked for in a title that is a text.
  const name = title.length > 2 * MAX_LETTERS ? '' : bareTitle(title);
  return name.length < MIN_LETTERS || name.length > MAX_LETTERS ? '' : name;
}

const titles = new WeakMap<TextWords, string>();
const texts = new WeakMap<TextWords, string>();
const titleOf = (title: TextWords): string =>
  remembered(titles, title, () => {
    const words = padded(bareTitle(title.lower));
    return words.trim().length < MIN_LETTERS ? '' : words;
  });
const wordsOf = (text: TextWords): string => remembered(texts, text, () => padded(text.lower));

function remembered(
  memory: WeakMap<TextWords, string>,
  key: TextWords,
  make: () => string,
): string {
  const words = memory.get(key) ?? make();
  memory.set(key, words);
  return words;
}

/**
 * Words with one blank around each, so that whole words alone are found in it. A mark belongs to
 * its letter.
 */
export const padded = (lower: string): string =>
  ` ${lower.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `;
