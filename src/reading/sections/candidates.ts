/** Finds the texts of the evidence that have the form which a question asks for. */
import { findDates } from '../../planning/dates.ts';
import type { Asked, ValueForm } from './asked-form.ts';
import { defaultValues } from './default-values.ts';
import { findNumbers, type NumberSpan, statedUnit, type Unit } from './numbers.ts';
import type { Section, SectionUnit } from './section-units.ts';
import { complementAt, identifierSpans, listSpans, nameSpans, personSpans, quotedSpans } from './spans.ts';
import { termOf, termsOf } from './terms.ts';

export interface Candidate {
  readonly text: string;
  readonly unit: number;
  /** Offset in its sentence. */
  readonly start: number;
  /** From 0 to 1: how clearly it has the form that is asked for. */
  readonly form: number;
  /** True if its sentence states it as a default. */
  readonly isDefault: boolean;
}
type Found = Omit<Candidate, 'unit'>;

/** Form clear by a unit, a label or a word beside it; likely by its place; possible. */
const [CLEAR, LIKELY, POSSIBLE] = [1, 0.7, 0.4];

interface Place {
  readonly asked: Asked;
  readonly unit: SectionUnit;
  readonly section: Section;
  /** Stems of the question. */
  readonly known: ReadonlySet<string>;
}

/** Returns the candidates of one sentence. What the question says already is none. */
export function candidatesIn(place: Place): Candidate[] {
  const { asked, unit, known } = place;
  const found = FINDERS[asked.form as ValueForm]?.(place) ?? [];
  return found
    .filter(({ text, form, isDefault }) => form > 0 && (isDefault || isNew(text, known)))
    .map(each => ({ ...each, unit: unit.index }));
}

function isNew(text: string, known: ReadonlySet<string>): boolean {
  const terms = (text.match(/[\p{L}\p{N}.]*[\p{L}\p{N}]/gu) ?? []).map(termOf);
  return terms.length > 0 && !terms.every(term => known.has(term));
}

const plain = (text: string, start: number, form: number): Found => ({
  ...{ text, start, form },
  isDefault: false,
});

const defaultsOf = ({ text, kind }: Pick<SectionUnit, 'text' | 'kind'>): Found[] =>
  kind === 'code' ? [] : defaultValues(text).map(value => ({ ...value, form: CLEAR, isDefault: true }));

/** Numbers of a unit; a default without one has that of its section. */
const measuresIn =
  (unit: Unit) =>
  ({ unit: { text, kind }, section }: Place): Found[] => {
    const stated = statedUnit(`${section.heading.at(-1) ?? ''}\n${section.text}`, unit);
    const numbers = findNumbers(text).filter(number => number.unit === unit);
    const defaults = defaultsOf({ text, kind }).flatMap((value): Found[] => {
      const number = findNumbers(value.text)[0];
      if (number === undefined || number.isVersion) return [];
      if (findNumbers(value.text).some(each => each.unit === unit)) return [value];
      if (number.unit !== undefined || number.start > 0) return [];
      return stated !== undefined
        ? [{ ...value, text: `${value.text} ${stated}` }]
        : [{ ...value, form: LIKELY }];
    });
    const within = ({ start }: NumberSpan): boolean =>
      defaults.some(value => value.start <= start && start < value.start + value.text.length);
    return [
      ...defaults,
      ...numbers.filter(number => !within(number)).map(each => plain(each.text, each.start, CLEAR)),
    ];
  };

/** Counts: defaults, numbers before the noun that is asked for, and after its label. */
function countsIn({ asked, unit: { text, kind } }: Place): Found[] {
  const nouns = new Set([...termsOf(asked.noun)]);
  const defaults = defaultsOf({ text, kind }).filter(({ text: value }) => /^\(?\d/u.test(value) || isWordNumber(value));
  const numbers = findNumbers(text).filter(
    ({ isVersion, start }) => !isVersion && !defaults.some(value => Math.abs(value.start - start) < 2),
  );
  return [
    ...defaults.map(value => (findNumbers(value.text)[0]?.unit ? { ...value, form: LIKELY } : value)),
    ...numbers.map(({ text: number, start, end, unit }) => {
      const behind = text.slice(end, end + 30).match(/[\p{L}]+/gu) ?? [];
      const before = text.slice(Math.max(0, start - 30), start).match(/[\p{L}]+/gu) ?? [];
      const near = [...behind.slice(0, 3), ...before.slice(-3)].some(word => nouns.has(termOf(word)));
      const form = unit === undefined || RECURS.test(text.slice(0, start)) ? POSSIBLE : 0;
      return plain(number, start, near ? CLEAR : kind === 'code' ? form / 2 : form);
    }),
  ];
}

/** Opens a span of time that says how often. */
const RECURS = /\b(?:every|each|once an?|per)\s*$/iu;
const isWordNumber = (value: string): boolean => /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|unlimited|infinity|none|no limit)\b/iu.test(value);

