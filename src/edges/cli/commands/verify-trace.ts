/** `multihop verify-trace`: checks the hash chain of a trace and the laws of its events. */
import { InputError } from '../../../errors.ts';
import type { TraceEvent } from '../../../trace/trace.ts';
import { verifyTraceFile } from '../../runs/trace-reader.ts';
import type { Command, CommandContext } from '../command.ts';

export const command: Command = {
  positionals: [{ name: 'FILE', summary: 'a trace, as ask --trace writes it' }],
  options: [
    {
      name: 'head',
      value: 'HASH',
      summary: 'a head recorded elsewhere: detects a trace that was rewritten as a whole',
    },
  ],
  examples: [
    {
      line: 'multihop verify-trace run.jsonl',
      says: 'finds any change, cut, insertion or reordering, and events that contradict each other',
    },
    {
      line: 'multihop verify-trace run.jsonl --head 5f2c...',
      says: 'the content or line head that ask --json printed',
    },
  ],
  notes: [
    'Checks the hash chain, and without the store the laws of traces: references between hops, evidence as kept less withdrawn, rankings, costs, citations. Where a trace leaves hits out, their numbers are checked.',
    'Exits with 0 when the trace is sound, with 1 when it is not.',
    '--json prints { file, ok: true, lines, questions, heads: { count, content, line } } or { file, ok: false, at, problem }, at being the line; if the chain holds and a law is broken, also law and where.',
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
  const file = positionals[0]!;
  let questions = 0;
  const onEvent = ({ type }: TraceEvent): void => {
    if (type === 'question') questions++;
  };
  const found = await verifyTraceFile(file, { expectHead: head, onEvent });
  if (output.json)
    output.object(
      found.ok
        ? { file, ok: true, lines: found.heads.count + 1, questions, heads: found.heads }
        : {
            ...{ file, ok: false, at: found.line, problem: found.problem },
            ...(found.broken ? { law: found.broken.law, where: found.broken.where } : {}),
          },
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
