/**
 * Tests the claim base that a store keeps: by rules and by a model, kept right by each write, and
 * searched by bridge-claims.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { defined } from '../src/core/defined.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { openStore } from '../src/index.ts';
import type { LanguageModel, Prompt } from '../src/models/language-model.ts';
import { ruleClaims } from '../src/planning/claims/rule-claims.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import type { Engine } from '../src/search/engine.ts';
import { CLAIMS } from '../src/search/ports/claims-port.ts';
import { Store } from '../src/stores/disk/store.ts';
import { scriptedModel } from '../src/testing/scripted-model.ts';
import { completion } from './providers-language-server.ts';
import { ModelServer } from './providers-server.ts';
import { freshFolder, run } from './running-command.ts';

const call = freeCall();
const RULES = 'claims(rules)';
const BY_MODEL = 'claims(scripted, version=1)';

/** Two facts of 18 tokens or more about a keeper, the second without a name, and an opinion. */
function documentOf(id: string, version = 0): Document {
  const keeper = `Orla ${id.toUpperCase()}uill`;
  const text = [
    `${keeper} said on Monday that the harbour of Vell had bought ${version + 3} lamps from the glass works of Tarn.`,
    `She told the council of Wick Bay in March that ${version + 12} boats had left the pier since the storm of 1987.`,
    'I think it might be the best pier of all!',
  ].join(' ');
  return { id, title: `${keeper} at Harrow Point`, text, metadata: { source: 'Ledger' } };
}
const documentsOf = (ids: string, version = 0): Document[] =>
  [...ids].map(id => documentOf(id, version));

const request = { texts: ['boats', 'Orla lamps'], k: 20 };
async function claimsIn(engine: Engine): Promise<unknown> {
  await using snapshot = await engine.snapshot();
  return snapshot.port(CLAIMS)?.claims(request, call);
}
const built = (documents: readonly Document[]): Promise<unknown> =>
  claimsIn(new EmbeddedEngine({ documents, claims: ruleClaims }));
const claimKeys = async (folder: string): Promise<unknown> =>
  (await Store.open(folder)).manifest.derived
    ?.filter(({ key }) => key.startsWith('claims('))
    .map(({ key, behind = 0 }) => [key, behind]);

/** Writes the sentence of a prompt with the name that stands for its pronoun. */
const reply = ({ messages }: Prompt): string => {
  const shown = messages.at(-1)!.text;
  const boats = /(\d+) boats/.exec(shown)?.[1];
  return JSON.stringify(
    /"?She told/.test(shown.split('before')[0]!)
      ? {
          claim: `${boats} boats left the pier since the storm of 1987.`,
          target: 'Pier',
          topic: 'boats',
        }
      : { claim: null, target: '', topic: '' },
  );
};

