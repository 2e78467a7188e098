/**
 * Tests `tree-hop`: data, training with a model server, resuming after a kill, folds and ablations.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { mulberry32 } from '../../src/core/mulberry32.ts';
import { readCheckpoint } from '../../src/models/tree-hop/checkpoint.ts';
import { embeddings, ModelServer } from '../../test/providers-server.ts';
import { allowOrigin, argv, freshFolder, run } from '../../test/running-command.ts';
import { runLab, startLab } from './running-lab.ts';

let server: ModelServer;
before(async () => {
  server = await ModelServer.start(embeddings);
  allowOrigin(server.url);
});
after(() => server.stop());

/** Invented films, directors and their towns, in the layout of MuSiQue. */
function trainFile(folder: string, count = 40): string {
  const random = mulberry32(8);
  const word = () =>
    Array.from({ length: 6 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
  const facts = Array.from({ length: count }, () => ({
    film: word(),
    director: word(),
    town: word(),
  }));
  const records = facts.map(({ film, director, town }, at) => {
    const others = [1, 2, 3, 4, 5].map(step => facts[(at + step) % count]!);
    const paragraphs = [
      [film, `${film} is a film by ${director}`],
      [director, `${director} lives in ${town}`],
      ...others.flatMap(other => [
        [other.film, `${other.film} is a film by ${other.director}`],
        [other.director, `${other.director} lives in ${other.town}`],
      ]),
    ];
    return {
      id: `2hop__${at}`,
      question: `Where does the director of ${film} live?`,
      question_decomposition: [
        { question: `Who directed ${film}?`, paragraph_support_idx: 0 },
        { question: 'Where does #1 live?', paragraph_support_idx: 1 },
      ],
      paragraphs: paragraphs.map(([title, text], idx) => ({
        idx,
        title,
        paragraph_text: text,
        is_supporting: idx < 2,
      })),
    };
  });
  const path = join(folder, 'musique_train.jsonl');
  writeFileSync(path, records.map(record => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

const folder = freshFolder();
const data = trainFile(folder);
const cache = join(folder, 'cache');
const TOY = 'openai-compatible:toy';
const model = (): string[] => ['--embedder', TOY, '--base-url', server.url, '--cache', cache];
const training = (out: string, ...more: readonly string[]): string[] => [
  ...['tree-hop', 'train', '--data', data, ...model(), '--out', out],
  ...['--g', '32', '--rate', '2e-3', '--batch', '8', '--patience', '0', '--epochs', '3', ...more],
];
const files = (out: string): Record<string, string> => {
  const base = out.replace(/\.safetensors$/, '');
  return Object.fromEntries(
    ['.safetensors', '.state.safetensors', '.loss.json', '.loss.svg'].map(end => [
      end,
      readFileSync(base + end, 'latin1'),
    ]),
  );
};

/**
 * Returns the texts of the data among the requests; resolving a model sends another text, to find
 * its dimensions.
 */
const embeddedSince = (asked: number): string[] =>
  server.requests
    .slice(asked)
    .flatMap(({ body }) => body.input.filter(text => /film|lives/.test(text)));

test('data: counts without a model', async () => {
  const { code, out } = await runLab(['tree-hop', 'data', '--data', data]);
  assert.equal(code, 0);
  assert.match(out, /40 questions with 40 updates over 80 distinct paragraphs; 0 left out/);
  const { out: printed } = await runLab(['tree-hop', 'data', '--data', folder, '--json']);
  const { questions, kinds } = JSON.parse(printed);
  assert.deepEqual([questions, kinds.length, kinds[0]!.type], [40, 1, '2hop']);
});

test('train: writes a checkpoint with its provenance, losses and figures; no text is embedded twice', async () => {
  const out = join(folder, 'first.safetensors');
  const { code, out: printed, err } = await runLab(training(out));
  assert.equal(code, 0, err);
  assert.match(printed, /h = q/);
  assert.match(err, /epoch 3: loss \d/);
  const { parameters, provenance } = readCheckpoint(new Uint8Array(readFileSync(out)));
  assert.deepEqual([parameters.d, parameters.g, parameters.m, parameters.nMlp], [64, 32, 32, 3]);
  assert.equal(provenance['encoder'], TOY);
  assert.match(provenance['encoderId']!, /toy/);
  assert.equal(provenance['template'], 'title-context');
  const trainedOn = JSON.parse(provenance['trainedOn']!);
  assert.equal(trainedOn.questions, 40);
  assert.match(
    JSON.stringify(trainedOn.files),
    /^\[\{"name":"musique_train\.jsonl","sha256":"[0-9a-f]{64}"\}\]$/,
  );
  assert.ok(!readFileSync(out, 'latin1').includes(folder), 'no folder of this machine');
  const curve = JSON.parse(readFileSync(join(folder, 'first.loss.json'), 'utf8'));
  assert.deepEqual([curve.epochs.length, String(curve.best)], [4, provenance['epoch']]);
  const asked = server.requests.length;
  const second = join(folder, 'second.safetensors');
  const again = await runLab([...training(second), '--json']);
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(embeddedSince(asked), []);
  const { runs } = JSON.parse(again.out);
  assert.deepEqual([runs[0]!.learnt, runs[0]!.heldOut, runs[0]!.epochs.length], [36, 4, 4]);
  assert.equal(readFileSync(second, 'latin1'), readFileSync(out, 'latin1'));
});

test('a trained model answers questions over its own embedder, and is refused for another', async () => {
  const corpus = join(folder, 'corpus.jsonl');
  const facts = [
    'abc is a film by def',
    'def lives in ghi',
    'xyz is a film by uvw',
    'uvw lives in rst',
  ];
  writeFileSync(
    corpus,
    facts
      .map((text, id) => `${JSON.stringify({ id: String(id), title: `t${id}`, text })}\n`)
      .join(''),
  );
  const out = join(folder, 'first.safetensors');
  const store = join(folder, 'store');
  const ask = (...words: string[]) => argv`ask
      ${'Where does the director of abc live?'} --store ${store} ${words} --query-updater ${out}`;
  const strategy = ['--strategy', 'tree-hop(k=2)', '--reader', 'evidence-only', '--json'];
  const ingested = await run(
    ['ingest', corpus, '--store', store, ...model()].filter(
      word => word !== '--cache' && word !== cache,
    ),
  );
  assert.equal(ingested.code, 0, ingested.err);
  const asked = await run([...ask(), ...strategy]);
  assert.equal(asked.code, 0, asked.err);
  const { hops } = JSON.parse(asked.out);
  assert.equal(hops[1]!.searches[0]!.vector!.from, 'tree-hop');
  const other = await run([...ask('--retriever', 'lexical'), ...strategy]);
  assert.equal(other.code, 2);
  assert.match(other.err, /toy/);
});

describe('a killed run', () => {
  const words = (out: string, ...more: readonly string[]): string[] =>
    training(out, ...more).map((word, at, all) => (all[at - 1] === '--epochs' ? '30' : word));
  /** Kills the process as soon as it has printed an epoch. */
  async function killedAt(out: string, epoch: number): Promise<void> {
    const running = startLab(words(out, '--resume'));
    await new Promise<void>((resolve, reject) => {
      running.child.stderr!.on('data', () => {
        if (running.soFar().err.includes(`epoch ${epoch}:`)) resolve();
      });
      running.child.on('close', () => reject(new Error(running.soFar().err)));
    });
    running.child.kill('SIGKILL');
    assert.equal((await running.result).code, null, 'it was still at work');
  }
  test('ends with the same bytes after resuming as an unbroken one, at any point of the kill', async () => {
    const [whole, broken] = ['whole', 'broken'].map(name =>
      join(folder, `${name}.safetensors`),
    ) as [string, string];
    const { code, err } = await runLab(words(whole));
    assert.equal(code, 0, err);
    await killedAt(broken, 1);
    await killedAt(broken, 6);
    const state = join(folder, 'broken.state.safetensors');
    const early = join(folder, 'early');
    copyFileSync(state, early);
    // A kill during a write leaves a partial file.
    writeFileSync(`${state}.part`, 'cut');
    const resumed = await runLab(words(broken, '--resume'));
    assert.equal(resumed.code, 0, resumed.err);
    assert.match(resumed.err, /went on after epoch \d+/);
    assert.deepEqual(files(broken), files(whole));
    // A kill between checkpoint and state leaves a state older than the checkpoint.
    copyFileSync(early, state);
    assert.equal((await runLab(words(broken, '--resume'))).code, 0);
    assert.deepEqual(files(broken), files(whole));
    // A finished run has no work left.
    const done = await runLab(words(broken, '--resume'));
    assert.match(done.err, /went on after epoch 30/);
    assert.deepEqual(files(broken), files(whole));
  });
});

test('a diverging learning rate ends training with a hint, and leaves no unreadable checkpoint', async () => {
  const out = join(folder, 'lost.safetensors');
  const { code, err } = await runLab([
    ...training(out).map(word => (word === '2e-3' ? '1e30' : word)),
    '--json',
  ]);
  assert.equal(code, 2, err);
  const { error } = JSON.parse(err.slice(err.indexOf('{"error"')));
  assert.equal(error.code, 'diverged', err);
  assert.match(err, /A smaller --rate or a larger --temperature/);
  assert.ok(!existsSync(out));
});

test('ablate: trains four variants with the same data and seed, and prints one table', async () => {
  const out = join(folder, 'ablation.safetensors');
  const words = training(out).map(word => (word === 'train' ? 'ablate' : word));
  const { code, out: table, err } = await runLab(words);
  assert.equal(code, 0, err);
  for (const name of ['h = q', 'full', 'no-q', 'no-c', 'no-gate'])
    assert.match(table, new RegExp(`^${name} `, 'm'));
  const variants = ['full', 'no-q', 'no-c', 'no-gate'].map(name =>
    readFileSync(join(folder, `ablation.${name}.safetensors`)),
  );
  assert.deepEqual(
    variants.map(bytes => readCheckpoint(new Uint8Array(bytes)).provenance['variant']),
    ['full', 'no-q', 'no-c', 'no-gate'],
  );
  // The full variant equals the checkpoint of train.
  const plain = readFileSync(join(folder, 'first.safetensors'));
  assert.deepEqual(
    readCheckpoint(new Uint8Array(variants[0]!)).parameters,
    readCheckpoint(new Uint8Array(plain)).parameters,
  );
});

test('wrong usage of train is refused before any file is read or text embedded', async () => {
  const asked = server.requests.length;
  const base = ['--data', data, '--out', join(folder, 'never.safetensors')];
  const uncached = ['--embedder', TOY, '--base-url', server.url];
  const cases: readonly (readonly [code: string, words: readonly string[]])[] = [
    ['unknown-task', ['trian']],
    ['too-many-arguments', ['train', 'file', ...base]],
    ['missing-option', ['train', ...base]],
    ['missing-option', ['train', '--embedder', TOY, '--data', data]],
    ['missing-option', ['train', '--embedder', TOY, '--out', 'x']],
    ['bad-value', ['train', ...base, ...model(), '--rate', 'fast']],
    ['bad-value', ['train', ...base, ...model(), '--temperature', '0']],
    ['bad-value', ['train', ...base, ...model(), '--weight-decay=-1']],
    ['bad-value', ['train', ...base, ...model(), '--held-out', '0.9']],
    ['bad-value', ['train', ...base, ...model(), '--variant', 'no-p']],
    ['bad-value', ['train', ...base, ...model(), '--loss-negatives', 'luck']],
    ['bad-value', ['train', ...base, ...model(), '--epochs', '0']],
    ['bad-shape', ['train', ...base, ...uncached, '--g', '70000']],
    ['bad-value', ['ablate', ...base, ...model(), '--held-out', '0']],
    ['option-not-for-task', ['ablate', ...base, ...model(), '--variant', 'full']],
    ['option-not-for-task', ['data', '--data', data, '--embedder', TOY]],
    [
      'run-exists',
      ['train', '--data', data, ...model(), '--out', join(folder, 'first.safetensors')],
    ],
    [
      'missing-file',
      argv`train --data ${join(folder, 'none')} ${model()} --out
      ${join(folder, 'never.safetensors')}`,
    ],
    [
      'other-run',
      argv`train --data ${data} ${model()} --out ${join(folder, 'first.safetensors')}
      --resume --g 16`,
    ],
  ];
  for (const [code, words] of cases) {
    const { code: exit, err } = await runLab(['tree-hop', ...words, '--json']);
    assert.equal(exit, 2, `${words.join(' ')}: ${err}`);
    assert.equal(
      JSON.parse(err.slice(err.indexOf('{"error"'))).error.code,
      code,
      `${words.join(' ')}: ${err}`,
    );
  }
  assert.deepEqual(embeddedSince(asked), []);
  assert.ok(!existsSync(join(folder, 'never.safetensors')));
  const { code, out } = await runLab(['tree-hop', '--help']);
  assert.equal(code, 0);
  assert.match(out, /--loss-negatives/);
});
