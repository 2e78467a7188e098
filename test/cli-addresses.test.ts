/**
 * Tests the addresses that only a file names, a configuration or the record of a store: without the
 * user's consent none gets a request, with a key in the environment or without.
 */
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Command } from '../src/cli/command.ts';
import { main } from '../src/cli/command-line.ts';
import { commands } from '../src/cli/commands.ts';
import { CONFIGURATION_FILE } from '../src/cli/configuration-file.ts';
import { Consent } from '../src/cli/consent.ts';
import { originsOf } from '../src/cli/named-addresses.ts';
import type { Output } from '../src/cli/output.ts';
import { embeddings, ModelServer } from './providers-server.ts';
import {
  argv,
  DEMO_CORPUS,
  demoStore,
  freshFolder,
  type Result,
  run,
  succeeds,
} from './running-command.ts';

const KEY = 'sk-canary-4b7e2d9f1a60c835';
const KEYED = { MULTIHOP_API_KEY: KEY };
const TOY = 'openai-compatible:toy';

let ours: ModelServer;
let stranger: ModelServer;
let store: string;
before(async () => {
  ours = await ModelServer.start(embeddings);
  stranger = await ModelServer.start(embeddings);
  store = await demoStore();
});
after(async () => {
  await ours.stop();
  await stranger.stop();
});
const reset = (): void => {
  ours.reset();
  stranger.reset();
};
beforeEach(reset);

const configure = (folder: string, fields: object): void =>
  writeFileSync(join(folder, CONFIGURATION_FILE), JSON.stringify(fields));

function configured(fields: object): string {
  const folder = realpathSync(freshFolder());
  configure(folder, fields);
  return folder;
}

/** Searches by an embedder whose address the configuration names, so that every text is sent. */
const searching = (): string[] => argv`search ferry --store ${store}
  --retriever ${`dense(${TOY}, unit=document)`} --embedder ${TOY}`;

const refused = ({ code, out, err }: Result, option: string): void => {
  assert.deepEqual([code, out, stranger.requests.length], [2, '', 0], err);
  assert.match(err, new RegExp(`The configuration names ".*" as ${option} in ".*config.json"`));
  const hint = new RegExp(`pass --${option} '.*', or list .* in MULTIHOP_ALLOWED_ORIGINS`);
  assert.match(err, hint);
  assert.ok(!err.includes(KEY.slice(0, 12)));
};

const keysAt = ({ requests }: ModelServer): unknown[] => [
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
      [{ ...allowed, ...KEYED }, [`Bearer ${KEY}`]],
      [{ ...allowed, ...KEYED, MULTIHOP_API_KEY_ORIGIN: ours.url }, [undefined]],
    ] as const) {
      stranger.reset();
      const { code, err } = await run(searching(), { folder, env });
      assert.deepEqual([code, keysAt(stranger)], [0, keys], err);
    }
    stranger.reset();
    const other = { MULTIHOP_ALLOWED_ORIGINS: ours.url };
    refused(await run(searching(), { folder, env: other }), 'base-url');
  });

  test('is not used where the command line gives another', async () => {
    const folder = configured({ 'base-url': stranger.url });
    const { code, err } = await run([...searching(), '--base-url', ours.url], { folder });
    assert.deepEqual([code, stranger.requests.length], [0, 0], err);
    assert.ok(ours.requests.length > 0);
  });

  test('is refused with its code, and names every origin that is called', async () => {
    const store = 'opensearch://a.example/x?nodes=b.example:9200,c.example';
    const { code, err } = await run(['documents', '--json'], { folder: configured({ store }) });
    assert.equal(code, 2);
    const { error } = JSON.parse(err.slice(err.indexOf('{')));
    assert.equal(error['code'], 'configured-address');
    const origins =
      'opensearch://a.example opensearch://b.example:9200 opensearch://c.example:80 in';
    assert.ok(error['hint']!.includes(origins), error['hint']);
  });
});

const PATHS = ['DIR', 'FILE', 'KEYFILE', 'PATH'];

/** The words that a command cannot go without, but an option. */
const needed = ({ positionals, options }: Command, option: string): string[] => [
  ...positionals.filter(({ optional }) => !optional).map(() => 'x'),
  ...options.flatMap(({ name, required }) => (required && name !== option ? [`--${name}=x`] : [])),
];

