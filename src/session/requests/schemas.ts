/** JSON Schemas of requests and answers, from which OpenAPI and the tools of MCP are made. */

/** A JSON Schema of the dialect 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** UTF-16 units of the longest question and query. */
export const MOST_QUESTION = 8192;
const MOST_NAME = 1000;
const MOST_FILTER = 8192;
export const MOST_HITS = 1000;
export const MOST_PAGE = 1000;

export const object = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema => ({ type: 'object', properties, required, additionalProperties: false });

/** An object of an answer: later versions may add fields. */
export const record = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema => ({ type: 'object', properties, required });

export const list = (items: Schema): Schema => ({ type: 'array', items });
const text = (description: string, maxLength = MOST_NAME): Schema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});
const shown = (description: string): Schema => ({ type: 'string', description });
const amount = (description: string): Schema => ({ type: 'number', minimum: 0, description });
const whole = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

const SEARCH_LIMITS: Readonly<Record<string, Schema>> = {
  retrievals: whole('searches'),
  rerankedPairs: whole('pairs that a reranker scores'),
  ms: amount('time in milliseconds, with that of building indexes'),
};
const LIMITS = 'limits that hold together; the server may have lower ones';

export const BUDGET: Schema = {
  ...object({
    hops: whole('rounds of the strategy'),
    ...SEARCH_LIMITS,
    documents: whole('documents of the evidence'),
    contextTokens: whole('words of the evidence'),
    modelCalls: whole('calls of models'),
    modelTokens: whole('tokens of models'),
    usd: amount('price of language models, in US dollars'),
  }),
  description: LIMITS,
};

const FILTER = text(
  'only documents whose metadata match, such as source = "The Verge" and published_at >= 2023-10-01',
  MOST_FILTER,
);
const ASKED: Readonly<Record<string, Schema>> = {
  question: text('the question in words', MOST_QUESTION),
  strategy: text('decides what to search, such as fact-lanes or iterative(rounds=3)'),
  retriever: text('searches, such as lexical or hybrid'),
  context: text('the part of each document that the reader gets'),
  filter: FILTER,
  budget: BUDGET,
};

export const RETRIEVE_INPUT: Schema = object(ASKED, ['question']);
export const ASK_INPUT: Schema = object(
  {
    ...ASKED,
    reader: text('turns the evidence into an answer'),
    answerAt: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'least probability of an answer that is given',
    },
  },
  ['question'],
);
export const SEARCH_INPUT: Schema = object(
  {
    query: text('the words to search for', MOST_QUESTION),
    retriever: ASKED['retriever']!,
    k: { type: 'integer', minimum: 1, maximum: MOST_HITS, description: 'largest number of hits' },
    filter: FILTER,
    explain: { type: 'boolean', description: 'adds how each score comes about; lexical alone' },
    budget: { ...object(SEARCH_LIMITS), description: LIMITS },
  },
  ['query'],
);

/** Query parameters of a page of documents. */
export const PAGE_INPUT: Schema = object({
  filter: FILTER,
  after: text('lists documents whose ids come after this one: the next of the page before'),
  limit: { type: 'integer', minimum: 1, maximum: MOST_PAGE, description: 'documents on the page' },
});