const OLDEST = /\b(?:oldest|minimum|lowest|earliest)\b/iu;
const LEAST = /^\s*(?:\+|or (?:later|newer|above|higher|greater)|and (?:later|newer|above|higher|up))/iu;

/** Versions, clear behind the name of what is asked for: "Python 3.11". */
function versionsIn({ asked, unit: { text, kind } }: Place): Found[] {
  const nouns = new Set([...termsOf(asked.noun)]);
  return findNumbers(text)
    .filter(({ unit, text: number }) => unit === undefined && /^v?\d+(?:\.\d+)*(?:\.x)?\+?$/iu.test(number))
    .map(({ text: number, start, end }) => {
      const before = text.slice(Math.max(0, start - 30), start).match(/[\p{L}.]+/gu) ?? [];
      const near = before.slice(-2).some(word => nouns.has(termOf(word.replace(/\W/gu, ''))));
      const least = LEAST.test(text.slice(end)) || /[>=≥]\s*v?$/u.test(text.slice(0, start));
      const looks = /\.\d/u.test(number) || /^v/iu.test(number);
      const clear = OLDEST.test(asked.noun) ? least && near : near || (least && nouns.size <= 1);
      const form = clear && kind !== 'code' ? CLEAR : looks ? LIKELY : 0.2;
      return plain(number, start, form);
    });
}

