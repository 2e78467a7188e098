/**
 * Runs a regular expression by backtracking, as engines do, and counts the steps: the work that a
 * clock would show, without the clock.
 */
import type { CharacterSet } from './character-set.ts';
import { type Operation, type Program, programOf } from './regex-program.ts';

/** A match: the bounds of the whole and of each group, -1 for none. */
export type Bounds = readonly number[];

/** More steps than any linear search of a test takes. */
const MOST_STEPS = 10_000_000;

export class TooManySteps extends Error {}

const programs = new Map<string, Program>();
/** Searches done, by expression, text and place: a text is often searched by one again. */
const done = new Map<string, Map<string, Map<number, Matched>>>();

/** Forgets searches done. */
export const forgetSearches = (): void => done.clear();

export interface Matched {
  readonly bounds: Bounds | undefined;
  readonly steps: number;
}

/** Finds the first match from a place on, or at that place alone if the expression is sticky. */
export function match(expression: RegExp, text: string, from: number): Matched {
  const key = `/${expression.source}/${expression.flags}`;
  let byText = done.get(key);
  if (!byText) done.set(key, (byText = new Map()));
  let byPlace = byText.get(text);
  if (!byPlace) byText.set(text, (byPlace = new Map()));
  let found = byPlace.get(from);
  if (!found) byPlace.set(from, (found = search(expression, key, text, from)));
  return found;
}

function search(expression: RegExp, key: string, text: string, from: number): Matched {
  let program = programs.get(key);
  if (!program) {
    program = programOf(expression);
    programs.set(key, program);
  }
  const machine = new Machine(program, text);
  if (from > text.length) return { bounds: undefined, steps: 1 };
  const last = expression.sticky ? from : program.isAnchored ? 0 : text.length;
  const { first, isUnicode } = program;
  for (let at = from; at <= last; at++) {
    machine.steps++;
    const point = isUnicode ? text.codePointAt(at) : text.charCodeAt(at);
    // Most places fail at the first character; NaN and undefined stand for the end.
    const mayBegin = !first || (point! >= 0 && first.some(set => set.has(point!)));
    if (mayBegin && machine.run(0, at)) return { bounds: [...machine.saved], steps: machine.steps };
    if (point! > 0xffff) at++;
  }
  return { bounds: undefined, steps: machine.steps };
}

class Machine {
  steps = 1;
  readonly saved: Int32Array;
  private readonly registers: Int32Array;
  private readonly code: readonly Operation[];
  private readonly isUnicode: boolean;
  private readonly text: string;
  /** Cells to put back: the kind and index of each and its value before. */
  private readonly trail: number[] = [];
  /** Places to go on from: operation, position, length of the trail. */
  private readonly choices: number[] = [];

  constructor({ code, slots, registers, isUnicode }: Program, text: string) {
    this.code = code;
    this.text = text;
    this.isUnicode = isUnicode;
    this.saved = new Int32Array(slots).fill(-1);
    this.registers = new Int32Array(registers);
  }

  /** Returns true if the operations from `start` match at a position. */
  run(start: number, position: number): boolean {
    const [floor, bottom] = [this.choices.length, this.trail.length];
    let [at, pc] = [position, start];
    for (;;) {
      if (++this.steps > MOST_STEPS) throw new TooManySteps(`more than ${MOST_STEPS} steps`);
      const operation = this.code[pc]!;
      let next = pc + 1;
      switch (operation.op) {
        case 'set': {
          const moved = this.read(operation, at);
          if (moved < 0) next = -1;
          else at = moved;
          break;
        }
        case 'run':
          at = this.ran(operation, next, at);
          if (at < 0) next = -1;
          break;
        case 'split':
          this.choose(operation.second, at);
          next = operation.first;
          break;
        case 'jump':
          next = operation.to;
          break;
        case 'assert':
          if (!operation.holds(this.text, at)) next = -1;
          break;
        case 'look': {
          const mark = this.trail.length;
          const holds = this.run(next, at);
          if (operation.isNegative && holds) this.undo(mark);
          next = holds === operation.isNegative ? -1 : operation.end;
          break;
        }
        case 'again':
          at = this.repeated(operation, at);
          if (at < 0) next = -1;
          break;
        case 'repeat':
          next = this.decided(operation, pc, at);
          break;
        case 'match':
          this.choices.length = floor;
          return true;
        default:
          if (!this.noted(operation, at)) next = -1;
      }
      if (next >= 0) pc = next;
      else if (this.choices.length === floor) {
        this.undo(bottom);
        return false;
      } else {
        this.undo(this.choices.pop()!);
        at = this.choices.pop()!;
        pc = this.choices.pop()!;
      }
    }
  }