describe('openStore({ claims: "rules" })', () => {
  const opened = (folder: string, claims?: string) =>
    openStore(folder, defined({ env: {}, claims }));

  test('stores the claims of facts, by full names, with their targets', async () => {
    const folder = freshFolder();
    await using store = await opened(folder, 'rules');
    assert.deepEqual((await store.ingest(documentsOf('ab'))).graph, { [RULES]: 2 });
    const stored = await Store.open(folder);
    assert.deepEqual(stored.manifest.claims, { name: 'rules', id: 'rules' });
    assert.deepEqual(await claimsIn(stored), await built(documentsOf('ab')));
    await using snapshot = await stored.snapshot();
    const { generator, lists } = await snapshot.port(CLAIMS)!.claims(request, call);
    assert.equal(generator, 'rules');
    const [{ hit, claim }] = lists[0]! as [(typeof lists)[0][0]];
    assert.match(claim.text, /^Orla Auill told the council/);
    assert.deepEqual([claim.target, claim.targets], ['Orla Auill', ['Wick Bay']]);
    assert.equal(documentOf('a').text.slice(hit.start, hit.end).slice(0, 8), 'She told');
    assert.deepEqual(
      lists.map(({ length }) => length),
      [2, 4],
    );
  });

  test('keeps them right when documents are replaced, added and removed, without the option', async () => {
    const folder = freshFolder();
    {
      await using store = await opened(folder, 'rules');
      await store.ingest(documentsOf('fbd'));
    }
    await using store = await opened(folder);
    assert.deepEqual((await store.ingest(documentsOf('ca'))).graph, { [RULES]: 2 });
    await store.ingest([documentOf('b', 3), documentOf('e')]);
    await store.remove(['f', 'a']);
    assert.deepEqual(await claimKeys(folder), [[`${RULES} sentence`, 0]]);
    const left = [documentOf('b', 3), ...documentsOf('cde')];
    assert.deepEqual(await claimsIn(await Store.open(folder)), await built(left));
    assert.deepEqual((await (await Store.open(folder)).verify()).problems, []);
  });

  test('a damaged base is built in memory, and stored again at the next ingest', async () => {
    const folder = freshFolder();
    await using store = await opened(folder, 'rules');
    await store.ingest(documentsOf('ab'));
    const { derived = [] } = (await Store.open(folder)).manifest;
    const path = join(folder, derived.find(({ key }) => key.startsWith(RULES))!.file);
    const bytes = readFileSync(path);
    bytes[bytes.length - 12]! ^= 1;
    writeFileSync(path, bytes);
    assert.equal((await (await Store.open(folder)).verify()).problems.length, 1);
    assert.deepEqual(await claimsIn(await Store.open(folder)), await built(documentsOf('ab')));
    await store.ingest([]);
    assert.deepEqual((await (await Store.open(folder)).verify()).problems, []);
  });

  test('bridge-claims searches them; without them it searches sentences, and says so', async () => {
    const question = 'How many boats had left the pier of Wick Bay?';
    const asked = async (claims: string | undefined, settings = '') => {
      await using store = await opened(freshFolder(), claims);
      await store.ingest(documentsOf('ab'));
      const trace = await store.ask(question, { strategy: `bridge-claims${settings}` });
      const outputs = trace.hops.flatMap(hop => hop.outputs ?? []);
      return {
        retrievers: [
          ...new Set(trace.hops.flatMap(({ searches }) => searches.map(one => one.retriever))),
        ],
        says: outputs.some(({ text }) => text.includes('there is no claim base')),
        claims: outputs.find(({ role }) => role === 'claims')!.text,
        retrievals: trace.hops.reduce((sum, { spent }) => sum + (spent.retrievals ?? 0), 0),
        searches: trace.hops.reduce((sum, { searches }) => sum + searches.length, 0),
      };
    };
    const base = await asked('rules');
    assert.deepEqual([base.retrievers, base.says], [[RULES], false]);
    assert.match(base.claims, /Orla Auill told the council/);
    assert.equal(base.retrievals, base.searches);
    const plain = await asked(undefined);
    assert.deepEqual([plain.retrievers.includes(RULES), plain.says], [false, true]);
    const chosen = await asked('rules', '(over=sentences)');
    assert.deepEqual([chosen.retrievers, chosen.says], [plain.retrievers, false]);
  });

  test('a filter of the run limits the documents of claims', async () => {
    await using store = await opened(freshFolder(), 'rules');
    await store.ingest([documentOf('a'), { ...documentOf('b'), metadata: { source: 'Gazette' } }]);
    const options = { strategy: 'bridge-claims', filter: 'source = "Gazette"' };
    const { hops } = await store.ask('How many boats had left?', options);
    const hits = hops.flatMap(({ searches }) => searches.flatMap(one => one.hits));
    assert.deepEqual([...new Set(hits.map(({ documentId }) => documentId))], ['b']);
  });
});

