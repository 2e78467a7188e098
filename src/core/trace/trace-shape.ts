/** Checks that events read from a file have the fields of their type; others are allowed. */
import type { BrokenLaw } from './broken-law.ts';
import type { TraceEvent } from './trace.ts';

interface Misfit {
  /** `.hop.kept[0].id`, from the value that was checked. */
  readonly at: string;
  readonly expected: string;
  readonly received: unknown;
}

type Shape = (value: unknown) => Misfit | undefined;

const rule =
  (expected: string, fits: (value: unknown) => boolean): Shape =>
  value =>
    fits(value) ? undefined : { at: '', expected, received: value };

const under = (at: string, found: Misfit | undefined): Misfit | undefined =>
  found && { ...found, at: `${at}${found.at}` };

const text = rule('a text', value => typeof value === 'string');
const flag = rule('true or false', value => typeof value === 'boolean');
const number = rule('a finite number', value => Number.isFinite(value));
const index = rule(
  'an integer of at least 0',
  value => Number.isInteger(value) && Number(value) >= 0,
);
const record = rule('an object', isRecord);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const choice = (...values: readonly unknown[]): Shape =>
  rule(`one of ${values.join(', ')}`, value => values.includes(value));

const list =
  (item: Shape): Shape =>
  value => {
    if (!Array.isArray(value)) return { at: '', expected: 'a list', received: value };
    for (const [at, each] of value.entries()) {
      const found = under(`[${at}]`, item(each));
      if (found) return found;
    }
    return undefined;
  };

/** Accepts an object with the given fields; the optional ones may be missing. */
const fields = (
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape => {
  const shapes = Object.entries({ ...required, ...optional });
  return value => {
    if (!isRecord(value)) return { at: '', expected: 'an object', received: value };
    for (const [name, shape] of shapes) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      const found =
        member === undefined && name in optional ? undefined : under(`.${name}`, shape(member));
      if (found) return found;
    }
    return undefined;
  };
};

/** Accepts an object whose values have one shape. */
const valuesOf =
  (shape: Shape): Shape =>
  value => {
    if (!isRecord(value)) return { at: '', expected: 'an object', received: value };
    for (const [name, each] of Object.entries(value)) {
      const found = each === undefined ? undefined : under(`.${name}`, shape(each));
      if (found) return found;
    }
    return undefined;
  };

/** Accepts an object whose field `name` selects the shape of the whole. */
const tagged =
  (name: string, shapes: Readonly<Record<string, Shape>>): Shape =>
  value => {
    if (!isRecord(value)) return { at: '', expected: 'an object', received: value };
    const tag = value[name];
    if (typeof tag === 'string' && Object.hasOwn(shapes, tag)) return shapes[tag]!(value);
    return {
      at: `.${name}`,
      expected: `one of ${Object.keys(shapes).join(', ')}`,
      received: tag,
    };
  };

const amounts = valuesOf(number);
const span = rule(
  'a span: a start and an end of at least the start',
  value =>
    Array.isArray(value) &&
    value.length === 2 &&
    value.every(Number.isInteger) &&
    0 <= value[0] &&
    value[0] <= value[1],
);
const unit = choice('document', 'passage', 'sentence');
const searchRef = { hop: index, search: index };
const range = { start: index, end: index };
const citation = fields({ id: text, documentId: text, ...range });
const citations = list(citation);
const reasoned = { id: text, why: text };

const search = fields(
  {
    retriever: text,
    unit,
    hits: list(fields({ id: text, documentId: text, ...range, score: number })),
  },
  {
    text,
    vector: fields({ hash: text, from: text }),
    filter: record,
    relaxed: text,
    found: index,
    hash: text,
    from: fields(searchRef, { id: text }),
  },
);
const item = fields(
  { id: text, documentId: text, search: fields(searchRef), score: number },
  { spans: list(span) },
);
const output = fields({ role: text, text, parsed: flag }, { citations });
const hop = fields(
  {
    searches: list(search),
    kept: list(item),
    rejected: list(fields({ ...reasoned, search: fields(searchRef) }, { detail: text })),
    spent: amounts,
  },
  {
    reason: text,
    refused: valuesOf(index),
    withdrawn: list(fields(reasoned, { detail: text })),
    outputs: list(output),
    order: list(text),
    scores: valuesOf(number),
    incomplete: text,
  },
);
const evidence = fields(
  { id: text, documentId: text, title: text, metadata: record, score: number, spans: list(span) },
  { passage: text, places: index },
);
const context = fields({
  name: text,
  text,
  tokens: index,
  parts: list(fields({ id: text, documentId: text, ...range, spans: list(span) })),
});
const answerParts = {
  readBy: text,
  support: number,
  questionType: text,
  probability: number,
  confidence: fields({
    form: choice('choice', 'verdict', 'span', 'value'),
    share: number,
  }),
  alternatives: list(fields({ text, probability: number })),
};
const limits = { tokens: index, ms: number, thinking: flag };
const cut = fields({}, limits);
const answered = fields(
  { text, citations },
  {
    ...answerParts,
    unsupported: list(text),
    unread: index,
    cut,
    sentences: list(fields({ ...range, citations })),
    dropped: list(number),
  },
);
const answer = tagged('kind', {
  answered,
  evidence: answered,
  abstained: fields(
    { reason: text },
    {
      ...answerParts,
      below: number,
      unread: index,
      cut,
      withheld: fields({ text, citations }),
      sides: list(fields({ claim: text, citations })),
      dropped: list(number),
    },
  ),
});
const stopped = tagged('by', {
  limit: fields({ limit: text }),
  failure: fields(
    { port: text, code: text, message: text },
    { hint: text, remedy: fields({ id: text }, { name: text }) },
  ),
  abort: fields({}),
});

const followUp = fields(
  { asked: text, by: choice('model', 'rules'), turns: index, of: index, spent: amounts },
  { cut: flag, unsure: text, outputs: list(output) },
);

const event = tagged('type', {
  question: fields(
    {
      question: fields({ id: text, text }),
      strategy: text,
      retriever: text,
      context: text,
      reader: text,
      budget: amounts,
      manifest: record,
    },
    { followUp, filter: record, answerAt: number, predictedType: text, language: text },
  ),
  hop: fields({ index, hop }),
  context: fields(
    { evidence: list(evidence), ranking: list(text), context },
    { diagnostic: fields({ name: text, documents: list(text) }), corpusKind: text },
  ),
  answer: fields({ answer }),
  end: fields(
    { spent: amounts },
    { stopped, cut: list(fields({ role: text }, limits)), snapshots: index },
  ),
});

/** Returns the first field of the event that has another shape than its type demands, if any. */
export function shapeOf(traceEvent: TraceEvent): BrokenLaw | undefined {
  const found = event(traceEvent);
  if (!found) return undefined;
  const { at, expected, received } = found;
  return { law: 'shape', where: at === '' ? 'event' : at.slice(1), expected, received };
}
