/** The processes of a load test: the real `multihop serve`, and the model that it asks. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Behaviour, QUICK, type Reported } from './model-behaviour.ts';
import type { Sample } from './probe.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
export const COMMAND: string = pathOf('../../src/cli/main.ts');
const STREAMING: string = pathOf('streaming-server.ts');
/** The server's token. */
export const TOKEN = 'a-token-of-the-load-test-0123';

/** The mock model as a process. */
export class MockModel implements AsyncDisposable {
  readonly url: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  static async start(): Promise<MockModel> {
    const child = fork(pathOf('mock-model.ts'), { stdio: ['ignore', 2, 2, 'ipc'] });
    const first = await reportOf(child);
    if (first.type !== 'listening') throw new Error(`the mock model reported ${first.type}`);
    return new MockModel(child, first.url);
  }

  /** Sets what differs from a model that answers at once. */
  async set(behaviour: Partial<Behaviour> = {}): Promise<void> {
    const done = new Promise<void>(resolve => {
      const on = ({ type }: Reported): void => {
        if (type !== 'set') return;
        this.child.off('message', on);
        resolve();
      };
      this.child.on('message', on);
    });
    this.child.send({ ...QUICK, ...behaviour });
    await done;
  }

  /** Calls for every request that is held or closed; returns a function that ends it. */
  watch(on: (report: Reported) => void): () => void {
    this.child.on('message', on);
    return () => this.child.off('message', on);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await ended(this.child, () => this.child.disconnect());
  }
}

const reportOf = (child: ChildProcess): Promise<Reported> =>
  new Promise((resolve, reject) => {
    child.once('message', message => resolve(message as Reported));
    child.once('exit', code => reject(new Error(`the mock model ended with ${code}`)));
  });

export interface ServeOptions {
  readonly store: string;
  /** No model if missing. */
  readonly modelUrl?: string;
  /** Runs at once, and requests that wait; those of the command if missing. */
  readonly concurrent?: number;
  readonly queue?: number;
  /** Options of Node, such as `--cpu-prof`. */
  readonly node?: readonly string[];
}

/** `multihop serve` as a process. */
export class Serving implements AsyncDisposable {
  readonly url: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  static async start(options: ServeOptions): Promise<Serving> {
    const { store, modelUrl, concurrent, queue, node = [] } = options;
    const words = ['serve', '--store', store, '--port', '0', '--json', '--quiet'];
    if (modelUrl !== undefined)
      words.push('--model', 'openai-compatible:mock', '--model-url', modelUrl);
    // One address asks everything: the limit of a client is not what is measured.
    words.push('--rate', '1000000000', '--connections', '1024');
    if (concurrent !== undefined) words.push('--concurrent', String(concurrent));
    if (queue !== undefined) words.push('--queue', String(queue));
    return Serving.fork(COMMAND, words, node);
  }

  /** Starts a server over a model of its own process; `count` streams at once. */
  static streaming(
    store: string,
    { pieces, everyMs, count }: Readonly<Record<'pieces' | 'everyMs' | 'count', number>>,
    node: readonly string[] = [],
  ): Promise<Serving> {
    return Serving.fork(STREAMING, [store, ...[pieces, everyMs, count].map(String)], node);
  }

  private static async fork(
    file: string,
    words: readonly string[],
    node: readonly string[],
  ): Promise<Serving> {
    const child = fork(file, words, {
      execArgv: ['--expose-gc', '--import', pathOf('probe.ts'), ...node],
      env: { ...process.env, MULTIHOP_TOKEN: TOKEN },
      stdio: ['ignore', 'pipe', 2, 'ipc'],
    });
    return new Serving(child, await printedUrl(child));
  }

  /** Measures the process; `collect`: after a full collection of its heap. */
  sample(collect = false): Promise<Sample> {
    const taken = new Promise<Sample>((resolve, reject) => {
      this.child.once('message', message => resolve(message as Sample));
      this.child.once('exit', code => reject(new Error(`multihop serve ended with ${code}`)));
    });
    this.child.send({ collect });
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await ended(this.child, () => this.child.kill('SIGTERM'));
  }
}

function printedUrl(child: ChildProcess): Promise<string> {
  let out = '';
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', data => {
      out += String(data);

      const url = /"url": "([^"]+)"/.exec(out)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', code => reject(new Error(`multihop serve ended with ${code}: ${out}`)));
  });
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
  end();
  await gone;
}
