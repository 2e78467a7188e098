/**
 * Checks local entity recognisers over a tiny model with random weights that is created here; no
 * downloaded model is needed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import { type LocalTagger, transformersTagger } from '../src/providers/transformers-tagger.ts';
import { freshFolder, start } from '../test/running-command.ts';
import { LABELS, tinyLabel, writeTinyTagger } from './tiny-tagger.ts';

const load = (): Promise<unknown> => import('@huggingface/transformers');
const call = freeCall();

describe('a tiny token classifier', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-tiny-tagger-'));
  const open: LocalTagger[] = [];
  after(async () => {
    for (const model of open) await model.close();
    rmSync(folder, { recursive: true });
  });
  const tiny = async (seed: number, options: object = {}): Promise<LocalTagger> => {
    const own = join(folder, `${seed}`);
    writeTinyTagger(own, seed);
    const model = await transformersTagger({
      ...{ model: 'tiny', folder: own, dtype: 'fp32', load },
      ...options,
    });
    open.push(model);
    return model;
  };

  /** Words of one letter each, so that every word is one token. */
  const sentence = (seed: number, words: number): string =>
    Array.from(
      { length: words },
      (_, at) => 'abcdefghijklmnopqrstuvwxyz'[(7 * at + seed * at * at) % 26],
    ).join(' ');

  function spansBySlowReading(text: string, label: (token: string) => string): string[] {
    const spans: string[] = [];
    let last = '';
    for (const { 0: word, index } of text.matchAll(/\S/g)) {
      const [place, type = ''] = label(word).split('-');
      if (place === 'I' && last === type && last !== '')
        spans.push(`${spans.pop()!.split(' ')[0]} ${index + 1} ${type}`);
      else if (place !== 'O') spans.push(`${index} ${index + 1} ${type}`);
      last = place === 'O' ? '' : type;
    }
    return spans;
  }

  test('returns the entities that its weights imply, computed independently', async () => {
    for (const seed of [1, 2, 3]) {
      // The third is longer than the 62 tokens that the model reads at once.
      const texts = [sentence(seed, 12), '', sentence(seed, 150), sentence(seed + 1, 30)];
      for (const batch of [1, 3]) {
        const tagged = await (await tiny(seed, { batch })).tag(texts, call);
        assert.deepEqual(
          tagged.map(spans => spans.map(({ start, end, type }) => `${start} ${end} ${type}`)),
          texts.map(text => spansBySlowReading(text, tinyLabel(seed))),
        );
      }
    }
  });

  test('a word has the label of its first token, wherever the text is cut', async () => {
    const label = tinyLabel(4);
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const starts = letters.filter(letter => label(letter) !== 'O');
    assert.ok(starts.length > 3);
    const text = letters.map(letter => `${letter}bcdefgh`).join(' . ');
    const [spans] = await (await tiny(4)).tag([text], call);
    const isOpen = (letter: string): boolean => label(letter) !== 'O';
    assert.deepEqual(
      new Set(
        spans!.flatMap(({ start, end }) =>
          text
            .slice(start, end)
            .split(' . ')
            .map(word => word[0]),
        ),
      ),
      new Set(letters.filter(isOpen).concat(isOpen('.') ? ['.'] : [])),
    );
    for (const { start, end } of spans!)
      assert.match(text.slice(start, end), /^(?:\.|[a-z]bcdefgh)(?: (?:\.|[a-z]bcdefgh))*$/);
  });

  test('its id names weights, labels and batch', async () => {
    const [one, other, batched] = [await tiny(1), await tiny(2), await tiny(1, { batch: 4 })];
    assert.match(one!.id, /^tiny@fp32-[0-9a-f]{12}$/);
    assert.equal(new Set([one!.id, other!.id, batched!.id]).size, 3);
  });

  test('a model without names of entities is refused', async () => {
    const own = join(folder, 'unnamed');
    writeTinyTagger(own, 1, ['LABEL_0', 'LABEL_1', 'LABEL_2', 'LABEL_3', 'LABEL_4']);
    const opening = transformersTagger({ model: 'tiny', folder: own, dtype: 'fp32', load });
    await assert.rejects(opening, { code: 'no-labels', message: /LABEL_0/ });
  });

  test('multihop ingest keeps a graph by it', async () => {
    const models = freshFolder();
    writeTinyTagger(join(models, 'tiny'), 1, LABELS);
    const store = join(freshFolder(), 'a.store');
    const demo = join(import.meta.dirname, '..', 'demo', 'corpus.jsonl');
    const words = ['ingest', demo, '--store', store, '--graph', 'ner(tiny)', '--json'];
    const around = { env: { MULTIHOP_MODELS: models }, cwd: import.meta.dirname };
    const { code, out, err } = await start(words, around).result;
    assert.equal(code, 0, err);
    const { graph, documents } = JSON.parse(out);
    const [key] = Object.keys(graph);
    assert.match(key!, /^entities\(tiny@/);
    assert.equal(graph[key!], documents);
  });
});
