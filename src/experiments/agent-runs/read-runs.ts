/** Reads the runs of files and folders of traces, and joins them with the questions they answer. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { parseJson } from '../../core/text/bounded-json.ts';
import { foldWhitespaceAndPunctuation } from '../../core/text/normalise.ts';
import type { Question } from '../../core/trace/trace.ts';
import type { Example } from '../../evaluation/example.ts';
import { fileError } from '../../platform/file-error.ts';
import type { AgentRun } from './agent-run.ts';
import type { EventRun, TraceFormat } from './trace-format.ts';
import { traceFormatNamed, traceFormats } from './trace-formats.ts';

export interface ReadFile {
  readonly path: string;
  readonly runs: readonly (AgentRun | EventRun)[];
  /** Lines that are no JSON, from 1. */
  readonly skipped: readonly number[];
}

/**
 * Reads the files of a path: the file, or all `.json` and `.jsonl` of the folder. Throws
 * `InputError`: `missing-file`, `unknown-format`, `no-traces` for a file without a run.
 */
export function readTraces(path: string, format?: string): ReadFile[] {
  const named = format === undefined ? undefined : traceFormatNamed(format);
  const files = filesOf(path).map(file => readFile(file, named));
  if (files.length > 0) return files;
  throw new InputError('no-traces', `There are no traces in ${path}`, {
    expected: 'files that end with .json or .jsonl',
  });
}

function filesOf(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter(name => /\.jsonl?$/.test(name))
      .sort()
      .map(name => join(path, name));
  } catch (error) {
    throw fileError(path, error);
  }
}

function readFile(path: string, named: TraceFormat | undefined): ReadFile {
  const { values, skipped } = valuesOf(textOf(path));
  const format = named ?? traceFormats.find(one => values.some(one.accepts));
  const runs = format && values.some(format.accepts) ? format.runs(values) : [];
  if (runs.length > 0) return { path, runs, skipped };
  throw new InputError('no-traces', `${path} holds no run of an agent`, {
    expected: `one of the formats ${traceFormats.map(({ name }) => name).join(', ')}`,
    hint: named ? 'Without --format the content decides.' : undefined,
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fileError(path, error);
  }
}

/** Reads one value of JSON, the items of a list, or a value a line. */
export function valuesOf(text: string): { values: unknown[]; skipped: number[] } {
  const whole = parsed(text);
  if (whole)
    return { values: Array.isArray(whole.value) ? whole.value : [whole.value], skipped: [] };
  const values: unknown[] = [];
  const skipped: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = parsed(line);
    if (read) values.push(read.value);
    else skipped.push(index + 1);
  }
  return { values, skipped };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

/** Finds the question of a run: by its id, by its text, or by the name of its file. */
export class QuestionFinder {
  private readonly byId: ReadonlyMap<string, Example>;
  private readonly byText: ReadonlyMap<string, Example>;

  constructor(examples: readonly Example[]) {
    this.byId = new Map(examples.map(example => [example.id, example]));
    this.byText = new Map(examples.map(example => [folded(example.question.text), example]));
  }

  /** `text`: what the agent was asked, which may hold more than the question. */
  find({ id, text }: Partial<Question>, path: string): Example | undefined {
    const asked = text === undefined ? undefined : folded(text);
    const exact = asked === undefined ? undefined : this.byText.get(asked);
    if (exact) return exact;
    const known = id === undefined ? undefined : this.byId.get(id);
    if (known) return known;
    if (asked === undefined) return this.byId.get(basename(path).replace(/\.jsonl?$/, ''));
    const inside = [...this.byText].filter(([question]) => asked.includes(question));
    return inside.length === 1 ? inside[0]![1] : undefined;
  }
}

const folded = (text: string): string => foldWhitespaceAndPunctuation(text).toLowerCase();
