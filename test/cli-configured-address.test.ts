/**
 * Tests the addresses that a configuration names: without the user's consent none gets a request,
 * with a key in the environment or without.
 */
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import { AddressConsent } from '../src/cli/address-consent.ts';
import type { Command } from '../src/cli/command.ts';
import { main } from '../src/cli/command-line.ts';
import { commands } from '../src/cli/commands.ts';
import { addressOf } from '../src/cli/configured-addresses.ts';
import type { Output } from '../src/cli/output.ts';
import { embeddings, ModelServer } from './providers-server.ts';
import { DEMO_CORPUS, demoStore, freshFolder, type Result, run } from './running-command.ts';

/** A terminal at which somebody answers after a while. */
function slowly(answer: string, ms: number): PassThrough {
  const input = new PassThrough();
  setTimeout(() => input.end(answer), ms);
  return input;
}

const KEY = 'sk-canary-4b7e2d9f1a60c835';
const TOY = 'openai-compatible:toy';

let own: ModelServer;
let stranger: ModelServer;
let store: string;
before(async () => {
  own = await ModelServer.start(embeddings);
  stranger = await ModelServer.start(embeddings);
  store = await demoStore();
});
after(async () => {
  await own.stop();
  await stranger.stop();
});
beforeEach(() => {
  own.reset();
  stranger.reset();
});

function configured(fields: object): string {
  const folder = realpathSync(freshFolder());
  writeFileSync(join(folder, 'multihop.config.json'), JSON.stringify(fields));
  return folder;
}

/** Searches by an embedder whose address the configuration names, so that every text is sent. */
const searching = (): string[] => {
  const dense = `dense(${TOY}, unit=document)`;
  return ['search', 'ferry', '--store', store, '--retriever', dense, '--embedder', TOY];
};

const refused = ({ code, out, err }: Result, option: string): void => {
  assert.deepEqual([code, out, stranger.requests.length], [2, '', 0], err);
  assert.match(err, new RegExp(`The configuration names ".*" as ${option} in ".*config.json"`));
  assert.match(
    err,
    new RegExp(`give it: --${option} '.*', or list .* in MULTIHOP_ALLOWED_ORIGINS`),
  );
  assert.ok(!err.includes(KEY.slice(0, 12)));
};

const keysOf = ({ requests }: ModelServer): unknown[] => [
  ...new Set(requests.map(({ headers }) => headers.authorization)),
];

describe('an address that only a configuration names', () => {
  test('gets no text, be there a key or none, on this machine or elsewhere', async () => {
    for (const url of [stranger.url, stranger.url.replace('127.0.0.1', 'localhost')])
      for (const name of ['NONE', 'MULTIHOP_API_KEY', 'OPENAI_API_KEY']) {
        const folder = configured({ 'base-url': url });
        refused(await run(searching(), { folder, env: { [name]: KEY } }), 'base-url');
      }
  });

  test('gets texts, and the key, once its origin is allowed', async () => {
    const folder = configured({ search: { 'base-url': `${stranger.url}/v1` } });
    const allowed = { MULTIHOP_ALLOWED_ORIGINS: stranger.url };
    for (const [env, keys] of [
      [allowed, [undefined]],
      [{ ...allowed, MULTIHOP_API_KEY: KEY }, [`Bearer ${KEY}`]],
      [{ ...allowed, MULTIHOP_API_KEY: KEY, MULTIHOP_API_KEY_ORIGIN: own.url }, [undefined]],
    ] as const) {
      stranger.reset();
      const { code, err } = await run(searching(), { folder, env });
      assert.deepEqual([code, keysOf(stranger)], [0, keys], err);
    }
    const other = { MULTIHOP_ALLOWED_ORIGINS: own.url };
    stranger.reset();
    refused(await run(searching(), { folder, env: other }), 'base-url');
  });

  test('is not used where the command line gives another', async () => {
    const folder = configured({ 'base-url': stranger.url });
    const { code, err } = await run([...searching(), '--base-url', own.url], { folder });
    assert.deepEqual([code, stranger.requests.length], [0, 0], err);
    assert.ok(own.requests.length > 0);
  });

  test('is refused with its code, and names every origin that is called', async () => {
    const folder = configured({
      engine: 'opensearch://a.example/x?nodes=b.example:9200,c.example',
    });
    const { code, err } = await run(['documents', '--json'], { folder });
    assert.equal(code, 2);
    const { error } = JSON.parse(err.slice(err.indexOf('{'))) as { error: Record<string, string> };
    assert.equal(error['code'], 'configured-address');
    assert.match(
      error['hint']!,
      /opensearch:\/\/a\.example opensearch:\/\/b\.example:9200 opensearch:\/\/c\.example:80 in/,
    );
  });
});

