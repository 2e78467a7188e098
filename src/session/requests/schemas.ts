/** Types and JSON Schemas of requests and answers; OpenAPI and the tools of MCP have them. */
import type { Span } from '../../core/corpus/document.ts';
import type { FollowUp } from '../../core/trace/trace.ts';
import type { Budget } from '../../core/trace/usage.ts';
import type { Turn } from '../../language/follow-ups/turn.ts';
import type { JsonSchema } from '../../models/language-model.ts';
import type { Explanation } from '../../search/indexes/explanation.ts';
import type { SearchHit } from '../document-store.ts';
import type { About, Quote, ShownCitation } from '../evidence-view.ts';
import type { EvidenceFields, ShownEvidence } from '../shown-evidence.ts';
import {
  amount,
  type FieldsOf,
  flag,
  list,
  number,
  object,
  optional,
  record,
  type Schema,
  some,
  text,
  whole,
} from './schema.ts';

/** UTF-16 units of the longest question and query. */
export const MOST_QUESTION = 8192;
const MOST_NAME = 1000;
const MOST_FILTER = 8192;
const MOST_HITS = 1000;
const MOST_PAGE = 1000;
export const MOST_TURNS = 1000;

/** The fields of `ask` in a request; names are those of `multihop list`. */
export interface AskInput {
  readonly question: string;
  /** The turns before it, the oldest first. */
  readonly earlier?: readonly Turn[];
  readonly strategy?: string;
  readonly retriever?: string;
  readonly context?: string;
  readonly reader?: string;
  readonly answerAt?: number;
  /** JSON Schema of the answer. */
  readonly schema?: JsonSchema;
  /** An expression, such as `source = "The Verge"`. */
  readonly filter?: string;
  readonly budget?: Budget;
}

export type RetrieveInput = Omit<AskInput, 'reader' | 'answerAt' | 'schema'>;

export interface SearchInput {
  readonly query: string;
  readonly retriever?: string;
  readonly k?: number;
  readonly filter?: string;
  readonly explain?: boolean;
  readonly budget?: Budget;
}

export interface PageInput {
  readonly filter?: string;
  readonly after?: string;
  readonly limit?: number;
}

export interface SearchReply {
  readonly query: string;
  readonly retriever: string;
  readonly unit: string;
  readonly k: number;
  /** Phrases in quotes that no item holds; missing if there are none. */
  readonly absentPhrases?: readonly string[];
  readonly hits: readonly SearchHit[];
}

const words = (description: string, maxLength = MOST_NAME): Schema<string> => ({
  ...text(description),
  minLength: 1,
  maxLength,
});

const WITHIN = 'limits that hold together; the server may have lower ones';
const LIMITS: FieldsOf<Budget> = {
  hops: optional(whole('rounds of the strategy')),
  retrievals: optional(whole('searches')),
  rerankedPairs: optional(whole('pairs that a reranker scores')),
  ms: optional(amount('time in milliseconds, with that of building indexes')),
  documents: optional(whole('documents of the evidence')),
  contextTokens: optional(whole('words of the evidence')),
  modelCalls: optional(whole('calls of models')),
  modelTokens: optional(whole('tokens of models')),
  usd: optional(amount('price of language models, in US dollars')),
};
const { retrievals, rerankedPairs, ms } = LIMITS;

const FILTER = optional(
  words(
    'only documents whose metadata match, such as source = "The Verge" and published_at >= 2023-10-01',
    MOST_FILTER,
  ),
);
const RETRIEVER = optional(words('searches, such as lexical or hybrid'));

const EARLIER: Schema<readonly Turn[]> = {
  ...list(
    object<Turn>({
      question: text('what was asked'),
      answer: optional(text('what was answered')),
    }),
  ),
  maxItems: MOST_TURNS,
  description:
    'earlier turns of the conversation, the oldest first, if the question refers to them ("And when was it founded?"): it is then asked as a question that stands alone, which followUp names; the newest that have room are read',
};

const ASKED: FieldsOf<RetrieveInput> = {
  question: words('the question in words', MOST_QUESTION),
  earlier: optional(EARLIER),
  strategy: optional(words('decides what to search, such as fact-lanes or iterative(rounds=3)')),
  retriever: RETRIEVER,
  context: optional(words('the part of each document that the reader gets')),
  filter: FILTER,
  budget: optional({ ...object<Budget>(LIMITS), description: WITHIN }),
};

export const RETRIEVE_INPUT: Schema<RetrieveInput> = object<RetrieveInput>(ASKED);
export const ASK_INPUT: Schema<AskInput> = object<AskInput>({
  ...ASKED,
  reader: optional(words('turns the evidence into an answer')),
  answerAt: optional({ ...amount('least probability of an answer that is given'), maximum: 1 }),
  schema: optional({
    ...(some as Schema<JsonSchema>),
    description:
      'JSON Schema (2020-12) of the answer, which a language model then gives as JSON; fields of answer has the citations of each',
  }),
});
export const SEARCH_INPUT: Schema<SearchInput> = object<SearchInput>({
  query: words('the words to search for', MOST_QUESTION),
  retriever: RETRIEVER,
  k: optional({ ...whole('largest number of hits', 1), maximum: MOST_HITS }),
  filter: FILTER,
  explain: optional(flag('adds how each score comes about; lexical alone')),
  budget: optional({
    ...object<Pick<Budget, 'retrievals' | 'rerankedPairs' | 'ms'>>({
      retrievals,
      rerankedPairs,
      ms,
    }),
    description: WITHIN,
  }),
});

