/** Reads one file by its format; whatever its reader throws skips this file alone. */
import { InputError, PortError } from '../../core/errors.ts';
import type { DetectedFormat, Format } from '../format.ts';
import { withoutPath } from '../formats/json.ts';
import { formatByName, formatOf } from '../formats.ts';
import { readHead, type Skipped } from './decode.ts';
import { HEAD_BYTES } from './encoding.ts';
import type { IdReader } from './file-plan.ts';
import { gunzipped, uncompressedPath } from './gzip.ts';
import { ReadingProcesses } from './reading-processes.ts';
import { DEFAULT_LIMITS, type Limits, type Source } from './source.ts';
import { type TextSource, textSource } from './text-source.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Yields the documents of one source, in a format, or in that of the file. Without `processes` one
 * lives for this source alone.
 */
export async function* readSource(
  source: Source,
  isRequested: boolean,
  format: Format | undefined,
  limits: Limits,
  processes?: ReadingProcesses,
): AsyncGenerator<DetectedFormat, void, void> {
  await using started = processes ? undefined : new ReadingProcesses();
  const path = uncompressedPath(source.path);
  const opened = path === source.path ? source : gunzipped(source, limits);
  try {
    const chosen = format ?? formatOf(path, await readHead(opened, HEAD_BYTES), isRequested);
    if (source.size === 0) yield { type: 'skipped', reason: 'empty file' };
    else if ('skipped' in chosen) yield { type: 'skipped', reason: chosen.skipped };
    else {
      const text = chosen.isBinary ? undefined : textSource(opened);
      const shown = text ?? opened;
      const found = chosen.isIsolated
        ? (processes ?? started!).read(chosen, shown, limits)
        : chosen.read(shown, limits);
      for await (const each of found) yield text ? noted(each, text) : each;
    }
  } catch (error) {
    yield skippedBy(error, source.path, isRequested);
  }
}

/** Returns a document with what decoding its file found. */
function noted(found: DetectedFormat, { notes }: TextSource): DetectedFormat {
  if (found.type === 'skipped' || notes.size === 0) return found;
  return { ...found, notes: [...(found.notes ?? []), ...notes] };
}

/** Codes of errors that say of a file that it cannot be opened. */
const UNREADABLE: ReadonlySet<string> = new Set(['missing-file', 'unreadable-file']);

/**
 * Skips a file for whatever its reader throws. Throws on what does not concern the file alone: a
 * failing disk, and a file that cannot be opened although the caller named it.
 */
function skippedBy(error: unknown, path: string, isRequested: boolean): DetectedFormat {
  if (PortError.is(error)) throw error;
  if (InputError.is(error)) {
    if (!UNREADABLE.has(error.code))
      return { type: 'skipped', reason: withoutPath(error, path), error };
    if (isRequested) throw error;
    return { type: 'skipped', reason: error.message.replace(` ${JSON.stringify(path)}`, '') };
  }
  const reason = error instanceof Unreadable ? error.message : failureOf(error);
  const unread = new InputError('unread-document', `${JSON.stringify(path)} cannot be read`, {
    received: reason,
    cause: error,
  });
  return { type: 'skipped', reason, error: unread };
}

/** Says in one line what a reader threw, which may be anything. */
function failureOf(error: unknown): string {
  if (error instanceof RangeError && error.message.includes('call stack'))
    return 'nested too deep for its reader';
  const other = typeof error === 'object' && error !== null ? 'an object' : String(error);
  const said = error instanceof Error ? `${error.name}: ${error.message}` : other;
  return `its reader failed: ${said.replace(/\s+/g, ' ').slice(0, 200)}`;
}

/** Reads the ids that files state, by the given format or by that of each file. */
export function idReader(
  format: Format | undefined,
  limits: Limits,
  signal: AbortSignal | undefined,
): IdReader {
  return {
    async holdsRecords({ source, isRequested }) {
      const chosen = format ?? (await formatOfFile(source, isRequested));
      return 'records' in chosen && chosen.records === true;
    },
    async *statedIds({ source, isRequested }) {
      for await (const found of readSource(source, isRequested, format, limits)) {
        signal?.throwIfAborted();
        if (found.type === 'document' && found.idFrom === 'field') yield found.document.id;
      }
    },
  };
}

/** Returns the format of a file; its content is read only where its name does not tell. */
async function formatOfFile(source: Source, isRequested: boolean): Promise<Format | Skipped> {
  const path = uncompressedPath(source.path);
  const byName = formatByName(path);
  if (byName) return byName;
  try {
    const opened = path === source.path ? source : gunzipped(source, DEFAULT_LIMITS);
    return formatOf(path, await readHead(opened, HEAD_BYTES), isRequested);
  } catch (error) {
    if (PortError.is(error)) throw error;
    // Reading the file itself says what is wrong with it.
    return { skipped: 'unreadable' };
  }
}
