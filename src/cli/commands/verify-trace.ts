/** `multihop verify-trace`: checks the hash chain, the laws and the signature of a trace. */

import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import type { TraceEvent } from '../../core/trace/trace.ts';
import { type ByteRange, verifyTraceFile } from '../../experiments/trace-reader.ts';
import { readPublicKey, type SignedCheck } from '../../session/trace-signing.ts';
import type { Command, CommandContext } from '../command.ts';
import { TraceProgress } from '../trace-progress.ts';

export const command: Command = {
  positionals: [{ name: 'FILE', summary: 'a trace, as ask --trace writes it' }],
  options: [
    {
      name: 'head',
      value: 'HASH',
      summary: 'a head recorded elsewhere: detects a trace that was rewritten as a whole',
    },
    {
      name: 'key',
      value: 'KEYFILE',
      access: 'read',
      summary:
        'the public key (PEM of SPKI) whose private key must have signed the trace: ask --sign, eval --sign',
    },
  ],
  examples: [
    {
      line: 'multihop verify-trace run.jsonl',
      says: 'finds changed, missing, added and moved lines unless all hashes were recomputed, and events that contradict each other',
    },
    {
      line: 'multihop verify-trace run.jsonl --head 5f2c...',
      says: 'the content or line head that ask --json printed',
    },
    {
      line: 'openssl pkey -in key.pem -pubout -out key.pub && multihop verify-trace run.jsonl --key key.pub',
      says: 'refuses a trace that the holder of key.pem did not sign, or that was rewritten since',
    },
  ],
  notes: [
    'Checks the hash chain, and without the store the laws of traces: references between hops, evidence as kept less withdrawn, rankings, costs, citations. Where a trace leaves hits out, their numbers are checked.',
    'Whoever can write the file can change it and write its hashes anew. --head finds that if the head was kept where they cannot write; --key finds it if they lack the private key. A signature without --key is shown, not checked.',
    'Exits with 0 when the trace is sound, with 1 when it is not.',
    '--json prints { file, ok: true, lines, questions, heads: { count, content, line } }, of a signed trace also signature: { key, checked }, or { file, ok: false, at, problem }, at being the line; if the chain holds and a law is broken, also law and where; if --key refuses it, fault: unsigned, other-key or wrong-signature.',
  ],
  run: verify,
};

async function verify({ positionals, options, output }: CommandContext): Promise<number> {
  const head = options.text('head')?.toLowerCase();
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw new InputError('bad-head', 'The head is no hash', {
      expected: '64 hexadecimal digits',
      received: `"${head}"`,
    });
  const keyFile = options.text('key');
  const key = keyFile === undefined ? undefined : readPublicKey(keyFile);
  const file = positionals[0]!;
  let questions = 0;
  const progress = new TraceProgress(output, [file]);
  const onEvent = (event: TraceEvent, line: ByteRange): void => {
    if (event.type === 'question') questions++;
    progress.read(file, line);
  };
  const found = await verifyTraceFile(file, { expectHead: head, key, onEvent }).finally(() =>
    progress.end(),
  );
  const checked = { file, found, questions, byKey: key !== undefined };
  if (output.json) output.object(resultOf(checked));
  else if (found.ok) for (const line of soundLines(checked, found, output)) output.line(line);
  else output.line(`${output.style.red('not sound')}: ${file}:${found.line}: ${found.problem}`);
  return found.ok ? 0 : 1;
}

interface CheckedFile {
  readonly file: string;
  readonly found: SignedCheck;
  readonly questions: number;
  /** True if the signature was checked with a key. */
  readonly byKey: boolean;
}

/** Returns the object of `--json`. */
function resultOf({ file, found, questions, byKey }: CheckedFile): object {
  if (!found.ok) {
    const { line: at, problem, broken, fault } = found;
    return { file, ok: false, at, problem, law: broken?.law, where: broken?.where, fault };
  }
  const { heads, signature } = found;
  const lines = heads.count + (signature ? 2 : 1);
  return defined({
    file,
    ok: true,
    lines,
    questions,
    heads,
    signature: signature ? { key: signature.key, checked: byKey } : undefined,
  });
}

function soundLines(
  { questions, byKey }: CheckedFile,
  { heads, signature }: Extract<SignedCheck, { ok: true }>,
  { style }: CommandContext['output'],
): string[] {
  const counted = `${heads.count} events of ${questions} question${questions === 1 ? '' : 's'}`;
  const signed = byKey ? 'signed by this key' : 'signature not checked (--key KEYFILE checks it)';
  return [
    `${style.green('sound')}: ${counted}, sealed${signature ? `, ${signed}` : ''}`,
    `content ${heads.content}`,
    `line    ${heads.line}`,
    ...(signature ? [`key     ${signature.key}`] : []),
  ];
}