/** Query parameters of a page of documents. */
export const PAGE_INPUT: Schema<PageInput> = object<PageInput>({
  filter: FILTER,
  after: optional(
    words('lists documents whose ids come after this one: the next of the page before'),
  ),
  limit: optional({ ...whole('documents on the page', 1), maximum: MOST_PAGE }),
});

const SPAN: Schema<Span> = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 };
const QUOTED: FieldsOf<Quote> = {
  start: whole('first UTF-16 unit in the text of the document'),
  end: whole('UTF-16 unit after the last'),
  text: text('the quoted text'),
  heading: optional(list(text('headings above it, outermost first'))),
  line: optional(whole('line of its file, from 1')),
  page: optional(whole('page of its file, from 1')),
};
/** Facts of a document. */
export const ABOUT: FieldsOf<About> = {
  documentId: text('id of the document'),
  title: text('title of the document'),
  source: optional(text('its source')),
  date: optional(text('the day on which it was published')),
  url: optional(text('its address')),
  path: optional(text('its file')),
};
const QUOTES = list(record<Quote>(QUOTED));
const EVIDENCE = record<ShownEvidence>({
  id: text('id of the sentence, passage or document'),
  ...ABOUT,
  hop: whole('number of the hop that kept it, from 1'),
  score: number(),
  spans: list(SPAN),
  passage: optional(text('id of the passage of a sentence')),
  places: optional(whole('places where the hops met this text; missing for one')),
  cited: flag('the answer cites it'),
  texts: { ...QUOTES, description: 'its spans, whole' },
  quotes: {
    ...QUOTES,
    description: 'sentences of the texts that are cited, or that fit the question best',
  },
  side: optional(text('one of compared; missing if it is about both or neither')),
});

const RUN: Readonly<Record<string, Schema>> = {
  id: text('id of the trace: /v1/traces/{id}'),
  question: record({ id: text('id'), text: text('the question') }),
  followUp: optional(
    record<FollowUp>({
      asked: text('the question as it was asked; question is the one that stands alone'),
      by: { enum: ['model', 'rules'] },
      turns: whole('earlier turns that were read, the newest'),
      of: whole('all earlier turns'),
      cut: optional(flag('the last turn was too long and was cut')),
      unsure: optional(text('why it was left as it was asked')),
      outputs: optional(list(some) as Schema<NonNullable<FollowUp['outputs']>>),
      spent: { type: 'object', additionalProperties: { type: 'number' } },
    }),
  ),
  compared: optional(
    list(text('a thing that the question compares')) as Schema<EvidenceFields['compared']>,
  ),
  evidence: list(EVIDENCE),
  stopped: optional(record({ by: { enum: ['limit', 'failure', 'abort'] } })),
  cut: optional(
    list(
      record({
        role: text('purpose of the reply of the model that was cut'),
        tokens: optional(whole('tokens that it could have')),
        ms: optional(number('milliseconds that it could take')),
        thinking: optional(flag('the model still thought')),
      }),
    ),
  ),
  spent: { type: 'object', additionalProperties: { type: 'number' } },
  ms: number(),
  strategy: text('canonical name'),
  retriever: text('canonical name'),
  budget: optional(some),
  predictedType: optional(text('the type of question that the strategy took it for')),
  language: optional(text('ISO 639-1 code of the language of the question; missing for English')),
  hops: list(some),
  trace: record({
    lines: whole('events'),
    content: text('head without times'),
    line: text('head of all'),
  }),
};

export const ASK_OUTPUT: Schema = record({
  ...RUN,
  context: text('canonical name'),
  reader: text('canonical name'),
  answer: {
    description: 'null where no answer is likely enough: reason, below and candidates say more',
    // Some clients of tools know no list of types.
    anyOf: [
      record({
        kind: { enum: ['answered', 'abstained', 'evidence'] },
        text: { anyOf: [text(), { type: 'null' }] },
        reason: optional(text()),
        probability: optional(number()),
        support: optional(number()),
        fields: optional(list(some)),
        readBy: optional(
          text('reader whose answer it is, if `reader` left it to another or its model failed'),
        ),
      }),
      { type: 'null' },
    ],
  },
  reason: optional(text('why no answer is given')),
  below: optional(number('probability that an answer had to reach')),
  probability: optional(number()),
  candidates: optional(
    list(record({ text: optional(text('an answer')), probability: optional(number()) })),
  ),
  citations: list(record<ShownCitation>({ id: text('id of the item'), ...ABOUT, ...QUOTED })),
});

export const RETRIEVE_OUTPUT: Schema = record({
  ...RUN,
  context: record({
    name: text('canonical name'),
    text: text('the evidence in words'),
    tokens: whole('words'),
  }),
  ranking: list(text('ids of documents, evidence first')),
});

export const SEARCH_OUTPUT: Schema<SearchReply> = record<SearchReply>({
  query: text('the query'),
  retriever: text('canonical name'),
  unit: { enum: ['document', 'passage', 'sentence'] },
  k: whole('largest number of hits'),
  absentPhrases: optional(list(text('phrase in quotes that no item holds'))),
  hits: list(
    record<SearchHit>({
      rank: whole('from 1'),
      id: text('id of the hit'),
      ...ABOUT,
      score: number(),
      start: QUOTED.start,
      end: QUOTED.end,
      quotes: QUOTES,
      explanation: optional(some as Schema<Explanation>),
      places: optional(whole('hits with this text; missing for one')),
      others: optional({ ...list(text('id of another hit with this text')), maxItems: 20 }),
    }),
  ),
});
