/** Compiles a regular expression to a program of a backtracking machine that counts its steps. */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { CharacterSet } from './character-set.ts';

/** Operations of the machine; `back` reads the character before the position (in lookbehinds). */
export type Operation =
  | { readonly op: 'set'; readonly set: CharacterSet; readonly back: boolean }
  | {
      readonly op: 'run';
      readonly set: CharacterSet;
      readonly min: number;
      readonly max: number;
      readonly back: boolean;
    }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'forget'; readonly from: number; readonly to: number }
  | { readonly op: 'assert'; readonly holds: (text: string, at: number) => boolean }
  | { readonly op: 'look'; readonly isNegative: boolean; end: number }
  | {
      readonly op: 'again';
      readonly slots: readonly number[];
      readonly back: boolean;
      readonly isFolded: boolean;
    }
  | { readonly op: 'zero'; readonly register: number }
  | { readonly op: 'here'; readonly register: number }
  | { readonly op: 'moved'; readonly register: number; readonly counter: number; min: number }
  | {
      readonly op: 'repeat';
      readonly counter: number;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
      exit: number;
    }
  | { readonly op: 'match' };

export interface Program {
  readonly code: readonly Operation[];
  /** Slots of captures: two a group, the whole match first. */
  readonly slots: number;
  readonly registers: number;
  /** True if it can begin at the beginning of the text alone. */
  readonly isAnchored: boolean;
  readonly isUnicode: boolean;
  /** A match begins with a character of one of them; undefined if it may begin otherwise. */
  readonly first: readonly CharacterSet[] | undefined;
}

const parser = new RegExpParser();

/** Compiles it. Throws for what the machine does not know: modifiers, strings in classes. */
export function programOf({ source, flags }: RegExp): Program {
  const isUnicode = /[uv]/.test(flags);
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const compiler = new Compiler(pattern, flags);
  const code = compiler.compiled();
  return {
    code,
    first: firstOf(code, 0),
    slots: 2 * compiler.groups.length,
    isUnicode,
    registers: compiler.registers,
    isAnchored: isAnchored(pattern, flags),
  };
}

function firstOf(code: readonly Operation[], start: number): CharacterSet[] | undefined {
  for (let at = start; ; at++) {
    const operation = code[at]!;
    if (operation.op === 'set') return operation.back ? undefined : [operation.set];
    if (operation.op === 'run')
      return operation.back || operation.min === 0 ? undefined : [operation.set];
    if (operation.op === 'split') {
      const [one, other] = [operation.first, operation.second].map(next => firstOf(code, next));
      return one && other && [...one, ...other];
    }
    if (operation.op === 'repeat' && operation.min === 0) return undefined;
    if (!PASSED.has(operation.op)) return undefined;
  }
}

const PASSED = new Set(['save', 'zero', 'here', 'forget', 'repeat']);

const isAnchored = ({ alternatives }: AST.Pattern | AST.Group, flags: string): boolean =>
  !flags.includes('m') &&
  alternatives.every(({ elements: [first] }) =>
    first?.type === 'Group'
      ? isAnchored(first, flags)
      : first?.type === 'Assertion' && first.kind === 'start',
  );

const SETS = new Set(['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass']);
const isSet = ({ type }: AST.Element): boolean => SETS.has(type);

class Compiler {
  readonly groups: (AST.CapturingGroup | undefined)[] = [undefined];
  registers = 0;
  private readonly code: Operation[] = [];
  private readonly pattern: AST.Pattern;
  private readonly flags: string;

  constructor(pattern: AST.Pattern, flags: string) {
    this.pattern = pattern;
    this.flags = flags;
    this.gather(pattern.alternatives);
  }

  compiled(): readonly Operation[] {
    this.code.push({ op: 'save', slot: 0 });
    this.alternatives(this.pattern.alternatives, false);
    this.code.push({ op: 'save', slot: 1 }, { op: 'match' });
    return this.code;
  }

  private gather(alternatives: readonly AST.Alternative[]): void {
    for (const { elements } of alternatives) for (const element of elements) this.number(element);
  }

