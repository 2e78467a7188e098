/**
 * `typed-answer`: a language model answers in the form of a schema and names the passages of each
 * field; the schema validates the answer, and each value cites sentences of these passages.
 */
import { defined } from '../core/defined.ts';
import type { CitedField } from '../core/trace/answer.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { numbersAmong, objectSchema } from '../models/reply-schema.ts';
import {
  issueText,
  jsonSchemaOf,
  type StandardSchema,
  withPlace,
} from '../models/standard-schema.ts';
import {
  FAULT_TOKENS,
  generateStructured,
  REPAIR_TOKENS,
  type Structured,
} from '../models/structured.ts';
import { filteredReply, withCut } from './cut-answer.ts';
import { type Answered, abstained, orNone } from './draft.ts';
import { nothingCited, numbersIn } from './generative-answer.ts';
import type { PromptForm } from './generative-prompt.ts';
import { type AnswerForm, generativeIn } from './generative-reading.ts';
import { groundsOf, type Prompted } from './grounds.ts';
import { type Reader, readerOf } from './reader.ts';
import { distinct, WRITTEN_TOKENS } from './written-answer.ts';

type Json = Readonly<Record<string, unknown>>;

/** A reply that the schema accepts; `json` is null if the model abstains. */
interface TypedReply {
  readonly json: unknown;
  readonly citations: Json;
}

/** Tokens of the prompt beside the schema; see `generative`. */
const PROMPT = { prompt: 2000, uncited: 'withhold' } as const;

/** Throws `InputError('bad-schema')` for a schema that does not describe itself. */
export function typedReader(schema: StandardSchema): Reader {
  const form = jsonSchemaOf(schema);
  const text = JSON.stringify(form);
  // It stands in the instructions and in the schema of the reply.
  const prompt = PROMPT.prompt + 2 * promptTokens({ messages: [{ role: 'system', text }] });
  const { readWith, ...declared } = generativeIn(typedForm(schema, form), { ...PROMPT, prompt });
  return {
    ...readerOf('typed-answer', reading => readWith(reading), declared),
    async typed(answer) {
      if (answer.kind !== 'answered') return undefined;
      const result = await schema['~standard'].validate(JSON.parse(answer.text));
      return result.issues ? undefined : result.value;
    },
  };
}

function typedForm(schema: StandardSchema, form: Json): AnswerForm {
  return {
    prompt: promptForm(form),
    calls: 2,
    extra: WRITTEN_TOKENS + REPAIR_TOKENS + FAULT_TOKENS,
    expected: 120,
    async answer(model, prompt, basis, call) {
      const { read, faults } = replyReader(schema);
      const reply = await generateStructured(model, prompt, read, call, faults);
      if (reply.kind === 'parsed') return answered(reply.value, basis);
      if (reply.filtered) return filteredReply(reply.texts.at(-1)!);
      return withCut(refused(reply, faults()), reply.cut);
    },
  };
}

/** The fields that a model cites for: those of an object, else the whole answer. */
const keysOf = ({ type, properties }: Json): string[] =>
  type === 'object' && properties ? Object.keys(properties as Json) : [WHOLE];
const WHOLE = 'answer';