const PATHS = ['DIR', 'FILE', 'KEYFILE', 'PATH'];

describe('of every command', () => {
  test('each option for an address is refused before anything else is done', async () => {
    let count = 0;
    for (const { name, load } of commands) {
      const { command } = await load();
      for (const { name: option, value = '' } of command.options) {
        if (value !== 'URL' && value !== 'PLACE') continue;
        const url =
          option === 'engine' || value === 'PLACE' ? 'opensearch://0.0.0.0:9/x' : stranger.url;
        const folder = configured({ [name]: { [option]: url } });
        refused(await run([name, ...needed(command, option)], { folder }), option);
        count++;
      }
    }
    assert.ok(count > 20, `${count} options`);
  });

  test('no option takes an address from a configuration unseen', async () => {
    const url = 'http://stranger.example:9/v1';
    for (const { name, load } of commands)
      for (const option of (await load()).command.options) {
        if (option.value === undefined) continue;
        const seen = addressOf(option, url).length > 0;
        assert.equal(seen, !PATHS.includes(option.value), `${name} --${option.name}`);
      }
  });
});

/** The words that a command cannot go without, but an option. */
const needed = ({ positionals, options }: Command, option: string): string[] => [
  ...positionals.filter(({ optional }) => !optional).map(() => 'x'),
  ...options.flatMap(({ name, required }) => (required && name !== option ? [`--${name}=x`] : [])),
];

describe('spellings of an address', () => {
  const allowed = 'http://a.example opensearch://a.example:9200 postgres://a.example';
  const url = { name: 'base-url', value: 'URL', summary: '' };

  test('lead to the origin that is called', () => {
    for (const [text, origin] of [
      ['http://a.example@b.example/v1', 'http://b.example'],
      ['http:b.example/v1', 'http://b.example'],
      ['http:\\\\b.example/v1', 'http://b.example'],
      ['ht\ntp://b.exa\tmple', 'http://b.example'],
      [' http://b.example', 'http://b.example'],
      ['HTTP://B.EXAMPLE:80', 'http://b.example'],
      ['http://b%2eexample', 'http://b.example'],
      ['http://ｂ．example', 'http://b.example'],
      ['http://a.example\\@b.example', 'http://a.example'],
      ['http://a.example.', 'http://a.example.'],
      ['http://а.example', 'http://xn--80a.example'],
      ['http://[0:0::1]:80/', 'http://[::1]'],
      ['http://0x7f.1', 'http://127.0.0.1'],
      ['https://a.example', 'https://a.example'],
      ['http://a.example:8080', 'http://a.example:8080'],
      ['opensearch://A.example:9200/x', 'opensearch://A.example:9200'],
      ['opensearch://a%2eexample:9200/x', 'opensearch://a%2eexample:9200'],
    ] as const)
      assert.deepEqual(addressOf(url, text)[0]?.origins, [origin], text);
  });

  test('of further nodes too', () => {
    for (const [nodes, origin] of [
      ['b.example:9200\\@a.example:9200', 'opensearch://b.example:9200'],
      ['a.example:9200@b.example:9200', 'opensearch://b.example:9200'],
      ['b.example', 'opensearch://b.example:80'],
      ['B.example:9200/x', 'opensearch://b.example:9200'],
    ] as const) {
      const text = `opensearch://a.example:9200/x?nodes=${encodeURIComponent(nodes)}`;
      const origins = addressOf(url, text)[0]?.origins;
      assert.deepEqual(origins, ['opensearch://a.example:9200', origin], nodes);
    }
  });

  test('that are no origin of the list are refused', async () => {
    const env = { MULTIHOP_ALLOWED_ORIGINS: allowed };
    for (const [option, text] of [
      ['base-url', 'http://a.example@0.0.0.0:9'],
      ['base-url', 'http:0.0.0.0:9'],
      ['base-url', 'https://a.example'],
      ['base-url', 'http://a.example.'],
      ['engine', 'opensearch://a.example:9200/x?nodes=0.0.0.0:9'],
      ['engine', 'opensearch://a.example:9200/x?nodes=a.example:9200,0.0.0.0:9'],
      ['engine', 'opensearchs://a.example:9200/x'],
      ['engine', 'postgres://a.example@0.0.0.0:9/x'],
    ] as const) {
      const folder = configured({ [option]: text });
      const line = option === 'engine' ? ['search', 'x'] : searching();
      refused(await run(line, { folder, env }), option);
    }
  });

  test('that are no address reach nothing', async () => {
    for (const text of ['//0.0.0.0:9/v1', '0.0.0.0:9', 'localhost:9', '/v1', 'a b']) {
      const folder = configured({ 'base-url': text });
      const { code, err } = await run(searching(), { folder });
      assert.ok(code === 2 && /configured-address|bad-url|base URL|names/.test(err), err);
    }
  });
});

