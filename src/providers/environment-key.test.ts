/** Checks which key is sent to an address that a store's record names. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InputError } from '../core/errors.ts';
import { environmentKey, recordedKey } from './environment-key.ts';
import { MODEL_SERVERS } from './model-servers.ts';

const MINE = { MULTIHOP_API_KEY: 'mine' };
const refused = (url: string, env: Readonly<Record<string, string>> = MINE): InputError => {
  try {
    recordedKey(url, env);
  } catch (error) {
    assert.ok(InputError.is(error) && error.code === 'recorded-address', url);
    return error;
  }
  return assert.fail(`${url} may be called`);
};

describe('an address that only the record names', () => {
  test('is not called, on this machine or elsewhere, with a key or without', () => {
    for (const env of [MINE, {}, { OPENAI_API_KEY: 'openai' }] as Readonly<
      Record<string, string>
    >[])
      for (const host of [
        ...['localhost', '127.0.0.1:1', '127.1', '0x7f000001', '[::1]:8080', '0.0.0.0'],
        ...['stranger.example', 'api.openai.com', 'localhost@stranger.example'],
      ])
        refused(`https://${host}/v1`, env);
  });

  test('is called if its origin is allowed, and gets the key', () => {
    const allowed = 'http://localhost:11434/v1, https://embed.example';
    const env = { ...MINE, MULTIHOP_ALLOWED_ORIGINS: allowed };
    for (const url of [
      ...['http://localhost:11434/v1', 'http://LOCALHOST:11434/other', 'https://embed.example:443'],
      'https://embed.example/v1?api-version=1',
    ])
      assert.equal(recordedKey(url, env)?.reveal(), 'mine', url);
    for (const url of [
      ...['http://localhost:11435/v1', 'https://localhost:11434/v1', 'http://embed.example/v1'],
      ...['https://embed.example.stranger.example', 'https://embed.example@stranger.example'],
      ...['https://embed.example:444', 'http://localhost/v1', 'http://127.0.0.1:11434/v1'],
    ])
      refused(url, env);
    const none = { MULTIHOP_ALLOWED_ORIGINS: allowed };
    assert.equal(recordedKey('http://localhost:11434/v1', none), undefined);
  });

  test('is refused where the list of allowed origins holds something else', () => {
    for (const list of ['*', 'localhost:11434 x', 'http://', 'stranger.example'])
      assert.throws(
        () => recordedKey('http://localhost:11434', { MULTIHOP_ALLOWED_ORIGINS: list }),
        (error: unknown) => InputError.is(error) && error.code === 'bad-origins',
        list,
      );
  });

  test('is quoted in the refusal fit to paste: without key or secrets, and without ending the quotes', () => {
    const { message } = refused(
      "https://me:pw-canary@stranger.example/v1'$(date)?api-version=1&api-key=canary'#canary",
    );
    assert.ok(
      message.includes("baseUrl: 'https://stranger.example/v1%27$(date)?api-version=1'"),
      message,
    );
    assert.ok(!message.includes('canary') && !message.includes('mine'), message);
  });

  test('is left to the endpoint if it is not a URL', () => {
    for (const url of ['', 'localhost:8080/v1 x', '/v1'])
      if (!URL.canParse(url)) assert.ok(recordedKey(url, MINE));
  });
});

describe('a key', () => {
  test('of a provider goes to its host alone', () => {
    const keys = { OPENAI_API_KEY: 'openai' };
    const keyAt = (url: string, env: Readonly<Record<string, string>> = keys): string | undefined =>
      environmentKey(url, env)?.reveal();
    assert.equal(keyAt('https://api.openai.com/v1'), 'openai');
    assert.equal(keyAt('https://api.openai.com/v1', { ...keys, ...MINE }), 'mine');
    for (const url of [
      ...['https://stranger.example/v1', 'http://api.openai.com/v1', 'https://api.jina.ai'],
      'https://api.openai.com.stranger.example/v1',
      ...['nonsense', 'https://__proto__'],
    ])
      assert.equal(keyAt(url), undefined, url);
  });

  test('with an origin goes to that origin alone', () => {
    const env = { ...MINE, MULTIHOP_API_KEY_ORIGIN: 'https://embed.example' };
    assert.equal(environmentKey('https://embed.example/v1', env)?.reveal(), 'mine');
    for (const url of ['https://models.example/v1', 'http://embed.example', 'http://localhost:1'])
      assert.equal(environmentKey(url, env), undefined, url);
    const keys = { ...env, OPENAI_API_KEY: 'openai', MULTIHOP_MODEL_API_KEY: 'model' };
    assert.equal(environmentKey('https://api.openai.com', keys)?.reveal(), 'openai');
    const model = environmentKey('http://localhost:1', keys, 'MULTIHOP_MODEL_API_KEY');
    assert.equal(model?.reveal(), 'model');
  });

  test('that is blank is none', () => {
    for (const env of [{}, { MULTIHOP_API_KEY: '' }, { MULTIHOP_API_KEY: ' \n' }])
      assert.equal(environmentKey('https://embed.example/v1', env), undefined);
  });
});

describe('a server of models', () => {
  for (const { scheme, key, address } of MODEL_SERVERS.filter(server => server.key)) {
    const { host, variables } = key!;
    const [variable] = variables as [string];
    test(`${scheme}: ${variable} is sent to ${host} alone, and over TLS`, () => {
      const sent = (url: string): string | undefined =>
        environmentKey(url, { [variable]: 'own' })?.reveal();
      assert.equal(sent(`https://${host}/v1`), 'own');
      for (const url of [`http://${host}/v1`, `https://${host}.stranger.example`, 'https://a.b'])
        assert.equal(sent(url), undefined, url);
      if (address) assert.equal(new URL(address({})).host, host);
    });
  }

  test('has a scheme of its own, and opens something', () => {
    const schemes = MODEL_SERVERS.map(({ scheme }) => scheme);
    assert.deepEqual(schemes, [...new Set(schemes)]);
    for (const { opens } of MODEL_SERVERS) assert.ok(Object.keys(opens).length > 0);
  });
});