function promptForm(form: Json): PromptForm {
  const keys = keysOf(form);
  const { $defs, ...value } = withPlace(form, '#/properties/answer/anyOf/0');
  const cited = keys.map(key => `${JSON.stringify(key)}: [numbers]`).join(', ');
  return {
    rules: () =>
      'Answer the question from the passages alone. Take each value from the passages as they write it, and guess none.',
    reply: `\nReply with JSON alone: {"citations": {${cited}}, "answer": ...}; "citations" has for each field the numbers of the passages that state it; "answer" is null if the passages do not determine it, and otherwise matches this JSON Schema: ${JSON.stringify(form)}`,
    maxTokens: WRITTEN_TOKENS,
    schema: numbers => ({
      name: 'typed_answer',
      schema: defined({
        ...objectSchema({
          citations: objectSchema(
            Object.fromEntries(keys.map(key => [key, numbersAmong(numbers)])),
          ),
          answer: { anyOf: [value, { type: 'null' }] },
        }),
        $defs,
      }),
    }),
  };
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads replies of a model, and keeps what is wrong with the last one. */
function replyReader(schema: StandardSchema): {
  read(json: unknown): Promise<TypedReply | undefined>;
  faults(): string;
} {
  let faults = '';
  const accepts = async (json: unknown): Promise<boolean> => {
    const { issues } = await schema['~standard'].validate(structuredClone(json));
    if (issues) faults = issueText(issues);
    return !issues;
  };
  return {
    faults: () => faults,
    async read(json) {
      const { answer, citations } = isRecord(json) ? json : ({} as Json);
      // A list stands for every field.
      const named = isRecord(citations) ? citations : { [WHOLE]: citations };
      if (answer === null || (answer !== undefined && (await accepts(answer))))
        return { json: answer, citations: named };
      // A model may reply with the value alone, which cites nothing.
      return answer === undefined && (await accepts(json)) ? { json, citations: {} } : undefined;
    },
  };
}

/** Returns the answer with the citations of each text, number and boolean in it. */
function answered({ json, citations: named }: TypedReply, prompted: Prompted): Answered {
  if (json === null) return abstained();
  const { passages } = prompted;
  const numbersOf = (key: string | number | undefined): readonly number[] =>
    numbersIn(named[key ?? WHOLE] ?? named[WHOLE]) ?? [];
  const fields = leavesOf(json).map(({ path, value }): CitedField & { text: string } => {
    const text = String(value);
    const groups = numbersOf(path[0]).flatMap(number => passages[number - 1] ?? []);
    const { citations, unsupported } = groundsOf(
      text,
      groups.map(each => [each]),
      prompted,
    );
    const lacks = citations.length === 0 || unsupported.length > 0;
    const unjudged = (!lacks && typeof value === 'boolean') || undefined;
    const cited = distinct(citations);
    return defined({ path, citations: cited, unsupported: lacks || undefined, unjudged, text });
  });
  if (fields.length === 0) return abstained();
  const text = JSON.stringify(json);
  const citations = distinct(fields.flatMap(field => field.citations));
  const numbers = Object.values(named).flatMap(each => numbersIn(each) ?? []);
  const dropped = [...new Set(numbers)].filter(number => passages[number - 1] === undefined);
  if (citations.length === 0) return nothingCited(text, dropped);
  const lacking = fields.filter(({ unsupported }) => unsupported);
  const judged = fields.filter(({ unjudged }) => !unjudged).length;
  return defined({
    kind: 'answered',
    text,
    citations,
    support: judged === 0 ? undefined : 1 - lacking.length / judged,
    fields: fields.map(({ text: _, ...field }) => field),
    unsupported: orNone(lacking.map(({ path, text }) => `${path.join('.') || WHOLE}: ${text}`)),
    dropped: orNone(dropped),
  });
}

type Path = readonly (string | number)[];

function leavesOf(
  json: unknown,
  path: Path = [],
): { readonly path: Path; readonly value: unknown }[] {
  if (json === null || json === '') return [];
  if (Array.isArray(json)) return json.flatMap((item, at) => leavesOf(item, [...path, at]));
  if (typeof json === 'object')
    return Object.entries(json).flatMap(([key, value]) => leavesOf(value, [...path, key]));
  return [{ path, value: json }];
}

function refused({ texts }: Structured<unknown>, faults: string): Answered {
  const reason = 'The output of the model does not match the schema';
  const text = texts.at(-1)!.toWellFormed();
  return {
    ...abstained(faults === '' ? reason : `${reason}: ${faults}`),
    withheld: { text, citations: [] },
  };
}
