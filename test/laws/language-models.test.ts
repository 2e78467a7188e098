/**
 * Language models and everything that decorates them keep the laws; a law that cannot fail says
 * nothing, so each is broken once.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Ledger } from '../../src/core/trace/ledger.ts';
import {
  type CompletionStore,
  cachedModel,
  type ReplayedModel,
  replayedModel,
} from '../../src/models/cached-model.ts';
import type { Completion, LanguageModel, Prompt } from '../../src/models/language-model.ts';
import { meteredModel } from '../../src/models/metered-model.ts';
import { pricedModel } from '../../src/models/priced-model.ts';
import { reservedModel } from '../../src/models/reserved-model.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { CassetteFile } from '../../src/stores/disk/cassette-file.ts';
import { languageModelLaws } from '../../src/testing/language-model-laws.ts';
import { LawBroken } from '../../src/testing/law.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { runLaws } from './run-laws.ts';

/** One word for each prompt, of the same for the same. */
const oneWord = ({ messages }: Prompt): string =>
  `word${messages.reduce((sum, { text }) => sum + text.length, 0)}`;
const scripted = (): LanguageModel => scriptedModel(oneWord);
const options = { hash: sha256 };

function mapStore(): CompletionStore & { readonly size: number } {
  const kept = new Map<string, Completion>();
  return {
    get size() {
      return kept.size;
    },
    get: async key => kept.get(key),
    async put(key, completion) {
      if (!kept.has(key)) kept.set(key, completion);
      return kept.get(key)!;
    },
  };
}

runLaws('scripted', languageModelLaws(scripted));
runLaws(
  'priced',
  languageModelLaws(() => pricedModel(scripted(), { input: 0.15, output: 0.6 })),
);
runLaws(
  'metered',
  languageModelLaws(() => meteredModel(scripted())),
);
runLaws(
  'reserved',
  languageModelLaws(() =>
    reservedModel(
      scripted(),
      new Ledger({
        budget: { modelCalls: 100 },
        signal: new AbortController().signal,
        clock: () => 0,
      }),
    ),
  ),
);
runLaws(
  'cached, nothing known',
  languageModelLaws(() => cachedModel(scripted(), mapStore(), options)),
);

describe('over one store', () => {
  const store = mapStore();
  runLaws(
    'cached, what was asked is known',
    languageModelLaws(() => cachedModel(scripted(), store, options)),
  );
  runLaws(
    'replayed',
    languageModelLaws(() =>
      replayedModel({ id: 'scripted', price: { input: 1, output: 2 } }, store, options),
    ),
  );
});

describe('on a cassette', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-laws-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'laws.jsonl');
  let recording: CassetteFile;
  before(async () => {
    recording = await CassetteFile.toRecord(path, { id: 'scripted' });
  });
  runLaws(
    'recorded',
    languageModelLaws(() => cachedModel(scripted(), recording, options)),
  );
  const replayed: ReplayedModel[] = [];
  runLaws(
    'replayed from the disk',
    languageModelLaws(async () => {
      const cassette = await CassetteFile.toReplay(path);
      replayed.push(replayedModel(cassette.model, cassette, options));
      return replayed.at(-1)!;
    }),
  );
  test('nothing was missing', async () => {
    assert.ok(replayed.length > 0 && replayed.every(({ misses }) => misses === 0));
    await recording.close();
  });
});

describe('a broken law is detected', () => {
  const inner = scripted();
  type Generate = LanguageModel['generate'];
  const completes =
    (change: (completion: Completion) => object): Generate =>
    async (...asked) => {
      const completion = await inner.generate(...asked);
      return { ...completion, ...change(completion) };
    };
  const deaf = { signal: new AbortController().signal } as never;
  let count = 0;
  let broken = false;
  const counting = completes(({ text }) => ({ text: `${text}${count++}` }));
  const faults: readonly (readonly [what: string, law: RegExp, generate: Generate])[] = [
    ['no text', /any prompt yields text/, completes(() => ({ text: undefined }))],
    ['no end', /any prompt yields text/, completes(() => ({ finish: undefined }))],
    [
      'half a token',
      /any prompt yields text/,
      completes(() => ({ usage: { input: 0.5, output: 1 } })),
    ],
    [
      'an untyped error',
      /any prompt yields text/,
      async prompt => {
        if (prompt.messages.some(({ text }) => text === '')) throw new RangeError('empty');
        return inner.generate(prompt, deaf);
      },
    ],
    [
      'pieces that are less',
      /pieces add up/,
      async (prompt, call, onText) => {
        const completion = await inner.generate(prompt, call);
        onText?.(completion.text.slice(1));
        return completion;
      },
    ],
    [
      'a text without end',
      /at most maxTokens/,
      completes(() => ({ usage: { input: 1, output: 99 } })),
    ],
    [
      'a prompt that is changed',
      /does not change the prompt/,
      async (prompt, call) => {
        (prompt.messages as unknown as object[]).push({ role: 'user', text: 'more' });
        return inner.generate(prompt, call);
      },
    ],
    ['chance', /temperature 0/, counting],
    ['text that depends on other calls', /concurrent and sequential/, counting],
    ['deafness', /rejects an aborted call/, prompt => inner.generate(prompt, deaf)],
    [
      'sulking',
      /serves further calls/,
      async (prompt, call, onText) => {
        broken ||= call.signal.aborted;
        if (broken) throw new TypeError('no more');
        return inner.generate(prompt, call, onText);
      },
    ],
  ];
  const breaks = (law: RegExp, create: () => LanguageModel) => async (): Promise<void> => {
    const laws = languageModelLaws(create).filter(({ name }) => law.test(name));
    assert.equal(laws.length, 1, 'there is such a law');
    const kinds = [LawBroken, TypeError, RangeError];
    await assert.rejects(laws[0]!.run(), error => kinds.some(kind => error instanceof kind));
  };
  for (const [what, law, generate] of faults)
    test(
      `${what} breaks ${law.source}`,
      breaks(law, () => ({ id: 'broken', generate })),
    );
  test(
    'a new name each time breaks has a constant id',
    breaks(/has a constant id/, () => ({ ...inner, id: `broken${count++}` })),
  );
});
