/** `multihop verify-trace`: whether the record of a run is, to the byte, what was written. */
import { readFile } from 'node:fs/promises';
import { InputError } from '../../../errors.ts';
import { verifyTrace } from '../../../trace/audit.ts';
import { fileError } from '../../formats/source.ts';
import { sha256 } from '../../sha256.ts';
import type { Command, CommandContext } from '../command.ts';

export const command: Command = {
  positionals: [{ name: 'FILE', summary: 'a trace, as ask --trace writes it' }],
  options: [{ name: 'head', value: 'HASH', summary: 'a head that was kept elsewhere: finds a trace that was rewritten as a whole' }],
  examples: [
    { line: 'multihop verify-trace run.jsonl', says: 'finds any change, cut, insertion or reordering' },
    { line: 'multihop verify-trace run.jsonl --head 5f2c...', says: 'the content or line head that ask --json printed' },
  ],
  notes: [
    'Exits with 0 when the trace is sound, with 1 when it is not.',
    '--json prints { file, ok: true, lines, questions, heads: { count, content, line } } or { file, ok: false, at, problem }, at being the line.',
  ],
  run: verify,
};

async function verify({ positionals, options, output }: CommandContext): Promise<number> {
  const head = options.text('head')?.toLowerCase();
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw new InputError('bad-head', 'The head is no hash', { expected: '64 hexadecimal digits', received: `"${head}"` });
  const file = positionals[0]!;
  const found = verifyTrace(await readTrace(file), sha256, head);
  const questions = found.events.filter(({ type }) => type === 'question').length;
  if (output.json)
    output.object(
      found.ok
        ? { file, ok: true, lines: found.heads.count + 1, questions, heads: found.heads }
        : { file, ok: false, at: found.line, problem: found.problem },
    );
  else if (found.ok) {
    output.line(
      `${output.style.green('sound')}: ${found.heads.count} events of ${questions} question${questions === 1 ? '' : 's'}, sealed`,
    );
    output.line(`content ${found.heads.content}`);
    output.line(`line    ${found.heads.line}`);
  } else output.line(`${output.style.red('not sound')}: ${file}:${found.line}: ${found.problem}`);
  return found.ok ? 0 : 1;
}

async function readTrace(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw fileError(file, error);
  }
  // A byte that is no UTF-8 becomes U+FFFD, which no line of a trace has where its hash was made.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
