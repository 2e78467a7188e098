/** Runs `multihop serve` as a process for tests. */
import { type Running, start } from '../running-command.ts';

export interface Serving extends Running {
  readonly url: string;
}

/** Starts a server, on a free port unless the words name one, and waits for its address. */
export async function serve(
  folder: string,
  words: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Serving> {
  const port = words.includes('--port') ? [] : ['--port', '0'];
  const running = start(['serve', '--store', folder, ...port, '--json', ...words], {
    env,
    stdin: null,
  });
  for (;;) {
    const { out, err } = running.soFar();
    const url = /"url": "([^"]+)"/.exec(out)?.[1];
    if (url !== undefined) return { ...running, url };
    if (running.child.exitCode !== null) throw new Error(err);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
