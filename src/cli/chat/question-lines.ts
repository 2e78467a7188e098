/** Reads the lines of a chat from a pipe. */
import { InputError } from '../../core/errors.ts';

/** The lines that a user writes or a pipe holds. */
export interface QuestionLines {
  /** Returns the next line without its end; undefined at the end. */
  next(): Promise<string | undefined>;
  close(): void;
}

const LONGEST_LINE = 1 << 20;

/** Ends at an abort too. Throws `InputError`: `bad-text` for invalid UTF-8, `too-long`. */
export function pipedLines(
  stdin: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): QuestionLines {
  const lines = split(stdin);
  const aborted = new Promise<undefined>(resolve => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return {
    next: async () => {
      const step = await Promise.race([lines.next(), aborted]);
      return step === undefined || step.done ? undefined : step.value;
    },
    close: () => {},
  };
}

async function* split(
  stdin: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const part of stdin) {
    rest += typeof part === 'string' ? part : decoded(decoder, part);
    const lines = rest.split(/\r?\n/);
    rest = lines.pop()!;
    for (const line of lines) yield checked(line);
    checked(rest);
  }
  rest += decoded(decoder);
  if (rest !== '') yield checked(rest);
}

function decoded(decoder: InstanceType<typeof TextDecoder>, part?: Uint8Array): string {
  try {
    return decoder.decode(part, { stream: part !== undefined });
  } catch (error) {
    throw new InputError('bad-text', 'Stdin holds no UTF-8 text', {
      expected: 'UTF-8',
      cause: error,
    });
  }
}

function checked(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  throw new InputError('too-long', 'A line on stdin is too long', {
    expected: `at most ${LONGEST_LINE} characters`,
  });
}
