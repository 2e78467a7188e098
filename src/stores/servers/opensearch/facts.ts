/**
 * Writes metadata as keywords, one a value: field, kind and value, so that any field can be
 * filtered and listed without a mapping of its own, and their order is that of catalogues.
 */
import type { Scalar } from '../../../core/corpus/filter.ts';
import type { FieldScalar } from '../prepared-document.ts';
import { originalText, storedText } from '../stored-text.ts';

/** Above every stored character: a text with it stands behind all that begin with the text. */
export const LAST = '\u{10ffff}';

/** Kinds in the order of catalogues; `number` and `date` repeat texts that are one. */
export const KINDS = { boolean: 'b', number: 'n', text: 't', numericText: 'x', date: 'z' } as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

const BETWEEN = '\x01\x03';
const NUMERIC = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const ISO_DATE = /^\d{4}-\d{2}/;

/** Returns what the keywords of a field and kind begin with. */
export const factPrefix = (field: string, kind: Kind | '' = ''): string =>
  `${storedText(field)}${BETWEEN}${kind}`;

/** Returns 16 digits that order numbers as texts. */
export function orderedNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  const ordered = bits >> 63n ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n);
  return ordered.toString(16).padStart(16, '0');
}

function numberOf(ordered: string): number {
  const bits = BigInt(`0x${ordered}`);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits >> 63n ? bits & ~(1n << 63n) : ~bits & 0xffff_ffff_ffff_ffffn);
  return view.getFloat64(0);
}

/** Returns the keyword of a value as it is. */
export function factOf(field: string, value: Scalar): string {
  if (typeof value === 'number') return factPrefix(field, KINDS.number) + orderedNumber(value);
  if (typeof value === 'boolean') return factPrefix(field, KINDS.boolean) + value;
  return factPrefix(field, KINDS.text) + storedText(value);
}

/** Returns the keywords by which filters find a value. */
export function factsOf({ field, value }: Pick<FieldScalar, 'field' | 'value'>): string[] {
  const facts = [factOf(field, value)];
  if (typeof value !== 'string') return facts;
  if (NUMERIC.test(value))
    facts.push(factPrefix(field, KINDS.numericText) + orderedNumber(Number(value)));
  if (ISO_DATE.test(value)) facts.push(factPrefix(field, KINDS.date) + storedText(value));
  return facts;
}

/** Returns the value of a keyword of `factOf`. */
export function factValue(field: string, fact: string): Scalar {
  const rest = fact.slice(factPrefix(field).length);
  const value = rest.slice(1);
  if (rest.startsWith(KINDS.number)) return numberOf(value);
  return rest.startsWith(KINDS.boolean) ? value === 'true' : originalText(value);
}
