/** Tests `multihop chat` at a prompt: over injected streams, and in a pseudo terminal. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { before, describe, test } from 'node:test';
import { Interrupts } from '../src/cli/chat/interrupts.ts';
import { completionsOf } from '../src/cli/chat/terminal-lines.ts';
import { main } from '../src/cli/command-line.ts';
import { Output } from '../src/cli/output.ts';
import { Waiting } from '../src/cli/waiting.ts';
import { demoStore, PACKAGE, start } from './running-command.ts';
import { scriptedServer } from './server/model-server.ts';

const FOUNDER = 'Who founded Dunmarrow Drives?';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

let store = '';
before(async () => {
  store = await demoStore();
});

/** Text that is written to, and that a test may wait for. */
class Screen {
  text = '';
  private wake = (): void => {};
  private read = 0;

  add(text: string): boolean {
    this.text += text;
    this.wake();
    return true;
  }

  /** Waits until these words stand behind those that were waited for before. */
  async shows(words: string): Promise<void> {
    const until = setTimeout(() => {
      throw new Error(`waited for ${JSON.stringify(words)} behind ${this.text}`);
    }, 60_000);
    while (!this.text.includes(words, this.read))
      await new Promise<void>(resolve => {
        this.wake = resolve;
      });
    clearTimeout(until);
    this.read = this.text.indexOf(words, this.read) + words.length;
  }
}

interface Prompted {
  readonly screen: Screen;
  readonly code: Promise<number>;
  type(keys: string): void;
}

/** Starts a chat at a prompt whose terminal is two streams. */
function prompted(...more: string[]): Prompted {
  const screen = new Screen();
  const input = new PassThrough();
  const output = new Writable({
    write: (part, _, done) => {
      screen.add(String(part));
      done();
    },
  });
  const sink = { write: (text: string) => screen.add(text), isTTY: true, columns: 80 };
  const code = main(['chat', '--store', store, ...more], {
    stdout: sink,
    stderr: sink,
    stdin: input,
    terminal: { input, output },
    env: { NO_COLOR: '1' },
  });
  return { screen, code, type: keys => input.write(keys) };
}

/** Runs a test beside a model whose answers the test gives. */
const withModel = (work: (model: ScriptedServer) => Promise<void>) => async (): Promise<void> => {
  const model = await scriptedServer();
  try {
    await work(model);
  } finally {
    await model.close();
  }
};
type ScriptedServer = Awaited<ReturnType<typeof scriptedServer>>;

const askModel = (url: string): string[] => [
  ...['--strategy', 'fixed-top-k(k=2)', '--reader', 'generative'],
  ...['--model', 'openai-compatible:mock', '--model-url', url],
];

describe('at a prompt', () => {
  test('questions and commands are answered in turn, and Ctrl-D ends with 0', async () => {
    const { screen, code, type } = prompted();
    await screen.shows('44 documents, asked by fact-lanes');
    await screen.shows('> ');
    type(`${FOUNDER}\r`);
    await screen.shows('hop 1  “');
    await screen.shows('Petra Quill\nProbability');
    await screen.shows('Evidence\n*');
    await screen.shows('> ');
    type('/strategy nothing\r');
    await screen.shows('Unknown strategy "nothing"');
    await screen.shows('> ');
    type('/budget hops=0\r');
    await screen.shows('Budget: hops=0');
    type(`${FOUNDER}\r`);
    await screen.shows('Stopped by the limit on hops');
    await screen.shows('> ');
    type(CTRL_D);
    assert.equal(await code, 0);
    assert.ok(screen.text.endsWith('\n'), 'the prompt of the shell begins a line');
    // The line that is typed stands there already.
    assert.doesNotMatch(screen.text, /^> > /m);
  });

  test(
    'Ctrl-C ends a run and not the chat; at the prompt it ends the chat',
    withModel(async model => {
      const { screen, code, type } = prompted(...askModel(model.url));
      await screen.shows('openai-compatible:mock: a question takes at most');
      await screen.shows('> ');
      type(`${FOUNDER}\r`);
      const call = await model.nextCall();
      type(CTRL_C);
      await call.aborted;
      await screen.shows('Interrupted');
      // It has searched before: the evidence is shown.
      await screen.shows('Evidence\n   1. ');
      await screen.shows('> ');
      type('/sources\r');
      await screen.shows('cannery');
      await screen.shows('> ');
      type(`${FOUNDER}\r`);
      (await model.nextCall()).answer('Petra Quill founded it [1].');
      await screen.shows('Petra Quill founded it [1].');
      await screen.shows('> ');
      type(CTRL_C);
      assert.equal(await code, 0);
      assert.doesNotMatch(screen.text, /bug in multihop/);
    }),
  );

  test('lines that are written ahead are asked one after another', async () => {
    const { screen, code, type } = prompted('--strategy', 'fixed-top-k(k=2)');
    await screen.shows('> ');
    type(`${FOUNDER}\rWho won the Fathom Prize?\r/quit\r`);
    assert.equal(await code, 0);
    assert.match(screen.text, /\n> Who won the Fathom Prize\?\nhop 1 {2}“Who won/);
  });

  test('--json at a terminal prints records and no prompt', async () => {
    const { screen, code, type } = prompted('--json');
    type(`${FOUNDER}\n`);
    await screen.shows('}\n');
    type('/quit\n');
    assert.equal(await code, 0);
    const record = JSON.parse(screen.text);
    assert.equal(record.question.text, FOUNDER);
  });

  test('Tab completes commands and strategies', () => {
    assert.deepEqual(completionsOf('/s'), [['/sources', '/strategy', '/save'], '/s']);
    assert.deepEqual(completionsOf('/strategy tree'), [['tree-hop'], 'tree']);
    assert.deepEqual(completionsOf(''), [[], '']);
    assert.deepEqual(completionsOf('Who'), [[], 'Who']);
  });
});