describe('of every command', () => {
  test('each option for an address is refused before anything else is done', async () => {
    let count = 0;
    for (const { name, load } of commands) {
      const { command } = await load();
      for (const { name: option, value = '' } of command.options) {
        if (value !== 'URL' && value !== 'PLACE') continue;
        const url = value === 'PLACE' ? 'opensearch://0.0.0.0:9/x' : stranger.url;
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
        const isSeen = originsOf(option, url).length > 0;
        assert.equal(isSeen, !PATHS.includes(option.value), `${name} --${option.name}`);
      }
  });
});

describe('spellings of an address', () => {
  const nodes = (text: string): string =>
    `opensearch://a.example:9200/x?nodes=${encodeURIComponent(text)}`;
  const first = 'opensearch://a.example:9200';

  for (const [text, ...origins] of [
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
    [nodes('b.example:9200\\@a.example:9200'), first, 'opensearch://b.example:9200'],
    [nodes('a.example:9200@b.example:9200'), first, 'opensearch://b.example:9200'],
    [nodes('b.example'), first, 'opensearch://b.example:80'],
    [nodes('B.example:9200/x'), first, 'opensearch://b.example:9200'],
  ] as const)
    test(`${JSON.stringify(text)} leads to the origins that are called`, () =>
      assert.deepEqual(originsOf({ name: 'base-url', value: 'URL', summary: '' }, text), origins));

  test('that are no origin of the list are refused', async () => {
    const allowed = 'http://a.example opensearch://a.example:9200 postgres://a.example';
    const env = { MULTIHOP_ALLOWED_ORIGINS: allowed };
    for (const [option, text] of [
      ['base-url', 'http://a.example@0.0.0.0:9'],
      ['base-url', 'http:0.0.0.0:9'],
      ['base-url', 'https://a.example'],
      ['base-url', 'http://a.example.'],
      ['store', 'opensearch://a.example:9200/x?nodes=0.0.0.0:9'],
      ['store', 'opensearch://a.example:9200/x?nodes=a.example:9200,0.0.0.0:9'],
      ['store', 'opensearchs://a.example:9200/x'],
      ['store', 'postgres://a.example@0.0.0.0:9/x'],
    ] as const) {
      const folder = configured({ [option]: text });
      const words = option === 'store' ? ['search', 'x'] : searching();
      refused(await run(words, { folder, env }), option);
    }
  });

  test('that are no address reach nothing', async () => {
    for (const text of ['//0.0.0.0:9/v1', '0.0.0.0:9', 'localhost:9', '/v1', 'a b']) {
      const { code, err } = await run(searching(), { folder: configured({ 'base-url': text }) });
      assert.ok(code === 2 && /configured-address|bad-url|base URL|names/.test(err), err);
    }
  });
});

/** Makes a store whose record names an address of its embedder. */
async function embedded(baseUrl: string): Promise<string> {
  const made = join(freshFolder(), 'demo.store');
  const words = ['ingest', DEMO_CORPUS, '--store', made, '--embedder', TOY, '--base-url', baseUrl];
  await succeeds(words);
  reset();
  return made;
}

/** Damages the vectors, so that `verify --repair` has to embed. */
function damage(folder: string): void {
  const file = join(folder, readdirSync(folder).find(name => name.startsWith('derived-'))!);
  const bytes = readFileSync(file);
  bytes[bytes.length - 9]! ^= 1;
  writeFileSync(file, bytes);
  rmSync(join(folder, 'cache'), { recursive: true, force: true });
}

describe('an address that only the record of a store names', () => {
  /** Leads to this machine without being written as an address of it. */
  const far = (): string => stranger.url.replace('127.0.0.1', '0.0.0.0');
  const dense = `dense(${TOY})`;
  let made: string;
  before(async () => {
    made = await embedded(far());
    damage(made);
  });
  /** A store of the same record, of which the vectors are damaged. */
  function another(): string {
    const folder = join(freshFolder(), 'demo.store');
    cpSync(made, folder, { recursive: true });
    return folder;
  }

  for (const line of [
    ['search', 'harbour ferry', '--retriever', dense],
    ['search', 'harbour ferry', '--retriever', `fused(lexical, ${dense})`],
    ['ask', 'Who runs the harbour ferry?', '--retriever', dense],
    ['verify', '--repair'],
  ])
    describe(line.join(' '), () => {
      const unrelated = { MULTIHOP_ALLOWED_ORIGINS: 'http://127.0.0.1:9' };
      for (const env of [KEYED, {}, unrelated] as readonly Record<string, string>[])
        test(`sends no request with ${Object.keys(env)}, and the error names the address`, async () => {
          const folder = another();
          const record = readFileSync(join(folder, 'store.json'), 'utf8');
          const { code, out, err } = await run([...line, '--store', folder], { env });
          assert.deepEqual([code, out, stranger.requests.length], [2, '', 0], err);
          const hint = `repeat it as --base-url '${far()}/', or list its origin in MULTIHOP_ALLOWED_ORIGINS`;
          assert.ok(err.includes(hint) && !err.includes(KEY.slice(0, 12)), err);
          assert.equal(readFileSync(join(folder, 'store.json'), 'utf8'), record);
        });

      test('sends requests where the address is repeated or allowed', async () => {
        const allowed = { MULTIHOP_ALLOWED_ORIGINS: `https://other.example ${far()}/v1` };
        const repeated = ['--base-url', far()];
        for (const [more, env, key] of [
          [[], allowed, undefined],
          [[], { ...allowed, OPENAI_API_KEY: KEY }, undefined],
          [[], { ...allowed, ...KEYED }, `Bearer ${KEY}`],
          [repeated, {}, undefined],
          [repeated, KEYED, `Bearer ${KEY}`],
        ] as const) {
          stranger.reset();
          await succeeds([...line, '--store', another(), ...more], { env });
          assert.deepEqual(keysAt(stranger), [key]);
        }
      });

      test('sends none beside the address that the command line gives', async () => {
        await succeeds([...line, '--store', another(), '--base-url', ours.url], { env: KEYED });
        assert.deepEqual([keysAt(ours), stranger.requests.length], [[`Bearer ${KEY}`], 0]);
      });
    });

  test('is no exception if it is of this machine', async () => {
    const local = await embedded(ours.url.replace('127.0.0.1', 'localhost'));
    const words = ['search', 'ferry', '--store', local, '--retriever', dense];
    const { code, err } = await run(words, { env: KEYED });
    assert.deepEqual([code, ours.requests.length], [2, 0], err);
  });

  test('leaves a store to be searched by words and verified', async () => {
    const folder = await embedded(far());
    for (const words of [
      ['search', 'ferry', '--retriever', 'lexical'],
      ['verify', '--repair'],
    ]) {
      await succeeds([...words, '--store', folder], { env: KEYED });
    }
    assert.equal(stranger.requests.length, 0);
  });

  test('keeps requests from the other models of the search too', async () => {
    const reranked = `reranked(${dense}, tei:x)`;
    const words = ['search', 'ferry', '--store', another(), '--retriever', reranked];
    const { code } = await run([...words, '--reranker-url', ours.url], { env: KEYED });
    assert.deepEqual([code, ours.requests.length, stranger.requests.length], [2, 0, 0]);
  });

  test('is not used by ingest', async () => {
    const folder = another();
    for (const words of [['--unit', 'document'], [DEMO_CORPUS]]) {
      const line = ['ingest', ...words, '--store', folder, '--embedder', TOY];
      const { code, err } = await run(line, { env: KEYED });
      assert.deepEqual([code, /--base-url URL/.test(err)], [2, true]);
    }
    const { code } = await run(['ingest', DEMO_CORPUS, '--store', folder], { env: KEYED });
    assert.deepEqual([code, stranger.requests.length], [0, 0]);
  });

  test('is recorded and called with its query, but not with a secret in it', async () => {
    const query = 'api-version=2024-10-21&api-key=canary&deployment=a%20b';
    const folder = await embedded(`${ours.url}/v1?${query}`);
    const kept = '?api-version=2024-10-21&deployment=a%20b';
    const record = readFileSync(join(folder, 'store.json'), 'utf8');
    assert.ok(record.includes(`"${ours.url}/v1${kept}"`), record);
    const words = ['search', 'ferry', '--store', folder, '--retriever', dense];
    await succeeds(words, { env: { MULTIHOP_ALLOWED_ORIGINS: ours.url } });
    const urls = new Set(ours.requests.map(({ url }) => url));
    assert.deepEqual([...urls], [`/v1/embeddings${kept}`]);
  });

  for (const [command, isRecord] of [
    ['search', true],
    ['ask', true],
    ['verify', true],
    ['ingest', false],
    ['eval', false],
  ] as const)
    test(`${command} --help says ${isRecord ? 'that' : 'nothing of what'} the record may name`, async () => {
      const help = (await run([command, '--help', 'all'])).out.replace(/\s+/g, ' ');
      assert.match(help, /--base-url URL .*MULTIHOP_API_KEY/);
      const says =
        'without it the address in the store’s record, if MULTIHOP_ALLOWED_ORIGINS lists';
      assert.equal(help.includes(says), isRecord);
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
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  test('the user is asked, and a yes is remembered for that file and origin', async () => {
    const home = freshFolder();
    const folder = configured({ 'base-url': stranger.url });
    const first = await asked(folder, home, 'y\n');
    assert.equal(first.code, 0, first.err);
    for (const said of [
      `${folder}/multihop.config.json sets base-url to ${stranger.url}/`,
      `Allow ${stranger.url} for this file from now on? [y/N]`,
    ])
      assert.ok(first.shown.includes(said), first.shown);
    assert.ok(stranger.requests.length > 0);
    assert.deepEqual([modeOf(consents(home)), modeOf(dirname(consents(home)))], [0o600, 0o700]);

    const env = { HOME: home };
    assert.equal((await run(searching(), { folder, env })).code, 0, 'without a terminal');
    const again = await asked(folder, home, '');
    assert.deepEqual([again.code, again.shown], [0, '']);
    stranger.reset();
    const other = configured({ 'base-url': stranger.url });
    refused(await run(searching(), { folder: other, env }), 'base-url');
    configure(folder, { 'base-url': stranger.url.replace('127.0.0.1', 'localhost') });
    refused(await run(searching(), { folder, env }), 'base-url');
    const linked = realpathSync(freshFolder());
    symlinkSync(join(folder, CONFIGURATION_FILE), join(linked, CONFIGURATION_FILE));
    refused(await run(searching(), { folder: linked, env }), 'base-url');
  });

  test('the address of a store’s record is asked for likewise, for that store', async () => {
    const [folder, home] = [freshFolder(), freshFolder()];
    const made = await embedded(stranger.url);
    const search = ['search', 'ferry', '--store', made, '--retriever', `dense(${TOY})`];
    const searched = (home: string): Promise<Result> => run(search, { env: { HOME: home } });
    const no = await asked(folder, home, 'n\n', search);
    assert.deepEqual([no.code, stranger.requests.length], [2, 0]);
    assert.deepEqual([(await searched(home)).code, stranger.requests.length], [2, 0]);
    const { code, shown, err } = await asked(folder, home, 'y\n', search);
    assert.equal(code, 0, err);
    assert.ok(shown.includes(`store.json names ${stranger.url}/ as the address of its embedder`));
    assert.ok(stranger.requests.length > 0);
    assert.equal((await searched(home)).code, 0);
    assert.equal((await searched(freshFolder())).code, 2);
    search[3] = join(folder, 'copy.store');
    cpSync(made, search[3], { recursive: true });
    assert.equal((await searched(home)).code, 2);
  });

  test('the time of an answer counts towards no limit', async () => {
    const [input, output] = [new PassThrough(), { json: false } as Output];
    const terminal = { input, output: new PassThrough() };
    const consent = new Consent({ HOME: freshFolder() }, output, terminal);
    setTimeout(() => input.end('y\n'), 300);
    assert.deepEqual(await consent.refused('file', ['http://a.example'], ''), []);
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
    const asking = await asked(folder, freshFolder(), '', [...searching(), '--base-url', ours.url]);
    assert.deepEqual([asking.code, asking.shown], [0, '']);
  });

  test('one question covers all addresses of the file, and shows no escape of it', async () => {
    const urls = {
      'base-url': `${stranger.url}/\u001b[2J`,
      'reranker-url': 'http://0.0.0.0:9/',
    };
    const { shown, code } = await asked(configured(urls), freshFolder(), 'n\n');
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
    const reranked = { 'reranker-url': url, retriever: 'reranked(lexical, tei:x)' };
    for (const [fields, words] of [
      [{ 'base-url': url }, searching()],
      [reranked, ['search', 'x', '--store', store]],
      [
        { 'model-url': url, model: 'openai-compatible:x' },
        ['ask', 'Who runs the ferry?', '--store', store],
      ],
      [{ store: `${url.replace('http', 'opensearch')}/x` }, ['search', 'x']],
    ] as const) {
      const env = { MULTIHOP_ALLOWED_ORIGINS: `${url} ${url.replace('http', 'opensearch')}` };
      const { err } = await run(words, { folder: configured(fields), env });
      assert.ok(!err.includes('configured-address') && !err.includes('names "'), err);
      assert.equal(stranger.requests.length, 0, JSON.stringify(fields));
    }
  });
});
