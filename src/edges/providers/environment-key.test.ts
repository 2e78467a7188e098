/** Checks which key is sent to an address that a store's record names. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InputError } from '../../errors.ts';
import { environmentKey, recordedKey } from './environment-key.ts';

const MINE = { MULTIHOP_API_KEY: 'mine' };
const refused = (url: string): InputError => {
  try {
    recordedKey(url, MINE);
  } catch (error) {
    assert.ok(InputError.is(error) && error.code === 'recorded-address', url);
    return error;
  }
  return assert.fail(`${url} was given the key`);
};

describe('an address that only the record names', () => {
  test('gets the key on this machine', () => {
    for (const host of [
      'localhost',
      'LOCALHOST:8080',
      '127.0.0.1:1',
      '127.1',
      '127.255.255.254',
      '0x7f000001',
      '[::1]:8080',
      '[0:0::1]',
    ])
      assert.equal(recordedKey(`http://${host}/v1`, MINE)?.reveal(), 'mine', host);
  });

  test('gets no key anywhere else, however similar the name', () => {
    for (const host of [
      ...[
        'stranger.example',
        'localhost.stranger.example',
        'localhost.',
        '127.0.0.1.stranger.example',
        '127.stranger.example',
        '0.0.0.0',
      ],
      ...[
        '128.0.0.1',
        '[::]',
        '[::ffff:127.0.0.1]',
        'localhost@stranger.example',
        '127.0.0.1%40stranger.example',
        'api.openai.com',
      ],
    ])
      if (URL.canParse(`https://${host}/v1`)) refused(`https://${host}/v1`);
  });

  test("gets its own provider's key, and never another one", () => {
    const own = { OPENAI_API_KEY: 'openai' };
    assert.equal(recordedKey('https://api.openai.com/v1', own)?.reveal(), 'openai');
    assert.equal(recordedKey('https://api.openai.com/v1', { ...own, ...MINE })?.reveal(), 'openai');
    assert.equal(
      environmentKey('https://api.openai.com/v1', { ...own, ...MINE })?.reveal(),
      'mine',
      'as for an address that the user gives',
    );
    // A key that would not be sent there is no reason to refuse.
    for (const url of [
      'https://stranger.example/v1',
      'http://api.openai.com/v1',
      'https://api.jina.ai',
    ])
      assert.equal(recordedKey(url, own), undefined, url);
  });

  test('is called without a key if there is none', () => {
    for (const env of [{}, { MULTIHOP_API_KEY: '' }, { MULTIHOP_API_KEY: ' \n' }])
      assert.equal(recordedKey('https://stranger.example/v1', env), undefined);
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
      if (!URL.canParse(url)) assert.equal(recordedKey(url, MINE), undefined);
  });
});