describe('interrupts', () => {
  test('a second one leaves a run that does not end', async () => {
    let prompts = 0;
    const interrupts = new Interrupts(new AbortController().signal, () => prompts++);
    let heard: AbortSignal | undefined;
    const run = interrupts.run(signal => {
      heard = signal;
      return new Promise<never>(() => {});
    });
    interrupts.interrupt();
    assert.deepEqual([heard?.aborted, interrupts.signal.aborted], [true, false]);
    interrupts.interrupt();
    assert.equal(interrupts.signal.aborted, true);
    await assert.rejects(run, { name: 'AbortError' });
    interrupts.interrupt();
    assert.equal(prompts, 1);
  });

  test('the run after an interrupted one is not aborted', async () => {
    const interrupts = new Interrupts(new AbortController().signal, () => {});
    await interrupts.run(async () => interrupts.interrupt());
    assert.equal(await interrupts.run(async signal => signal.aborted), false);
  });

  test(
    'as a process with a pipe: SIGINT shows what the run has, and the exit code is 130',
    {
      skip: process.platform === 'win32' ? 'no signals' : false,
    },
    withModel(async model => {
      const stdin = `${FOUNDER}\nWho won the Fathom Prize?\n`;
      const chat = start(['chat', '--store', store, ...askModel(model.url)], { stdin });
      await model.nextCall();
      chat.child.kill('SIGINT');
      const { code, out, err } = await chat.result;
      assert.equal(code, 130, err);
      assert.match(out, /Interrupted\n/);
      assert.match(out, /Evidence\n {3}1\. /);
      assert.doesNotMatch(out, /Fathom Prize\?/);
    }),
  );
});

describe('in a pseudo terminal', {
  skip: spawnSync('script', ['--version']).status === 0 ? false : 'no script(1)',
}, () => {
  function opened(...more: string[]): { child: ChildProcess; screen: Screen } {
    const bin = join(PACKAGE, 'src', 'cli', 'main.ts');
    const words = [process.execPath, '--disable-warning=ExperimentalWarning', bin, 'chat'];
    const line = [...words, '--store', store, ...more].map(word => `'${word}'`).join(' ');
    const screen = new Screen();
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm', NO_COLOR: '1' };
    const child = spawn('script', ['-qec', line, '/dev/null'], { env, stdio: 'pipe' });
    child.stdout.on('data', part => screen.add(String(part)));
    return { child, screen };
  }

  test(
    'Ctrl-C as a key ends the run, then the chat',
    withModel(async model => {
      const { child, screen } = opened(...askModel(model.url));
      const exited = once(child, 'exit');
      await screen.shows('> ');
      child.stdin!.write(`${FOUNDER}\r`);
      const call = await model.nextCall();
      child.stdin!.write(CTRL_C);
      await call.aborted;
      await screen.shows('Interrupted');
      await screen.shows('> ');
      child.stdin!.write(CTRL_C);
      assert.deepEqual(await exited, [0, null]);
    }),
  );
});

describe('waiting', () => {
  interface Drawn {
    readonly waiting: Waiting;
    readonly written: () => string;
    pass(ms: number): void;
    readonly ticking: () => boolean;
  }

  function drawn(isTTY: boolean, json = false): Drawn {
    let written = '';
    let now = 0;
    let tick: (() => void) | undefined;
    const stderr = { write: (text: string) => (written += text), isTTY };
    const looks = { env: {}, json, quiet: false, verbose: false };
    const output = new Output({ stdout: { write: () => {} }, stderr, ...looks });
    const ticker = (callback: () => void) => {
      tick = callback;
      return () => {
        tick = undefined;
      };
    };
    return {
      waiting: new Waiting(output, () => now, ticker),
      written: () => written,
      ticking: () => tick !== undefined,
      pass(ms) {
        now += ms;
        tick?.();
      },
    };
  }

  test('is drawn with its seconds, and cleared', () => {
    const { waiting, written, pass, ticking } = drawn(true);
    waiting.begin('searching');
    assert.equal(written(), '');
    pass(1001);
    assert.match(written(), /searching {2}1\.0 s$/);
    pass(1000);
    assert.match(written(), /searching {2}2\.0 s$/);
    waiting.begin('answering');
    assert.ok(written().endsWith('\r\u001b[K'));
    pass(1000);
    assert.match(written(), /answering {2}1\.0 s$/);
    waiting.end();
    assert.ok(!ticking());
    assert.ok(written().endsWith('\r\u001b[K'));
  });

  test('names what a run does after each of its events', () => {
    const { waiting, written, pass, ticking } = drawn(true);
    for (const [type, what] of [
      ['question', 'searching'],
      ['hop', 'searching'],
      ['context', 'answering'],
    ] as const) {
      waiting.follow({ type });
      pass(1000);
      assert.ok(written().endsWith(`${what}  1.0 s`), type);
    }
    waiting.follow({ type: 'answer' });
    assert.ok(!ticking() && written().endsWith('\r\u001b[K'));
  });

  test('is not drawn elsewhere', () => {
    for (const { waiting, written, pass } of [drawn(false), drawn(true, true)]) {
      waiting.begin('searching');
      pass(5000);
      waiting.end();
      assert.equal(written(), '');
    }
  });
});