const SPAN = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 };
const PLACE: Readonly<Record<string, Schema>> = {
  start: whole('first UTF-16 unit in the text of the document'),
  end: whole('UTF-16 unit after the last'),
  text: shown('the quoted text'),
  heading: list(shown('headings above it, outermost first')),
  line: whole('line of its file, from 1'),
  page: whole('page of its file, from 1'),
};
const ABOUT: Readonly<Record<string, Schema>> = {
  documentId: shown('id of the document'),
  title: shown('title of the document'),
  source: shown('its source'),
  date: shown('the day on which it was published'),
  url: shown('its address'),
  path: shown('its file'),
};
const QUOTE = record(PLACE, ['start', 'end', 'text']);
export const CITATION: Schema = record({ id: shown('id of the item'), ...ABOUT, ...PLACE }, [
  'id',
  'documentId',
  'start',
  'end',
  'text',
]);
export const EVIDENCE: Schema = record(
  {
    id: shown('id of the sentence, passage or document'),
    ...ABOUT,
    hop: whole('number of the hop that kept it, from 1'),
    score: { type: 'number' },
    spans: list(SPAN),
    passage: shown('id of the passage of a sentence'),
    places: whole('places where the hops met this text; missing for one'),
    cited: { type: 'boolean', description: 'the answer cites it' },
    texts: { ...list(QUOTE), description: 'its spans, whole' },
    quotes: {
      ...list(QUOTE),
      description: 'sentences of the texts that are cited, or that fit the question best',
    },
  },
  ['id', 'documentId', 'title', 'hop', 'score', 'spans', 'cited', 'texts', 'quotes'],
);

const RUN: Readonly<Record<string, Schema>> = {
  id: shown('id of the trace: /v1/traces/{id}'),
  question: record({ id: shown('id'), text: shown('the question') }, ['id', 'text']),
  evidence: list(EVIDENCE),
  stopped: record({ by: { enum: ['limit', 'failure', 'abort'] } }, ['by']),
  spent: { type: 'object', additionalProperties: { type: 'number' } },
  ms: { type: 'number' },
  strategy: shown('canonical name'),
  retriever: shown('canonical name'),
  budget: { type: 'object' },
  predictedType: shown('the type of question that the strategy took it for'),
  hops: list({ type: 'object' }),
  trace: record(
    { lines: whole('events'), content: shown('head without times'), line: shown('head of all') },
    ['lines', 'content', 'line'],
  ),
};
const RUN_FIELDS = ['id', 'question', 'evidence', 'spent', 'ms', 'strategy', 'retriever', 'hops'];

export const ASK_OUTPUT: Schema = record(
  {
    ...RUN,
    context: shown('canonical name'),
    reader: shown('canonical name'),
    answer: {
      description: 'null where no answer is likely enough: reason, below and candidates say more',
      // Some clients of tools know no list of types.
      anyOf: [
        record(
          {
            kind: { enum: ['answered', 'abstained', 'evidence'] },
            text: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            reason: { type: 'string' },
            probability: { type: 'number' },
            support: { type: 'number' },
          },
          ['kind', 'text'],
        ),
        { type: 'null' },
      ],
    },
    reason: shown('why no answer is given'),
    below: { type: 'number', description: 'probability that an answer had to reach' },
    probability: { type: 'number' },
    candidates: list(record({ text: shown('an answer'), probability: { type: 'number' } })),
    citations: list(CITATION),
  },
  [...RUN_FIELDS, 'answer', 'citations', 'reader', 'context', 'trace'],
);

export const RETRIEVE_OUTPUT: Schema = record(
  {
    ...RUN,
    context: record(
      {
        name: shown('canonical name'),
        text: shown('the evidence in words'),
        tokens: whole('words'),
      },
      ['name', 'text', 'tokens'],
    ),
    ranking: list(shown('ids of documents, evidence first')),
  },
  [...RUN_FIELDS, 'context', 'ranking', 'trace'],
);

export const SEARCH_OUTPUT: Schema = record(
  {
    query: shown('the query'),
    retriever: shown('canonical name'),
    unit: { enum: ['document', 'passage', 'sentence'] },
    k: whole('largest number of hits'),
    hits: list(
      record(
        {
          rank: whole('from 1'),
          id: shown('id of the hit'),
          ...ABOUT,
          score: { type: 'number' },
          start: PLACE['start']!,
          end: PLACE['end']!,
          quotes: list(QUOTE),
          explanation: { type: 'object' },
          places: whole('hits with this text; missing for one'),
          others: { ...list(shown('id of another hit with this text')), maxItems: 20 },
        },
        ['rank', 'id', 'documentId', 'title', 'score', 'start', 'end', 'quotes'],
      ),
    ),
  },
  ['query', 'retriever', 'unit', 'k', 'hits'],
);