  private number(element: AST.Element): void {
    if (element.type === 'CapturingGroup') this.groups.push(element);
    if (element.type === 'Quantifier') this.number(element.element);
    else if (!isSet(element) && 'alternatives' in element)
      this.gather(element.alternatives as readonly AST.Alternative[]);
  }

  private alternatives(all: readonly AST.Alternative[], back: boolean): void {
    const jumps: { to: number }[] = [];
    for (const [at, { elements }] of all.entries()) {
      const isLast = at === all.length - 1;
      const split = { op: 'split' as const, first: this.code.length + 1, second: 0 };
      if (!isLast) this.code.push(split);
      for (const element of back ? elements.toReversed() : elements) this.element(element, back);
      if (isLast) continue;
      const jump = { op: 'jump' as const, to: 0 };
      this.code.push(jump);
      jumps.push(jump);
      split.second = this.code.length;
    }
    for (const jump of jumps) jump.to = this.code.length;
  }

  private element(element: AST.Element, back: boolean): void {
    if (isSet(element)) {
      this.code.push({ op: 'set', set: CharacterSet.of(element.raw, this.flags), back });
      return;
    }
    switch (element.type) {
      case 'Group':
        if (element.modifiers) throw new Error(`modifiers are not known: ${element.raw}`);
        this.alternatives(element.alternatives, back);
        return;
      case 'CapturingGroup':
        this.capture(element, back);
        return;
      case 'Quantifier':
        this.quantifier(element, back);
        return;
      case 'Backreference': {
        const ends = [element.resolved].flat().map(group => 2 * this.groups.indexOf(group));
        this.code.push({ op: 'again', slots: ends, back, isFolded: this.flags.includes('i') });
        return;
      }
      case 'Assertion':
        this.assertion(element);
    }
  }

  private capture(group: AST.CapturingGroup, back: boolean): void {
    const slot = 2 * this.groups.indexOf(group);
    this.code.push({ op: 'save', slot: back ? slot + 1 : slot });
    this.alternatives(group.alternatives, back);
    this.code.push({ op: 'save', slot: back ? slot : slot + 1 });
  }

  private quantifier({ min, max, greedy, element }: AST.Quantifier, back: boolean): void {
    if (greedy && isSet(element)) {
      this.code.push({ op: 'run', set: CharacterSet.of(element.raw, this.flags), min, max, back });
      return;
    }
    const [counter, place] = [this.registers++, this.registers++];
    const before = this.groups.findIndex(
      group => group && group.start >= element.start && group.end <= element.end,
    );
    const inside = this.groups.filter(
      group => group && group.start >= element.start && group.end <= element.end,
    ).length;
    this.code.push({ op: 'zero', register: counter });
    const start = this.code.length;
    const repeat = { op: 'repeat' as const, counter, min, max, isGreedy: greedy, exit: 0 };
    this.code.push(repeat, { op: 'here', register: place });
    if (inside > 0) this.code.push({ op: 'forget', from: 2 * before, to: 2 * (before + inside) });
    this.element(element, back);
    this.code.push({ op: 'moved', register: place, counter, min }, { op: 'jump', to: start });
    repeat.exit = this.code.length;
  }

  private assertion(assertion: AST.Assertion): void {
    if (assertion.kind === 'lookahead' || assertion.kind === 'lookbehind') {
      const look = { op: 'look' as const, isNegative: assertion.negate, end: 0 };
      this.code.push(look);
      this.alternatives(assertion.alternatives, assertion.kind === 'lookbehind');
      this.code.push({ op: 'match' });
      look.end = this.code.length;
      return;
    }
    const native = new RegExp(assertion.raw, `${this.flags.replace(/[gyd]/g, '')}y`);
    const holds = (text: string, at: number): boolean => {
      // A window of the text decides: an end or a boundary sees one character to each side.
      const from = Math.max(0, at - 1);
      native.lastIndex = at - from;
      if (assertion.kind === 'start' && at > 0 && !native.multiline) return false;
      if (assertion.kind === 'end' && at < text.length && !native.multiline) return false;
      return nativeExec.call(native, text.slice(from, at + 2)) !== null;
    };
    this.code.push({ op: 'assert', holds });
  }
}

const nativeExec = RegExp.prototype.exec;