function datesIn({ asked, unit: { text }, section }: Place): Found[] {
  const heading = section.heading.join(' > ');
  const year = /year/iu.test(asked.noun);
  const dates = findDates(text).map(({ start, end }) => plain(text.slice(start, end), start, CLEAR));
  const above = findDates(heading).map(({ start, end }) => plain(heading.slice(start, end), 0, LIKELY));
  const years = [...text.matchAll(/(?<![\w.#/-])(?:19|20)\d\d(?![\w-]|\.\d)/gu)].map(match =>
    plain(match[0], match.index, year ? CLEAR : POSSIBLE),
  );
  return [...dates, ...above, ...years];
}

const BY = /\b(?:by|author|authors|maintainer|maintainers|creator|founder|from|after|copyright.{0,24})\W*$/iu;
const personsIn = ({ unit: { text } }: Place): Found[] =>
  personSpans(text).map(({ text: name, start }) =>
    plain(name, start, BY.test(text.slice(0, start)) ? CLEAR : POSSIBLE),
  );

const placesIn = ({ unit: { text } }: Place): Found[] =>
  nameSpans(text).map(({ text: name, start }) =>
    plain(name, start, /\b(?:in|at|from|near)\s+(?:the\s+)?$/iu.test(text.slice(0, start)) ? LIKELY : 0.2),
  );

const pricesIn = ({ unit: { text } }: Place): Found[] =>
  [...text.matchAll(/[$€£]\s?\d[\d,.]*(?:\s?(?:million|billion|[MKB]))?|\d[\d,.]*\s?(?:USD|EUR|dollars|euros)\b/gu)].map(
    match => plain(match[0], match.index, CLEAR),
  );

/** Commands stand in blocks of code, behind a prompt, or as quoted words. */
function commandsIn({ unit: { text, kind } }: Place): Found[] {
  if (kind !== 'code')
    return quotedSpans(text)
      .filter(({ text: quoted }) => /^[a-z][\w-]*(?:\s\S+)+$/u.test(quoted))
      .map(span => plain(span.text, span.start, CLEAR));
  return text.split('\n').flatMap((line, at) => {
    const command = line.replace(/^\s*(?:\$|>|#)?\s*/u, '').trimEnd();
    const isCommand = /^[a-z][\w./-]*(?:\s[^=(){};]+)+$/u.test(command);
    return isCommand ? [plain(command, at, /^\s*\$/u.test(line) ? CLEAR : LIKELY)] : [];
  });
}

/** Names of options: the identifier that heads the section or the block, or stands in it. */
function optionsIn({ unit: { text, kind }, section }: Place): Found[] {
  const head = section.heading.at(-1) ?? '';
  const own = /^[-\w.@/]+$/u.test(head) || identifierSpans(head).length > 0 ? (identifierSpans(head)[0]?.text ?? head) : '';
  const blockTerm = kind === 'option' || kind === 'definition' ? identifierSpans(text).filter(({ start }) => start < 3) : [];
  return [
    ...(own === '' ? [] : [plain(own, 0, CLEAR)]),
    ...blockTerm.map(span => plain(span.text, span.start, CLEAR)),
    ...identifierSpans(text).map(span => plain(span.text, span.start, kind === 'code' ? POSSIBLE : LIKELY)),
  ];
}

const IS = /^(?:["“'‘]?)(.{2,60}?)["”'’]?(?:\s\([^)]*\))?\s(?:is|are|was|means?|stands for|refers to)\s(?!not\b)(.+)$/su;
/** Predicates of "X is ..." and of a defined term. */
function definitionsIn({ unit: { text, kind }, known }: Place): Found[] {
  const statement = IS.exec(text) ?? (kind === 'definition' ? /^([^:\n]{1,60}):\s(.+)$/su.exec(text) : null);
  if (!statement) return [];
  const subject = [...termsOf(statement[1]!.replace(/^(?:the|an?)\s/iu, ''))];
  const named = subject.filter(term => known.has(term)).length;
  if (named === 0) return [];
  const body = statement[2]!.replace(/\s+/gu, ' ').replace(/[.:]$/u, '');
  const start = text.length - statement[2]!.length;
  return [plain(body, start, named === subject.length ? CLEAR : POSSIBLE)];
}

const listsIn = ({ unit: { text } }: Place): Found[] =>
  listSpans(text).map(span => plain(span.text, span.start, LIKELY));

const NAMED = /\b(?:named|called|codenamed|means?|meaning|stands for|known as|set to|to|under|is|are|uses?|via|through|raises?|written in|based on|after)\s*$/iu;

/** Words: defaults, quoted values, identifiers, names, and what completes the asked clause. */
function valuesIn(place: Place): Found[] {
  const { unit: { text, kind }, known } = place;
  const defaults = defaultsOf({ text, kind });
  const free = (start: number): boolean => !defaults.some(value => Math.abs(value.start - start) < 2);
  const spans = [...quotedSpans(text), ...identifierSpans(text), ...nameSpans(text)].filter(({ start }) => free(start));
  const complement = kind === 'code' ? undefined : completed(text, known);
  return [
    ...defaults,
    ...spans.map(({ text: span, start }) =>
      plain(span, start, kind === 'code' ? 0.2 : NAMED.test(text.slice(0, start)) ? LIKELY : POSSIBLE),
    ),
    ...(complement && free(complement.start) ? [plain(complement.text, complement.start, LIKELY)] : []),
  ];
}

/** Returns what follows the last word of the question in the sentence, to the end of its clause. */
function completed(text: string, known: ReadonlySet<string>): { text: string; start: number } | undefined {
  let end = -1;
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu))
    if (known.has(termOf(match[0]))) end = match.index + match[0].length;
  if (end < 0) return undefined;
  const joint = /^\s+(?:(?:after|to|by|in|on|with|as|of|from|under|is|are)\s+)*/u.exec(text.slice(end));
  return joint ? complementAt(text, end + joint[0].length) : undefined;
}

const FINDERS: Readonly<Record<ValueForm, (place: Place) => Found[]>> = {
  duration: measuresIn('time'),
  size: measuresIn('bytes'),
  count: countsIn,
  number: countsIn,
  price: pricesIn,
  version: versionsIn,
  date: datesIn,
  person: personsIn,
  place: placesIn,
  command: commandsIn,
  option: optionsIn,
  definition: definitionsIn,
  list: listsIn,
  value: valuesIn,
};