describe('openStore({ claims: MODEL })', () => {
  const opened = (folder: string, model: LanguageModel) =>
    openStore(folder, { env: {}, claims: 'scripted', model });

  test('asks once for each fact, keeps the rules’ claim where the model has none', async () => {
    const folder = freshFolder();
    const model = scriptedModel(reply);
    await using store = await opened(folder, model);
    const { graph, claimsModel } = await store.ingest(documentsOf('ab'));
    assert.deepEqual(graph, { [BY_MODEL]: 2 });
    assert.deepEqual([claimsModel!.claim, claimsModel!.sent, model.prompts.length], [4, 4, 4]);
    await using snapshot = await (await Store.open(folder)).snapshot();
    const { lists } = await snapshot.port(CLAIMS)!.claims({ texts: ['1987', 'lamps'], k: 9 }, call);
    assert.deepEqual(
      lists[0]!.map(({ claim: { text, target, topic } }) => [text, target, topic]),
      [0, 1].map(() => ['12 boats left the pier since the storm of 1987.', 'Pier', 'boats']),
    );
    assert.match(lists[1]![0]!.claim.text, /^Orla .uill said on Monday/);
    assert.equal((await store.ingest(documentsOf('abc'))).claimsModel!.sent, 2);
    // A model in the run does not write claims of the base again.
    const { hops } = await store.ask('How many boats left?', { strategy: 'bridge-claims' });
    const roles = hops.flatMap(hop => hop.outputs ?? []).map(({ role }) => role);
    assert.ok(!roles.includes('claim'), roles.join());
  });

  test('what was read before a failure is not asked again, and nothing of the failed document counts', async () => {
    const folder = freshFolder();
    const inner = scriptedModel(reply);
    let left = 3;
    const failing: LanguageModel = {
      id: inner.id,
      async generate(prompt, given) {
        if (left-- === 0) throw new Error('gone');
        return inner.generate(prompt, given);
      },
    };
    {
      await using store = await opened(folder, failing);
      await assert.rejects(async () => store.ingest(documentsOf('ab')), /gone/);
    }
    assert.equal(await claimKeys(folder), undefined);
    await using store = await opened(folder, scriptedModel(reply));
    const { claimsModel } = await store.ingest([]);
    assert.deepEqual([claimsModel!.claim, claimsModel!.sent], [4, 1]);
  });

  test('an unknown generator of claims is refused with every name that there is', async () => {
    await using store = await openStore(freshFolder(), { claims: 'NONSENSE', env: {} });
    await assert.rejects(async () => store.ingest(documentsOf('a')), {
      code: 'unknown-model',
      message: /^Unknown generator of claims: expected rules, cassette, or gguf:.*"?NONSENSE/,
    });
  });

  test('without the model a base that lacks documents is not searched until an ingest with it', async () => {
    const folder = freshFolder();
    {
      await using store = await opened(folder, scriptedModel(reply));
      await store.ingest(documentsOf('ab'));
    }
    await using store = await openStore(folder, { env: {} });
    const full = await claimsIn(await Store.open(folder));
    await store.ingest([documentOf('c')]);
    assert.deepEqual(await claimKeys(folder), [[`${BY_MODEL} sentence`, 1]]);
    assert.equal(await claimsIn(await Store.open(folder)), undefined);
    await using later = await opened(folder, scriptedModel([]));
    await later.remove(['c']);
    const { claimsModel } = await later.ingest([]);
    assert.equal(claimsModel!.claim, 0);
    assert.deepEqual(await claimsIn(await Store.open(folder)), full);
  });

  test('another generator takes the place of the recorded one', async () => {
    const folder = freshFolder();
    {
      await using store = await openStore(folder, { env: {}, claims: 'rules' });
      await store.ingest(documentsOf('ab'));
    }
    await using store = await opened(folder, scriptedModel(reply));
    await store.ingest([]);
    assert.deepEqual(await claimKeys(folder), [[`${BY_MODEL} sentence`, 0]]);
  });
});

