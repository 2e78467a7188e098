/**
 * Defines twelve short invented documents with sources and dates, and questions over them: enough
 * to check every law without a file.
 */
import type { Document, Metadata } from '../core/corpus/document.ts';
import type { Question } from '../core/trace/trace.ts';

function document(
  id: string,
  title: string,
  metadata: Metadata,
  ...sentences: readonly string[]
): Document {
  return { id, title, text: sentences.join(' '), metadata };
}

/** Documents in no order of id; two have equal texts, so that scores tie. */
export const FIXTURE_DOCUMENTS: readonly Document[] = [
  document(
    'lighthouse-sold',
    'Harrow Point lighthouse is sold',
    {
      source: 'Coast Courier',
      category: 'property',
      published_at: '2024-03-02T08:00:00+00:00',
      author: 'Ada Finch',
      year: 2024,
    },
    'The lighthouse at Harrow Point was sold on Friday for nine hundred crowns.',
    'Its buyer is the glass maker Ines Quill, who founded the Quill Works in Tarn.',
    'She will keep the lamp burning. The council had asked for twice the price!',
  ),
  document(
    'quill-works',
    'Quill Works opens a second furnace',
    {
      source: 'Tarn Gazette',
      category: 'business',
      published_at: '2024-02-11T06:30:00+00:00',
      author: 'Bo Lind',
      year: 2024,
    },
    'The Quill Works of Tarn opened a second furnace this week.',
    'Its founder studied under the lens grinder Osk Maren.',
    'The works employs forty people. Orders have doubled since the autumn fair.',
  ),
  document(
    'osk-maren',
    'Osk Maren, lens grinder, wins the Silver Prism',
    {
      source: 'Coast Courier',
      category: 'people',
      published_at: '2024-01-20T09:15:00+00:00',
      author: 'Ada Finch',
      tags: ['glass', 'prizes'],
    },
    'Osk Maren was given the Silver Prism in the town of Vell.',
    'The prize is paid by the Vell Observatory.',
    'Maren said that the money will go to the apprentices.',
  ),
  document(
    'vell-observatory',
    'Vell Observatory reports a quiet winter',
    {
      source: 'The Meridian',
      category: 'science',
      published_at: '2024-01-31T12:00:00+00:00',
      tags: ['stars'],
      year: 2024,
    },
    'The Vell Observatory counted fewer clear nights than in any winter since 1998.',
    'Its director, Pia Sol, blames the smoke of the new furnaces.',
    'A second telescope is planned for 2026.',
  ),
  document(
    'furnace-smoke',
    'Council measures furnace smoke',
    {
      source: 'Tarn Gazette',
      category: 'politics',
      published_at: '2024-03-05T07:45:00+00:00',
      author: 'Bo Lind',
    },
    'The council of Tarn has measured the smoke of its furnaces.',
    'It found no change since the second furnace was lit.',
    'Pia Sol of the observatory calls the figures too early to judge.',
  ),
  document(
    'harbour-fair',
    'Harbour fair moves to autumn',
    {
      source: 'Coast Courier',
      category: 'people',
      published_at: '2023-11-02T10:00:00+00:00',
      year: 2023,
    },
    'The harbour fair moves to the autumn.',
    'Boat builders had complained about the summer crowds.',
    'The fair sold four thousand tickets last year.',
  ),
  document(
    'boat-builder',
    'Boat builder Lund buys the old ropewalk',
    {
      source: 'Coast Courier',
      category: 'property',
      published_at: '2023-12-12T08:20:00+00:00',
      author: 'Cy Marsh',
      year: 2023,
      featured: 'False',
    },
    'The boat builder Lund has bought the old ropewalk at Harrow Point.',
    'He paid six hundred crowns and plans a workshop for apprentices.',
  ),
  document(
    'ropewalk-history',
    'A short history of the ropewalk',
    { source: 'The Meridian', category: 'history', published_at: '2023-10-07' },
    'The ropewalk was built in 1811 and made rope for the harbour until 1970.',
    'Its longest rope measured nine hundred feet.',
    'Nobody knows who drew the plans.',
  ),
  document('twin-a', 'Notice', { source: 'Notices' }, 'The ferry does not run on Sunday.'),
  document('twin-b', 'Notice', { source: 'Notices' }, 'The ferry does not run on Sunday.'),
  document(
    'foreign-words',
    'Straße, café and 東京',
    {
      source: 'The Meridian',
      category: 'people',
      published_at: '2024-02-29T23:59:59+00:00',
      rating: 4.5,
      featured: true,
    },
    'A traveller’s notes: the café on the Straße closes at ten 😀.',
    'In 東京 nothing closes. “Why should it?” asks the owner.',
  ),
  document(
    'untitled',
    '',
    {},
    'Nobody signed this note. It says that the lamp at Harrow Point burned blue on Friday.',
  ),
];

/**
 * Questions of several forms: one hop and more, with and without sources, dates and known words.
 */
export const FIXTURE_QUESTIONS: readonly Question[] = [
  'Who studied under the lens grinder that won the Silver Prism and founded the works whose owner bought the lighthouse at Harrow Point?',
  'Did the Coast Courier report that the lighthouse was sold, while the Tarn Gazette report published on March 5, 2024 found no change in the smoke of the furnaces?',
  'Which observatory pays the prize that Osk Maren, according to the Coast Courier article, was given and according to The Meridian had a quiet winter?',
  'ferry',
  'Where was the rope made, and the fair held, and the boat built, and the lamp lit, and the prize given?',
  'Zyxt qwrp vlmno?',
].map((text, index) => ({ id: `fixture-${index + 1}`, text }));

/** Malformed questions: none may throw, hang or be answered without evidence. */
export const HOSTILE_QUESTIONS: readonly Question[] = [
  '?',
  '((',
  'the of a',
  '\ud800',
  '\u0000 $& [a-z]+ \\ "',
  'x'.repeat(8_000),
  'lighthouse '.repeat(700),
  'Is it? Who? Why, yes or no, and when, while, versus; but?',
  'Coast Courier Coast Courier Tarn Gazette, 2024-03-05, February 31, 2024',
].map((text, index) => ({ id: `hostile-${index + 1}`, text }));
