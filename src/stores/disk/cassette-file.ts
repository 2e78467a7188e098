/**
 * Stores completions on disk: a cassette that replays an evaluation, or a cache. The file holds
 * lines of JSON, which are only ever appended; prompts are not stored.
 *
 *  first line { format: "multihop cassette 1", model, price? }; each other { key, text, usage: {
 * input, output, estimated? }, finish, sum }
 *
 * `key` is the content hash of model, prompt and settings (`completionKey`), `sum` the beginning of
 * the SHA-256 of the rest of its line. Lines that are cut or damaged are skipped and counted. The
 * first line of a key counts. One process writes at a time; equal runs write equal bytes if their
 * calls are sequential.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError, PortError } from '../../core/errors.ts';
import type { CompletionStore } from '../../models/cached-model.ts';
import type { Completion } from '../../models/language-model.ts';
import type { Price } from '../../models/price.ts';
import { errno } from '../../platform/errno.ts';
import { sha256 } from '../../platform/sha256.ts';
import {
  completionLine,
  FORMAT,
  headerLine,
  readCompletionLine,
  readHeaderLine,
} from './cassette-lines.ts';
import { nodeDisk } from './disk.ts';

/** The model whose completions the cassette holds. */
export interface CassetteModel {
  readonly id: string;
  readonly price?: Price;
}

/**
 * Largest readable cassette in bytes: larger than any benchmark recording, and close to the limit
 * of a string.
 */
const LARGEST = 512 * 2 ** 20;

export class CassetteFile implements CompletionStore {
  readonly path: string;
  readonly model: CassetteModel;
  /** Number of lines that could not be read. */
  readonly damaged: number;
  private readonly completions: Map<string, Completion>;
  private readonly file: FileHandle | undefined;
  /** True if the file ends within a line, so that the next one needs a line break. */
  private torn: boolean;
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    path: string,
    model: CassetteModel,
    read: Contents,
    file: FileHandle | undefined,
  ) {
    this.path = path;
    this.model = model;
    this.completions = read.completions;
    this.damaged = read.damaged;
    this.torn = read.torn;
    this.file = file;
  }

  /**
   * Opens a cassette to replay it, without writing. Throws `InputError('no-cassette' |
   * 'not-a-cassette' | 'too-large')`.
   */
  static async toReplay(path: string): Promise<CassetteFile> {
    const read = contentsOf(path, await bytesOf(path));
    if (!read.model)
      throw new InputError('no-cassette', `No cassette at ${path}`, {
        expected: 'a cassette',
        hint: 'Record one: give the model beside the cassette.',
        remedy: { id: 'record-cassette' },
      });
    return new CassetteFile(path, read.model, read, undefined);
  }

  /**
   * Opens a cassette to append to it, creating it if it is missing. Throws `InputError` for another
   * file or another model's cassette, `PortError` of the port "cassette" if it cannot be written.
   */
  static async toRecord(path: string, model: CassetteModel): Promise<CassetteFile> {
    const read = contentsOf(path, await bytesOf(path));
    if (read.model && read.model.id !== model.id)
      throw new InputError('other-model', `The cassette ${path} was recorded with another model`, {
        expected: `"${read.model.id}"`,
        received: `"${model.id}"`,
        hint: 'Record each model on a cassette of its own.',
      });
    const made = new CassetteFile(path, read.model ?? model, read, await openToAppend(path));
    if (!read.model) await made.append(headerLine(model));
    return made;
  }

  /** Number of completions. */
  get size(): number {
    return this.completions.size;
  }

  async get(key: string): Promise<Completion | undefined> {
    return this.completions.get(key);
  }

  /**
   * Stores a completion. Throws `PortError` if it cannot be recorded, so that no unrecorded
   * completion is used.
   */
  async put(key: string, completion: Completion): Promise<Completion> {
    const turn = this.last.then(async () => {
      const known = this.completions.get(key);
      if (known) return known;
      await this.append(completionLine(key, completion, sha256));
      this.completions.set(key, completion);
      return completion;
    });
    this.last = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    await this.last;
    await this.file?.close();
  }

  /** Appends a line; returns once it is on the disk. */
  private async append(line: string): Promise<void> {
    if (!this.file)
      throw new PortError(
        'cassette',
        'cassette-not-writable',
        `The cassette ${this.path} was opened to be replayed`,
      );
    const bytes = Buffer.from(`${this.torn ? '\n' : ''}${line}\n`);
    this.torn = true;
    try {
      for (let at = 0; at < bytes.length; ) at += (await this.file.write(bytes, at)).bytesWritten;
      await this.file.datasync();
    } catch (error) {
      throw notWritable(this.path, error);
    }
    this.torn = false;
  }
}

interface Contents {
  readonly model: CassetteModel | undefined;
  readonly completions: Map<string, Completion>;
  readonly damaged: number;
  readonly torn: boolean;
}

/** Returns the file's bytes; none if there is no file. */
async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > LARGEST)
      throw new InputError('too-large', `The cassette ${path} is too large`, {
        expected: `at most ${LARGEST} bytes`,
        received: `${size}`,
      });
    return await nodeDisk.read(path);
  } catch (error) {
    if (errno(error) === 'ENOENT') return new Uint8Array();
    if (InputError.is(error)) throw error;
    throw new PortError('cassette', 'cassette-unreadable', `The cassette ${path} cannot be read`, {
      received: (error as Error).message,
      cause: error,
    });
  }
}

/**
 * Parses a cassette. Throws `InputError('not-a-cassette')` for any other file, so that it is never
 * appended to.
 */
function contentsOf(path: string, bytes: Uint8Array): Contents {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .split('\n');
  const rest = lines.pop()!;
  const model = lines.map(line => readHeaderLine(line)).find(header => header !== undefined);
  const completions = new Map<string, Completion>();
  let damaged = rest === '' ? 0 : 1;
  for (const line of lines) {
    if (line === '' || readHeaderLine(line)) continue;
    const read = readCompletionLine(line, sha256);
    if (!read) damaged++;
    else if (!completions.has(read.key)) completions.set(read.key, read.completion);
  }
  const begun = headerLine({ id: '' }).slice(0, FORMAT.length + 12);
  const firstLine = lines[0] ?? rest;
  // A killed process may have left part of the first line.
  const isBegun =
    bytes.length === 0 ||
    (firstLine !== '' && (firstLine.startsWith(begun) || begun.startsWith(firstLine)));
  if (!model && completions.size === 0 && !isBegun)
    throw new InputError('not-a-cassette', `${path} is not a cassette`, {
      expected: `a file of lines that begins with { "format": "${FORMAT}" }`,
      received: `"${firstLine.slice(0, 40)}"`,
    });
  return { model, completions, damaged, torn: rest !== '' };
}

async function openToAppend(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(
      path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
      0o644,
    );
    await nodeDisk.syncFolder(dirname(path));
    return file;
  } catch (error) {
    throw notWritable(path, error);
  }
}

function notWritable(path: string, error: unknown): PortError {
  return new PortError(
    'cassette',
    'cassette-not-writable',
    `The cassette ${path} cannot be written`,
    {
      received: (error as Error).message,
      cause: error,
      hint: 'Earlier recordings are safe. Record again: the run continues where the cassette ends.',
    },
  );
}
