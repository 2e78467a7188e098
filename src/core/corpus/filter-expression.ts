/**
 * Filters in words: `source = "The Verge" and published_at >= 2023-10-01 and not category in
 * (sports, business)`.
 *
 *     either    := both { 'or' both }
 *     both      := one { 'and' one }
 *     one       := 'not' one | '(' either ')' | condition
 *     condition := field ( '=' | '!=' | '<' | '<=' | '>' | '>=' ) value
 *                | field [ 'not' ] 'in' '(' [ value { ',' value } ] ')'
 *                | field 'between' value '..' value
 *     value     := number | true | false | word | "text" | 'text'
 *
 * `<` and `>` are strict: what lies on the bound, such as any time of the named day, does not pass.
 */
import { InputError } from '../errors.ts';
import { checkFilter, FILTER_LIMITS, type Filter, type Scalar } from './filter.ts';
import { type Token, tokensOf, unreadable } from './filter-tokens.ts';

const KEYWORDS = new Set(['and', 'or', 'not', 'in', 'between', 'true', 'false']);
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const PLAIN_FIELD = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
const MAX_LENGTH = 8192;

/**
 * Parses a filter expression. Throws `InputError('bad-filter')` with the character at which parsing
 * stopped.
 *
 * @example
 * ```ts
 * import { engineParts, parseFilter } from 'multihop/retrieval';
 *
 * const filter = parseFilter('source = "Ledger" and published_at >= 2023-10-01');
 * const metadata = { source: 'Ledger', published_at: '2023-11-05' };
 * console.log(engineParts.passes(filter, { id: 'a', title: '', text: '', metadata })); // true
 * ```
 */
export function parseFilter(expression: string): Filter {
  if (expression.length > MAX_LENGTH)
    throw new InputError('bad-filter', 'The filter is too long', {
      expected: `at most ${MAX_LENGTH} characters`,
    });
  const reader = new FilterReader(expression);
  const filter = reader.either(0);
  reader.end();
  return checkFilter(filter);
}

class FilterReader {
  private readonly source: string;
  private readonly tokens: readonly Token[];
  private next = 0;

  constructor(source: string) {
    this.source = source;
    this.tokens = tokensOf(source);
  }

  either(depth: number): Filter {
    const filters = [this.both(depth)];
    while (this.eat('word', 'or')) filters.push(this.both(depth));
    return filters.length === 1 ? filters[0]! : { op: 'or', filters };
  }

  end(): void {
    if (this.peek.kind !== 'end') this.fail("'and', 'or' or the end");
  }

  private both(depth: number): Filter {
    const filters = [this.one(depth)];
    while (this.eat('word', 'and')) filters.push(this.one(depth));
    return filters.length === 1 ? filters[0]! : { op: 'and', filters };
  }

  private one(depth: number): Filter {
    if (depth > FILTER_LIMITS.depth) this.fail(`at most ${FILTER_LIMITS.depth} nested conditions`);
    if (this.eat('word', 'not')) return { op: 'not', filter: this.one(depth + 1) };
    if (!this.eat('operator', '(')) return this.condition();
    const inner = this.either(depth + 1);
    this.expect(')', "'and', 'or' or ')'");
    return inner;
  }

  private condition(): Filter {
    const field = this.field();
    if (this.eat('word', 'in')) return { op: 'in', field, values: this.list() };
    if (this.eat('word', 'between')) return this.between(field);
    if (this.eat('word', 'not')) {
      if (!this.eat('word', 'in')) this.fail("'in'");
      return { op: 'nin', field, values: this.list() };
    }
    if (this.eat('operator', '=')) return { op: 'eq', field, value: this.value() };
    if (this.eat('operator', '!=')) return { op: 'nin', field, values: [this.value()] };
    if (this.eat('operator', '>=')) return { op: 'range', field, from: this.bound() };
    if (this.eat('operator', '<=')) return { op: 'range', field, to: this.bound() };
    const strict = this.peek.text;
    if (!this.eat('operator', '<') && !this.eat('operator', '>'))
      this.fail("'=', '!=', '<', '<=', '>', '>=', 'in', 'not in' or 'between'");
    return strictly(field, strict === '<', this.bound());
  }