describe('multihop ingest --claims', () => {
  const corpusIn = (folder: string): string => {
    const path = join(folder, 'notes.jsonl');
    const lines = documentsOf('ab').map(({ metadata, ...rest }) => ({ ...rest, ...metadata }));
    writeFileSync(path, lines.map(line => JSON.stringify(line)).join('\n'));
    return path;
  };

  test('records the replies of a model, and makes the same claims of them without it', async () => {
    const folder = freshFolder();
    const server = await ModelServer.start(
      completion('{"claim": "The pier has 12 boats.", "target": "Pier", "topic": "boats"}'),
    );
    const words = (store: string, ...more: string[]): string[] => [
      ...['ingest', corpusIn(folder), '--store', join(folder, store)],
      ...['--cassette', join(folder, 'replies.jsonl'), ...more],
    ];
    const byModel = ['--claims', 'openai-compatible:toy', '--model-url', `${server.url}/v1`];
    const dry = await run(words('a', ...byModel, '--dry-run'));
    assert.match(
      dry.out.replaceAll('\n', ' '),
      /Claims by openai-compatible:toy take at most \d+ model calls.*\(\d+ claim\)/,
    );
    assert.equal(server.requests.length, 0);
    const made = await run(words('a', ...byModel, '--json'));
    assert.equal(made.code, 0, made.err);
    const { claim, sent } = JSON.parse(made.out).claimsModel;
    assert.deepEqual([sent, sent >= 4], [server.requests.length, true]);
    await server.stop();
    const again = await run(words('b', '--claims', 'cassette', '--json'));
    assert.equal(again.code, 0, again.err);
    assert.equal(JSON.parse(again.out).claimsModel.claim, claim);
    assert.deepEqual(await claimKeys(join(folder, 'b')), await claimKeys(join(folder, 'a')));
    const [a, b] = [await Store.open(join(folder, 'a')), await Store.open(join(folder, 'b'))];
    assert.deepEqual(await claimsIn(b), await claimsIn(a));
    const another = await run(words('c', ...byModel.with(1, 'openai-compatible:doll'), '--json'));
    assert.match(JSON.parse(another.err.split('\n').at(-2)!).error.message, /with another model/);
    const behind = { ...documentOf('c'), source: 'Ledger' };
    writeFileSync(join(folder, 'more.jsonl'), JSON.stringify(behind));
    const more = await run([
      'ingest',
      join(folder, 'more.jsonl'),
      '--store',
      join(folder, 'a'),
      '-v',
    ]);
    assert.match(more.err.replaceAll('\n', ' '), /claim base lacks documents; .*--claims/);
  });

  test('begins on a store of documents by rules, and a server keeps none', async () => {
    const folder = freshFolder();
    const store = join(folder, 'store');
    assert.equal((await run(['ingest', corpusIn(folder), '--store', store])).code, 0);
    const { code, out, err } = await run([
      'ingest',
      '--store',
      store,
      '--claims',
      'rules',
      '--json',
    ]);
    assert.equal(code, 0, err);
    assert.deepEqual(JSON.parse(out).graph, { [RULES]: 2 });
    const server = ['ingest', '--store', 'postgres://u@localhost/x', '--claims', 'rules'];
    assert.match((await run(server)).err, /keeps no graph\s+and\s+no claims/);
    const lacking = ['ingest', '--store', store, '--claims', 'cassette'];
    assert.match((await run(lacking)).err, /--cassette FILE/);
  });

  test('eval makes a base of the corpus, or names that of the store', async () => {
    const folder = freshFolder();
    const questions = join(folder, 'questions.jsonl');
    const asked = { question: 'How many boats had left the pier?', answer: '12', gold_ids: ['a'] };
    writeFileSync(questions, JSON.stringify(asked));
    const words = ['eval', 'jsonl', '--questions', questions, '--strategy', 'bridge-claims'];
    const made = await run([...words, '--corpus', corpusIn(folder), '--claims', 'rules', '--json']);
    assert.equal(made.code, 0, made.err);
    assert.equal(JSON.parse(made.out).manifest.claims, 'rules');
    const store = join(folder, 'store');
    await run(['ingest', corpusIn(folder), '--store', store, '--claims', 'rules']);
    const kept = JSON.parse((await run([...words, '--store', store, '--json'])).out);
    assert.equal(kept.manifest.claims, 'rules');
    const both = await run([...words, '--store', store, '--claims', 'rules']);
    assert.match(both.err.replaceAll('\n', ' '), /the claims that the store keeps/);
  });
});