describe('at a terminal', () => {
  interface Asked extends Result {
    readonly shown: string;
  }

  /** Runs a search at a terminal where somebody answers. */
  async function asked(
    folder: string,
    home: string,
    answer: string,
    words: readonly string[] = searching(),
  ): Promise<Asked> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let [out, err, shown] = ['', '', ''];
    output.on('data', data => (shown += data));
    input.end(answer);
    const code = await main(words, {
      stdout: { write: (text: string) => (out += text), isTTY: true, columns: 80 },
      stderr: { write: (text: string) => (err += text), isTTY: true, columns: 80 },
      terminal: { input, output },
      env: { HOME: home },
      folder,
    });
    return { code, out, err, shown };
  }
  const consents = (home: string): string =>
    join(home, '.config', 'multihop', 'allowed-addresses.json');

  test('the user is asked, and a yes is remembered for that file and origin', async () => {
    const home = freshFolder();
    const folder = configured({ 'base-url': stranger.url });
    const first = await asked(folder, home, 'y\n');
    assert.equal(first.code, 0, first.err);
    assert.ok(
      first.shown.includes(`${folder}/multihop.config.json sets base-url to ${stranger.url}/`),
    );
    assert.ok(first.shown.includes(`Allow ${stranger.url} for this file from now on? [y/N]`));
    assert.ok(stranger.requests.length > 0);
    const [file, around] = [consents(home), dirname(consents(home))].map(
      path => statSync(path).mode & 0o777,
    );
    assert.deepEqual([file, around], [0o600, 0o700]);

    const env = { HOME: home };
    assert.equal((await run(searching(), { folder, env })).code, 0, 'without a terminal');
    const again = await asked(folder, home, '');
    assert.deepEqual([again.code, again.shown], [0, '']);
    stranger.reset();
    const other = configured({ 'base-url': stranger.url });
    refused(await run(searching(), { folder: other, env }), 'base-url');
    configureAnew(folder, { 'base-url': stranger.url.replace('127.0.0.1', 'localhost') });
    refused(await run(searching(), { folder, env }), 'base-url');
    refused(await run(searching(), { folder: configuredFrom(folder), env }), 'base-url');
  });

  test('the address of a store’s record is asked for likewise, for that store', async () => {
    const [folder, home] = [freshFolder(), freshFolder()];
    const made = join(folder, 'made.store');
    const words = ['ingest', DEMO_CORPUS, '--store', made, '--embedder', TOY, '--base-url'];
    assert.equal((await run([...words, stranger.url])).code, 0);
    const search = ['search', 'ferry', '--store', made, '--retriever', `dense(${TOY})`];
    const searched = (home: string): Promise<Result> => run(search, { env: { HOME: home } });
    stranger.reset();
    assert.deepEqual(
      [(await asked(folder, home, 'n\n', search)).code, stranger.requests.length],
      [2, 0],
    );
    assert.deepEqual([(await searched(home)).code, stranger.requests.length], [2, 0]);
    const { code, shown, err } = await asked(folder, home, 'y\n', search);
    assert.equal(code, 0, err);
    assert.ok(shown.includes(`store.json names ${stranger.url}/ as the address of its embedder`));
    assert.ok(stranger.requests.length > 0);
    assert.equal((await searched(home)).code, 0);
    assert.equal((await searched(freshFolder())).code, 2);
    cpSync(made, join(folder, 'copy.store'), { recursive: true });
    search[3] = join(folder, 'copy.store');
    assert.equal((await searched(home)).code, 2);
  });

  test('the time of an answer counts towards no limit', async () => {
    const consent = new AddressConsent({
      env: { HOME: freshFolder() },
      output: { json: false } as Output,
      terminal: { input: slowly('y\n', 300), output: new PassThrough() },
    });
    assert.ok(await consent.ask('file', ['http://a.example'], ''));
    assert.ok(consent.waitedMs > 250, `${consent.waitedMs} ms`);
  });

  test('anything but a yes is a no, and nothing is remembered', async () => {
    const folder = configured({ 'base-url': stranger.url });
    for (const answer of ['n\n', '\n', '', 'yeah\n', 'no y\n']) {
      const home = freshFolder();
      const { code, err } = await asked(folder, home, answer);
      assert.deepEqual([code, stranger.requests.length], [2, 0], err);
      assert.throws(() => statSync(consents(home)));
    }
  });

  test('nobody is asked with --json, or where the command line gives the address', async () => {
    const folder = configured({ 'base-url': stranger.url });
    const json = await asked(folder, freshFolder(), 'y\n', [...searching(), '--json']);
    assert.deepEqual([json.code, json.shown, stranger.requests.length], [2, '', 0]);
    const given = await asked(folder, freshFolder(), '', [...searching(), '--base-url', own.url]);
    assert.deepEqual([given.code, given.shown], [0, '']);
  });

  test('one question covers all addresses of the file, and shows no escape of it', async () => {
    const folder = configured({
      'base-url': `${stranger.url}/\u001b[2J`,
      'reranker-url': 'http://0.0.0.0:9/',
    });
    const { shown, code } = await asked(folder, freshFolder(), 'n\n');
    assert.equal(code, 2);
    assert.match(shown, /base-url to .* and reranker-url to /);
    assert.ok(!shown.includes('\u001b'));
    assert.equal(shown.split('[y/N]').length, 2);
  });

  test('what is remembered is kept where it was damaged, by asking anew', async () => {
    const home = freshFolder();
    mkdirSync(dirname(consents(home)), { recursive: true });
    const folder = configured({ 'base-url': stranger.url });
    for (const text of ['{', '[]', 'null', '{"allowed":1}', '{"allowed":{"x":"y"}}', '"']) {
      writeFileSync(consents(home), text);
      refused(await run(searching(), { folder, env: { HOME: home } }), 'base-url');
    }
    assert.equal((await asked(folder, home, 'yes\n')).code, 0);
    assert.ok(readFileSync(consents(home), 'utf8').includes(stranger.url));
  });

  const configureAnew = (folder: string, fields: object): void =>
    writeFileSync(join(folder, 'multihop.config.json'), JSON.stringify(fields));
  /** A folder whose configuration is a link to that of another, with another address. */
  function configuredFrom(folder: string): string {
    const linked = realpathSync(freshFolder());
    symlinkSync(join(folder, 'multihop.config.json'), join(linked, 'multihop.config.json'));
    return linked;
  }
});

describe('an allowed server that redirects', () => {
  let redirecting: Server;
  let url: string;
  before(async () => {
    redirecting = createServer((request, response) => {
      request.resume();
      response.writeHead(307, { location: `${stranger.url}${request.url}` }).end();
    });
    await new Promise<void>(resolve => redirecting.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
  });
  after(() => redirecting.close());

  test('leads no text to another origin: embedder, reranker, language model, engine', async () => {
    const ask = ['ask', 'Who runs the ferry?', '--store', store];
    for (const [fields, words] of [
      [{ 'base-url': url }, searching()],
      [
        { 'reranker-url': url, retriever: 'reranked(lexical, tei:x)' },
        ['search', 'x', '--store', store],
      ],
      [{ 'model-url': url, model: 'openai-compatible:x' }, ask],
      [{ engine: `${url.replace('http', 'opensearch')}/x` }, ['search', 'x']],
    ] as const) {
      const env = { MULTIHOP_ALLOWED_ORIGINS: `${url} ${url.replace('http', 'opensearch')}` };
      const { err } = await run(words, { folder: configured(fields), env });
      assert.ok(!err.includes('configured-address') && !err.includes('names "'), err);
      assert.equal(stranger.requests.length, 0, JSON.stringify(fields));
    }
  });
});