  private between(field: string): Filter {
    const from = this.bound();
    this.expect('..', "'..'");
    return { op: 'range', field, from, to: this.bound() };
  }

  private field(): string {
    const token = this.peek;
    if (token.kind !== 'text' && (token.kind !== 'word' || KEYWORDS.has(token.text.toLowerCase())))
      this.fail('the name of a metadata field');
    this.next++;
    return token.text;
  }

  private list(): Scalar[] {
    this.expect('(', "'('");
    const values: Scalar[] = [];
    if (this.eat('operator', ')')) return values;
    do values.push(this.value());
    while (this.eat('operator', ','));
    this.expect(')', "',' or ')'");
    return values;
  }

  private value(): Scalar {
    const { kind, text } = this.peek;
    if (kind !== 'text' && kind !== 'word') this.fail('a value');
    this.next++;
    if (kind === 'text') return text;
    if (NUMBER.test(text)) return Number(text);
    const word = text.toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : text;
  }

  private bound(): string | number {
    const value = this.value();
    if (typeof value !== 'boolean') return value;
    this.next--;
    return this.fail('a text or a number');
  }

  private get peek(): Token {
    return this.tokens[this.next]!;
  }

  private eat(kind: Token['kind'], text: string): boolean {
    const { kind: found, text: word } = this.peek;
    if (found !== kind || (kind === 'word' ? word.toLowerCase() : word) !== text) return false;
    this.next++;
    return true;
  }

  private expect(operator: string, expected: string): void {
    if (!this.eat('operator', operator)) this.fail(expected);
  }

  private fail(expected: string): never {
    throw unreadable(this.source, this.peek.at, expected);
  }
}

/** Returns a filter for values strictly below (or above) the bound. */
function strictly(field: string, below: boolean, bound: string | number): Filter {
  const upTo: Filter = { op: 'range', field, to: bound };
  const from: Filter = { op: 'range', field, from: bound };
  return {
    op: 'and',
    filters: below ? [upTo, { op: 'not', filter: from }] : [from, { op: 'not', filter: upTo }],
  };
}

/**
 * Returns the expression that `parseFilter` parses to this filter. A conjunction or disjunction of
 * one part prints as that part.
 */
export function printFilter(filter: Filter): string {
  switch (filter.op) {
    case 'eq':
      return `${printField(filter.field)} = ${printScalar(filter.value)}`;
    case 'in':
      return `${printField(filter.field)} in (${filter.values.map(printScalar).join(', ')})`;
    case 'nin':
      return filter.values.length === 1
        ? `${printField(filter.field)} != ${printScalar(filter.values[0]!)}`
        : `${printField(filter.field)} not in (${filter.values.map(printScalar).join(', ')})`;
    case 'range':
      return printRange(filter);
    case 'not':
      return `not ${printPart(filter.filter)}`;
    case 'and':
    case 'or':
      return filter.filters.map(printPart).join(` ${filter.op} `);
  }
}

function printRange({ field, from, to }: Extract<Filter, { op: 'range' }>): string {
  if (from === undefined) return `${printField(field)} <= ${printScalar(to!)}`;
  if (to === undefined) return `${printField(field)} >= ${printScalar(from)}`;
  return `${printField(field)} between ${printScalar(from)}..${printScalar(to)}`;
}

function printPart(filter: Filter): string {
  const several = (filter.op === 'and' || filter.op === 'or') && filter.filters.length > 1;
  return several ? `(${printFilter(filter)})` : printFilter(filter);
}

function printField(field: string): string {
  return PLAIN_FIELD.test(field) && !KEYWORDS.has(field.toLowerCase()) ? field : printScalar(field);
}

function printScalar(value: Scalar): string {
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}