  private choose(pc: number, at: number): void {
    this.choices.push(pc, at, this.trail.length);
  }

  /** Goes as far as it can, and keeps each place where it may stop. */
  private ran(operation: Extract<Operation, { op: 'run' }>, next: number, from: number): number {
    const { min, max } = operation;
    let at = from;
    for (let done = 0; done < max; done++, this.steps++) {
      const moved = this.read(operation, at);
      if (moved < 0) return done < min ? -1 : at;
      if (done >= min) this.choose(next, at);
      at = moved;
    }
    return at;
  }

  private read(
    { set, back }: { readonly set: CharacterSet; readonly back: boolean },
    at: number,
  ): number {
    const { text } = this;
    if (back) {
      if (at === 0) return -1;
      let [start, point] = [at - 1, text.charCodeAt(at - 1)];
      if (this.isUnicode && at > 1 && text.codePointAt(at - 2)! > 0xffff) {
        start = at - 2;
        point = text.codePointAt(start)!;
      }
      return set.has(point) ? start : -1;
    }
    if (at >= text.length) return -1;
    const point = this.isUnicode ? text.codePointAt(at)! : text.charCodeAt(at);
    return set.has(point) ? at + (point > 0xffff ? 2 : 1) : -1;
  }

  /** Goes into another round of a quantifier, or out. */
  private decided(
    { counter, min, max, isGreedy, exit }: Extract<Operation, { op: 'repeat' }>,
    pc: number,
    at: number,
  ): number {
    const done = this.registers[counter]!;
    if (done >= max) return exit;
    if (done < min) return pc + 1;
    this.choose(isGreedy ? exit : pc + 1, at);
    return isGreedy ? pc + 1 : exit;
  }

  private repeated(
    { slots, back, isFolded }: Extract<Operation, { op: 'again' }>,
    at: number,
  ): number {
    const slot = slots.find(each => this.saved[each]! >= 0 && this.saved[each + 1]! >= 0);
    if (slot === undefined) return at;
    const word = this.text.slice(this.saved[slot], this.saved[slot + 1]);
    this.steps += word.length;
    const start = back ? at - word.length : at;
    if (start < 0) return -1;
    const found = this.text.slice(start, start + word.length);
    if (found !== word && !(isFolded && found.toLowerCase() === word.toLowerCase())) return -1;
    return back ? start : at + word.length;
  }

  /** Does what only changes cells. Returns false if a round of a quantifier did not move. */
  private noted(operation: Operation, at: number): boolean {
    switch (operation.op) {
      case 'save':
        this.set(this.saved, operation.slot, at);
        break;
      case 'forget':
        for (let slot = operation.from; slot < operation.to; slot++) this.set(this.saved, slot, -1);
        break;
      case 'zero':
        this.set(this.registers, operation.register, 0);
        break;
      case 'here':
        this.set(this.registers, operation.register, at);
        break;
      case 'moved': {
        const { counter, register, min } = operation;
        const done = this.registers[counter]! + 1;
        if (done > min && this.registers[register] === at) return false;
        this.set(this.registers, counter, done);
      }
    }
    return true;
  }

  private set(cells: Int32Array, index: number, value: number): void {
    this.trail.push(cells === this.saved ? 0 : 1, index, cells[index]!);
    cells[index] = value;
  }

  private undo(mark: number): void {
    const { trail } = this;
    while (trail.length > mark) {
      const value = trail.pop()!;
      const index = trail.pop()!;
      (trail.pop() === 0 ? this.saved : this.registers)[index] = value;
    }
  }
}
