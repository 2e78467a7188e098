/** Tests signed traces: `ask --sign`, `eval --sign`, and every tampering that `--key` finds. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { sealEvents, verifyTrace } from '../src/core/trace/audit.ts';
import { sha256 } from '../src/platform/sha256.ts';
import {
  demoDataSet,
  demoStore,
  freshFolder,
  type Result,
  refuses,
  run,
  succeeds,
} from './running-command.ts';

const KELP = 'Which company has hired the biologist of the Brannoch Institute?';
const folder = freshFolder();
const at = (name: string): string => join(folder, name);
const trace = at('run.jsonl');
const hasOpenSsl = spawnSync('openssl', ['version']).status === 0;

function writeKeys(name: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(at(`${name}.pem`), pemOf(privateKey));
  writeFileSync(at(`${name}.pub`), pemOf(publicKey));
}

const pemOf = (key: KeyObject): string =>
  key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString();

const signed = (file: string, ...more: string[]): Promise<Result> =>
  run(['ask', KELP, '--store', store, '--trace', file, '--sign', at('own.pem'), ...more]);

const check = (file: string, key = 'own.pub', ...more: string[]): Promise<Result> =>
  run(['verify-trace', file, '--key', at(key), ...more]);

let store = '';
let good = '';
let lines: string[] = [];
before(async () => {
  for (const name of ['own', 'other']) writeKeys(name);
  store = await demoStore();
  assert.equal((await signed(trace)).code, 0);
  good = readFileSync(trace, 'utf8');
  lines = good.trimEnd().split('\n');
});

describe('a signed trace', () => {
  test('verifies with the public key, and says so', async () => {
    const { code, out } = await check(trace);
    assert.equal(code, 0, out);
    assert.match(out, /^sound: \d+ events of 1 question, sealed, signed by this key\n/);
    const json = JSON.parse((await check(trace, 'own.pub', '--json')).out);
    const { signature } = json as { signature: { key: string } };
    assert.deepEqual(json.signature, { key: signature.key, checked: true });
    assert.equal(json.lines, lines.length);
    assert.ok(out.includes(`key     ${signature.key}\n`));
  });

  test('verifies without a key, whose absence is said, with a head, and is replayed', async () => {
    const { code, out } = await run(['verify-trace', trace]);
    assert.equal(code, 0);
    assert.match(out, /sealed, signature not checked \(--key KEYFILE checks it\)/);
    const head = /content (\S+)/.exec(out)![1]!;
    assert.equal((await check(trace, 'own.pub', '--head', head)).code, 0);
    const other = await check(trace, 'own.pub', '--head', '0'.repeat(64));
    assert.match(other.out, new RegExp(`:${lines.length - 1}: the trace is sound in itself but`));
    await succeeds(['replay', trace]);
  });

  test('is signed in --jsonl too, and in full', async () => {
    const file = at('full.jsonl');
    const { out } = await signed(file, '--jsonl');
    assert.equal(readFileSync(file, 'utf8'), out);
    assert.equal((await check(file)).code, 0);
  });

  test('openssl checks the signature of the seal', { skip: !hasOpenSsl && 'no openssl' }, () => {
    const [seal, line] = lines.slice(-2) as [string, string];
    writeFileSync(at('seal'), seal);
    writeFileSync(at('seal.sig'), Buffer.from(JSON.parse(line).value, 'hex'));
    const files = ['-inkey', at('own.pub'), '-in', at('seal'), '-sigfile', at('seal.sig')];
    const done = spawnSync('openssl', ['pkeyutl', '-verify', '-pubin', '-rawin', ...files]);
    assert.equal(done.status, 0, `${done.stdout}${done.stderr}`);
  });
});

describe('--key refuses', () => {
  type Fault = 'unsigned' | 'other-key' | 'wrong-signature' | undefined;

  async function refused(text: string, says: RegExp, fault: Fault, key?: string): Promise<void> {
    const file = at('bad.jsonl');
    writeFileSync(file, text);
    const { code, out } = await check(file, key);
    assert.equal(code, 1, out);
    assert.match(out, /^not sound: .*bad\.jsonl:\d+: /);
    assert.match(out, says);
    const json = JSON.parse((await check(file, key, '--json')).out);
    assert.deepEqual([json.ok, json.fault], [false, fault]);
  }
  const joined = (list: readonly string[]): string => `${list.join('\n')}\n`;
  /** Returns the trace with another text of the question and its hashes written anew. */
  const rewritten = (): string => {
    const { events } = verifyTrace(good, sha256);
    const changed = JSON.parse(JSON.stringify(events).replaceAll('biologist', 'geologist'));
    return sealEvents(changed, sha256);
  };
  const signature = (): string => lines.at(-1)!;

  test('a trace without its last line', () =>
    refused(joined(lines.slice(0, -1)), /is not signed: expected a signature/, 'unsigned'));
  test('a trace without its last two lines', () =>
    refused(joined(lines.slice(0, -2)), /the seal is missing/, undefined));
  test('a trace without its last event', () =>
    refused(joined(lines.toSpliced(-3, 1)), /the seal does not fit/, undefined));
  test('a changed line', () =>
    refused(good.replace('biologist', 'geologist'), /changed, moved, added/, undefined));
  test('rewritten hashes, which verify without a key', async () => {
    writeFileSync(at('bad.jsonl'), rewritten());
    await succeeds(['verify-trace', at('bad.jsonl')]);
    await refused(rewritten(), /is not signed/, 'unsigned');
  });
  test('rewritten hashes under the old signature', async () => {
    const text = `${rewritten()}${signature()}\n`;
    await refused(text, /not of this trace: the trace was rewritten/, 'wrong-signature');
    await succeeds(['verify-trace', at('bad.jsonl')]);
  });
  test('the signature of another trace', async () => {
    const other = at('other.jsonl');
    await signed(other);
    const foreign = readFileSync(other, 'utf8').trimEnd().split('\n').at(-1)!;
    assert.notEqual(foreign, signature());
    await refused(joined(lines.with(-1, foreign)), /or the signature is of/, 'wrong-signature');
  });
  test('another key', () =>
    refused(good, /expected key [0-9a-f]{64}, received [0-9a-f]{64}/, 'other-key', 'other.pub'));
  test('a signature that names another key', () => {
    const key = /"key":"(.)/.exec(signature())![1] === '0' ? '1' : '0';
    const line = signature().replace(/"key":"./, `"key":"${key}`);
    return refused(joined(lines.with(-1, line)), /another key signed/, 'other-key');
  });
  test('one changed digit of the signature', () => {
    const line = signature().replace(/.(?="\}$)/, last => (last === '0' ? '1' : '0'));
    return refused(joined(lines.with(-1, line)), /not of this trace/, 'wrong-signature');
  });
  test('a signature in another spelling, and lines after it', async () => {
    const spelled = signature().replace(/"value":"(.*)"/, value => value.toUpperCase());
    const no = /lines follow the seal, and the first is no signature/;
    await refused(joined(lines.with(-1, spelled)), no, undefined);
    await refused(joined([...lines, signature()]), /lines follow the signature/, undefined);
  });
});

describe('a key that cannot be used is refused before anything is asked', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const locked = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
  const hidden = 'c2VjcmV0';
  const damaged = `-----BEGIN PRIVATE KEY-----\n${hidden}\n-----END PRIVATE KEY-----\n`;
  const wrong: readonly (readonly [name: string, text: () => string, says: RegExp])[] = [
    ['rsa.pem', () => pemOf(rsa.privateKey), /received a key of type rsa/],
    ['locked.pem', () => locked, /received "BEGIN ENCRYPTED PRIVATE KEY"/],
    ['public.pem', () => readFileSync(at('own.pub'), 'utf8'), /received "BEGIN PUBLIC KEY"/],
    ['damaged.pem', () => damaged, /received a damaged "BEGIN PRIVATE KEY"/],
    ['text.pem', () => hidden, /received a file without PEM/],
    ['long.pem', () => ' '.repeat(100_000), /received a file of more than 65536 bytes/],
  ];
  for (const [name, text, says] of wrong)
    test(`--sign ${name}`, async () => {
      writeFileSync(at(name), text());
      const file = at('none.jsonl');
      const words = ['ask', KELP, '--store', at('no.store'), '--trace', file, '--sign', at(name)];
      const { code, err } = await run(words);
      // The store, which does not exist, was not looked for.
      assert.equal(code, 2, err);
      assert.match(err, says);
      assert.match(err, /expected an Ed25519 private key in PEM.*openssl genpkey/);
      assert.ok(!err.includes(hidden));
      assert.ok(!existsSync(file));
      const json = JSON.parse((await run([...words, '--json'])).err);
      assert.equal(json.error.code, 'bad-signing-key');
    });

  test('--sign of a file that is missing, or is a folder', async () => {
    for (const [name, code] of [
      ['nothing.pem', 'missing-file'],
      ['', 'unreadable-file'],
    ] as const) {
      const words = ['--trace', at('none.jsonl'), '--sign', at(name), '--json'];
      const { err } = await run(['ask', KELP, '--store', store, ...words]);
      assert.equal(JSON.parse(err).error.code, code);
    }
  });

  test('--sign without a trace', async () => {
    await refuses(
      ['ask', KELP, '--store', store, '--sign', at('own.pem')],
      /no trace to sign: expected --trace or --jsonl beside --sign/,
    );
  });

  test('--key with a private key, and with a key of another type', async () => {
    writeFileSync(at('rsa.pub'), pemOf(rsa.publicKey));
    for (const [name, says] of [
      ['own.pem', /received "BEGIN PRIVATE KEY".*openssl pkey -in key\.pem -pubout/],
      ['rsa.pub', /received a key of type rsa/],
    ] as const) {
      const { code, err } = await check(trace, name);
      assert.equal(code, 2);
      assert.match(err, says);
    }
  });
});

test('eval --sign signs the trace of every row, and refuses to sign none', async () => {
  const target = join(freshFolder(), 'out');
  const rows = ['--strategy', 'fixed-top-k(k=2)', '--strategy', 'fixed-top-k(k=3)'];
  const words = ['eval', 'multihop-rag', ...demoDataSet(freshFolder()), ...rows, '--limit', '3'];
  const key = ['--sign', at('own.pem')];
  const { code, err } = await run([...words, ...key]);
  assert.equal(code, 2);
  assert.match(err, /expected --out beside --sign/);
  await succeeds([...words, ...key, '--out', target]);
  const names = readdirSync(join(target, 'traces'));
  assert.equal(names.length, 2);
  for (const name of names) {
    assert.equal((await check(join(target, 'traces', name))).code, 0);
    assert.equal((await check(join(target, 'traces', name), 'other.pub')).code, 1);
  }
  await succeeds(['replay', target]);
});
