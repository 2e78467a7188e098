/** Files and folders into documents: what `ingest` reads. */

import { type Document, idProblem } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { countWords } from '../core/text/words.ts';
import { askedAhead, begun } from './files/begin-ahead.ts';
import { FilePlan, type PlannedFile } from './files/file-plan.ts';
import { uncompressedPath } from './files/gzip.ts';
import { isFrontPage, projectFacts } from './files/project-facts.ts';
import { idReader, readSource } from './files/read-source.ts';
import { AHEAD_BYTES, ReadingProcesses } from './files/reading-processes.ts';
import { RepeatedBlocks, withoutRepeated } from './files/repeated-blocks.ts';
import { DEFAULT_LIMITS, type Limits, printBytes, type Source } from './files/source.ts';
import { checkPaths, walk } from './files/walk.ts';
import type { DetectedFormat, Format, SkippedEvent } from './format.ts';
import { formatByName, formatNamed } from './formats.ts';
import { type KeptWords, losesMost } from './kept-words.ts';

export type LoadEvent =
  | {
      readonly type: 'document';
      readonly document: Document;
      /** "path", "path:line" or "path[index]" */
      readonly from: string;
      /** Words of the document and all that its file shows; missing for records. */
      readonly words?: KeptWords;
      /** Remarks of its loader, such as a guess of its encoding. */
      readonly notes?: readonly string[];
    }
  | SkippedEvent;

/** A file whose documents are stored as it would make them. */
export interface UnchangedEvent {
  readonly type: 'unchanged';
  readonly path: string;
  readonly ids: readonly string[];
}

