/** Runs the command line in this process. */
import { main } from '../../src/cli/command-line.ts';

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function runCommand(words: readonly string[]): Promise<CommandResult> {
  let [out, err] = ['', ''];
  const code = await main(words, {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  });
  return { code, out, err };
}