export interface ReadOptions {
  /** The name of a format for all files; otherwise extension and content decide for each. */
  readonly format?: string | undefined;
  /** Throws at the first file or line that is malformed or repeats an id; skips it otherwise. */
  readonly strict?: boolean | undefined;
  /** Reads what `.gitignore` and `node_modules` leave out, too. */
  readonly all?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with everything that is skipped, which comes as an event as well. */
  readonly onSkip?: ((event: SkippedEvent) => void) | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

/**
 * Reads documents from files and folders, in the order of the paths and sorted within folders; what
 * `.gitignore` names and what is below `node_modules` is left out, unless a path names it. The
 * id of a file is its path below the folder; of files in several folders, the folder's name comes
 * first. An id that records of several files state, or that is the path of a file, begins with the
 * file of its record: all files of records are read once before, if there are several.
 *
 * What is malformed, unreadable inside a folder, no text, too large or empty, what its reader fails
 * at, and a repeated id within a file come as `skipped` with a reason. Throws `InputError`:
 * `missing-file`, `unreadable-file`, `unknown-format` (before anything is read); with `strict` also
 * `bad-json` (file, line, column), `unread-document` and `duplicate-id` (both places). Throws
 * `PortError` if the disk fails, and the signal's reason when aborted.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { readDocuments } from 'multihop/formats';
 *
 * await writeFile('linnet.txt', 'The Linnet lost its engines.');
 * for await (const event of readDocuments(['linnet.txt']))
 *   if (event.type === 'document') console.log(event.document.title, event.from);
 *   else console.log(event.path, event.reason);
 * ```
 */
export async function* readDocuments(
  paths: readonly string[],
  options: ReadOptions = {},
): AsyncGenerator<LoadEvent, void, void> {
  for await (const event of readFiles(paths, options, new FilePlan()))
    if (event.type !== 'unchanged') yield event;
}

/** Reads documents as `readDocuments` does, with the files as a plan names them. */
export async function* readFiles(
  paths: readonly string[],
  options: ReadOptions,
  plan: FilePlan,
): AsyncGenerator<LoadEvent | UnchangedEvent, void, void> {
  const format = options.format === undefined ? undefined : formatNamed(options.format);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const places = new Places();
  const skip = (event: SkippedEvent): SkippedEvent => {
    options.onSkip?.(event);
    return event;
  };
  options.signal?.throwIfAborted();
  await checkPaths(paths);
  await using processes = new ReadingProcesses();
  const read = (source: Source, isRequested: boolean): AsyncGenerator<DetectedFormat> =>
    readSource(source, isRequested, format, limits, processes);
  // Twice as many files as processes, so that these work on while a file is used.
  const ahead = processes.most > 1 ? 2 * processes.most : 1;
  const pages = new RepeatedBlocks(source => read(source, false));
  const reader = idReader(format, limits, options.signal);
  await plan.begin(paths, reader, options, format ? undefined : pages);
  const files = plannedFiles(paths, options, plan, (source, isRequested) => {
    const page = pages.take(source);
    if (page) return [page];
    const found = read(source, isRequested);
    return ahead > 1 && isReadAhead(source, format) ? begun(found, options.signal) : found;
  });
  for await (const planned of askedAhead(files, ahead))
    if (planned.type === 'skipped') yield skip(planned);
    else if (planned.type === 'unchanged') {
      for (const id of planned.ids) places.note(id, planned.path, {});
      yield planned;
    } else {
      const { file, found } = planned;
      for await (const event of namedEvents(found, { file, plan, places, limits, options }))
        yield event.type === 'skipped' ? skip(event) : event;
    }
}

/**
 * Tells if a file is read before its turn: all that it holds is in memory then, so no file of
 * records is, and no compressed one.
 */
const isReadAhead = ({ path, size }: Source, format: Format | undefined): boolean =>
  size <= AHEAD_BYTES &&
  uncompressedPath(path) === path &&
  (format ?? formatByName(path))?.isIsolated === true;

/** A file of a plan, and what it holds. */
interface FoundFile {
  readonly type: 'found';
  readonly file: PlannedFile;
  readonly found: AsyncIterable<DetectedFormat> | Iterable<DetectedFormat>;
}

/** Yields the files of a plan in the order of the walk, with what `read` says of those to read. */
async function* plannedFiles(
  paths: readonly string[],
  options: ReadOptions,
  plan: FilePlan,
  read: (source: Source, isRequested: boolean) => FoundFile['found'],
): AsyncGenerator<FoundFile | SkippedEvent | UnchangedEvent, void, void> {
  for (const path of paths)
    for await (const walked of walk(path, options)) {
      options.signal?.throwIfAborted();
      if ('ignored' in walked) {
        await plan.leaves(walked);
        continue;
      }
      if ('skipped' in walked) {
        plan.passed(walked);
        yield { type: 'skipped', path: walked.path, reason: walked.skipped };
        continue;
      }
      const file = await plan.file(walked);
      if (!file) continue;
      const { source, unchanged } = file;
      if (unchanged) yield { type: 'unchanged', path: source.path, ids: unchanged };
      else yield { type: 'found', file, found: read(source, walked.isRequested) };
    }
}

interface Naming {
  readonly file: PlannedFile;
  readonly plan: FilePlan;
  readonly places: Places;
  readonly limits: Limits;
  readonly options: ReadOptions;
}

/** Yields what a file holds, its documents under the ids of the plan, and tells the plan. */
async function* namedEvents(
  read: FoundFile['found'],
  { file, plan, places, limits, options }: Naming,
): AsyncGenerator<LoadEvent, void, void> {
  const { signal, strict = false } = options;
  const skipped: SkippedEvent[] = [];
  let [isNoted, isBelowHalf] = [false, false];
  for await (const found of read) {
    signal?.throwIfAborted();
    if (strict && found.type === 'skipped' && found.error) throw found.error;
    const renamed = await withUniqueId(plan, file, withoutRepeats(plan, file, found));
    const shown = await withProject(file.source, renamed);
    const event = eventOf(file.source.path, shown, places, { ...limits, strict });
    if (event.type === 'skipped') skipped.push(event);
    else {
      plan.found(file, event);
      isBelowHalf ||= event.words !== undefined && losesMost(event.words);
      // Blocks that pages repeat are counted by themselves.
      isNoted ||= isBelowHalf || (found.type === 'document' && !!found.notes?.length);
    }
    yield event;
  }
  if (isNoted) plan.noted.files++;
  if (isBelowHalf) plan.noted.belowHalf++;
  plan.done(file, skipped);
}

/** Returns a page without what it repeats of the pages beside it, and counts what is left out. */
function withoutRepeats(
  { leftOut }: FilePlan,
  { repeated }: PlannedFile,
  found: DetectedFormat,
): DetectedFormat {
  if (!repeated || found.type === 'skipped') return found;
  const page = withoutRepeated(found.document, repeated);
  if (page.leftOut === 0) return found;
  leftOut.pages++;
  leftOut.blocks += page.leftOut;
  const { kept, visible } = found.words!;
  const gone = countWords(found.document.text) - countWords(page.document.text);
  const words = { kept: Math.max(0, kept - gone), visible };
  const note = `${page.leftOut} blocks left out that the pages beside it repeat`;
  return { ...found, document: page.document, words, notes: [...(found.notes ?? []), note] };
}

/** Returns a document with an id that no document of another file has. */
async function withUniqueId(
  plan: FilePlan,
  file: PlannedFile,
  found: DetectedFormat,
): Promise<DetectedFormat> {
  if (found.type === 'skipped' || found.idFrom !== 'field') return found;
  return { ...found, document: await plan.withStatedId(file, found.document) };
}

/** Returns a front page with what a manifest beside it says about its project. */
async function withProject({ path }: Source, found: DetectedFormat): Promise<DetectedFormat> {
  if (found.type === 'skipped' || found.idFrom !== 'path' || !isFrontPage(path)) return found;
  const metadata = { ...(await projectFacts(path)), ...found.document.metadata };
  return { ...found, document: { ...found.document, metadata } };
}

function eventOf(
  path: string,
  found: DetectedFormat,
  places: Places,
  limits: Limits & Required<Pick<ReadOptions, 'strict'>>,
): LoadEvent {
  const skipped = (reason: string): SkippedEvent =>
    defined<SkippedEvent>({ type: 'skipped', path, line: found.line, reason });
  const from = printPlace(path, found);
  if (found.type === 'skipped')
    return skipped(
      found.index === undefined ? found.reason : `item ${found.index}: ${found.reason}`,
    );
  const { document } = found;
  if (
    document.text.length > limits.documentBytes / 3 &&
    Buffer.byteLength(document.text) > limits.documentBytes
  )
    return skipped(
      `a document of ${printBytes(Buffer.byteLength(document.text))}: larger than ${printBytes(limits.documentBytes)}`,
    );
  const { id } = document;
  const problem = idProblem(id);
  if (problem !== undefined)
    return skipped(
      `its id ${JSON.stringify(id.slice(0, 40))} names no document: expected ${problem}`,
    );
  const before = places.note(id, path, found);
  if (before === undefined) {
    const { words, notes } = found;
    return defined<LoadEvent>({ type: 'document', document, from, words, notes });
  }
  if (found.idFrom === 'content') return skipped(`the same title and text as ${before}`);
  if (!limits.strict) return skipped(`the same id ${JSON.stringify(id)} as ${before}`);
  throw new InputError('duplicate-id', `Two documents have the id ${JSON.stringify(id)}`, {
    received: `${before} and ${from}`,
    hint: 'Give each document an id of its own',
  });
}

/** Position at which each id was first seen, as one number an id: a million ids stay small. */
class Places {
  private readonly files: string[] = [];
  private readonly seen = new Map<string, number>();

  /** The place where the id stood before, or undefined when it is new. */
  note(
    id: string,
    path: string,
    found: { readonly line?: number; readonly index?: number },
  ): string | undefined {
    if (this.files.at(-1) !== path) this.files.push(path);
    const before = this.seen.get(id);
    if (before !== undefined) return this.print(before);
    const within =
      found.line !== undefined
        ? found.line * 2
        : found.index !== undefined
          ? found.index * 2 + 1
          : 0;
    this.seen.set(id, (this.files.length - 1) * WITHIN + within);
    return undefined;
  }

  private print(place: number): string {
    const within = place % WITHIN;
    const path = this.files[Math.floor(place / WITHIN)]!;
    return within === 0
      ? path
      : printPlace(path, within % 2 === 0 ? { line: within / 2 } : { index: (within - 1) / 2 });
  }
}

/** Room for the line or position inside a file. */
const WITHIN = 2 ** 32;

/** "path", "path:line" or "path[index]". */
function printPlace(
  path: string,
  { line, index }: { readonly line?: number; readonly index?: number },
): string {
  if (line !== undefined) return `${path}:${line}`;
  return index === undefined ? path : `${path}[${index}]`;
}
