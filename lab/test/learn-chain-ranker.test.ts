/**
 * Tests `learn chain-ranker`: weights from small train files of several data sets, written
 * beside the other kinds with their provenance; refusals and their order.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import {
  type FactRanker,
  RANKER_KINDS,
  type RankerKind,
  readFactRanker,
} from '../../src/models/fact-ranker/fact-ranker.ts';
import { embeddings, ModelServer } from '../../test/providers-server.ts';
import { argv, freshFolder, PACKAGE, type Result } from '../../test/running-command.ts';
import { runLab } from './running-lab.ts';

const SHIPPED = join(PACKAGE, 'src', 'models', 'fact-ranker', 'fact-ranker.json');
const WORKS = 'Quill Amber Thorn Basalt Cinder Dapple Ember'.split(' ');
const PEOPLE = 'Ferrow Osk Lindqvist Maren Tolliver Brandt Castor'.split(' ');
const QUAYS = 'Dunmar Pellow Sorrel Tamsin Ulver Vesper Wexmoor'.split(' ');

interface Chain {
  readonly question: string;
  /**
   * Title and sentences. The second document shares no word with the question; the third is no gold
   * document.
   */
  readonly paragraphs: readonly (readonly [title: string, sentences: readonly string[]])[];
}

const CHAINS = WORKS.map((works, at): Chain => {
  const [person, quay] = [`Ines ${PEOPLE[at]}`, `${QUAYS[at]} Quay`];
  return {
    question: `In which town was the founder of the ${works} Works born?`,
    paragraphs: [
      [
        `${works} Works`,
        ['Lamps are made there.', `The founder of the ${works} Works is ${person}.`],
      ],
      [person, [`An uncle raised ${person} beside ${quay}.`, 'Cats are kept there.']],
      [`${works} Hall`, [`The ${works} Hall has a founder who was born in a town.`]],
    ],
  };
});

/** Writes the layout that HotpotQA and 2WikiMultiHopQA share. */
const distractor = ({ question, paragraphs }: Chain, at: number): object => ({
  _id: `d${at}`,
  question,
  answer: `${QUAYS[at]} Quay`,
  type: 'bridge',
  context: paragraphs,
  supporting_facts: [
    [paragraphs[0]![0], 1],
    [paragraphs[1]![0], 0],
  ],
});
const musique = ({ question, paragraphs }: Chain, at: number): object => ({
  id: `2hop__${at}_${at}`,
  question,
  answer: `${QUAYS[at]} Quay`,
  paragraphs: paragraphs.map(([title, sentences], idx) => ({
    idx,
    title,
    paragraph_text: sentences.join(' '),
    is_supporting: idx < 2,
  })),
  question_decomposition: [{ paragraph_support_idx: 0 }, { paragraph_support_idx: 1 }],
});

let folder = '';
const at = (name: string): string => join(folder, name);
const lines = (name: string, values: readonly object[]): void =>
  writeFileSync(at(name), values.map(value => `${JSON.stringify(value)}\n`).join(''));

before(() => {
  folder = freshFolder();
  lines('2wiki.jsonl', CHAINS.map(distractor));
  lines('hotpot=a.jsonl', CHAINS.slice(0, 5).map(distractor));
  lines('musique.jsonl', CHAINS.map(musique));
});

const DENSE = 'fused(lexical, dense(openai-compatible:toy))';
const learn = (...words: readonly string[]): Promise<Result> =>
  runLab(['learn', 'chain-ranker', ...words]);
const train = (dataset: string, file: string): string[] => ['--train', `${dataset}=${at(file)}`];
const TRAIN = (): string[] => [
  ...train('2wikimultihopqa', '2wiki.jsonl'),
  ...train('hotpotqa', 'hotpot=a.jsonl'),
  ...train('musique', 'musique.jsonl'),
];
const read = (name: string): FactRanker =>
  readFactRanker(JSON.parse(readFileSync(at(name), 'utf8')));
const hashed = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(at(name)))
    .digest('hex');

/** Asserts exit code 2 with this message, as text and as JSON, and that no file is written. */
async function refused(
  words: readonly string[],
  said: RegExp,
  out = 'refused.json',
): Promise<void> {
  const { code, err } = await learn(...words, '--out', at(out));
  assert.deepEqual([code, said.test(err)], [2, true], err);
  assert.doesNotMatch(err, /This is a bug/);
  if (out === 'refused.json') assert.equal(existsSync(at(out)), false);
  const {
    code: again,
    out: printed,
    err: told,
  } = await learn(...words, '--out', at(out), '--json');
  assert.deepEqual([again, printed, (JSON.parse(told) as { exit: number }).exit], [2, '', 2]);
}

interface Learnt {
  readonly out?: string;
  readonly rankers: readonly {
    readonly retriever: string;
    readonly kind: RankerKind;
    readonly weights: FactRanker['rankers'][RankerKind];
    readonly heldOut: readonly ({ readonly name: string; readonly questions: number } & Record<
      string,
      unknown
    >)[];
  }[];
}

describe('learnt weights', () => {
  test('are written beside the other kinds with their provenance, with the same bytes a second time', async () => {
    copyFileSync(SHIPPED, at('a.json'));
    const shipped = read('a.json');
    const limited = [...TRAIN(), '--limit', '5', '--retriever', 'lexical'];
    const { code, out, err } = await learn(...limited, '--out', at('a.json'), '--json');
    assert.equal(code, 0, err);
    const printed = JSON.parse(out) as Learnt;
    assert.deepEqual(
      [Object.keys(printed).sort(), printed.out],
      [['out', 'rankers'], at('a.json')],
    );
    const [{ retriever, kind, weights, heldOut }, ...more] = printed.rankers as [
      Learnt['rankers'][number],
    ];
    assert.deepEqual([retriever, kind, more], ['lexical', 'open-words', []]);
    assert.deepEqual(
      heldOut.map(({ name, questions }) => [name, questions]),
      [
        ['2wikimultihopqa', 1],
        ['hotpotqa', 1],
        ['musique', 1],
      ],
    );

    const { rankers, provenance } = read('a.json');
    assert.deepEqual(rankers['open-words'], weights);
    assert.notDeepEqual(weights, shipped.rankers['open-words']);
    for (const name of RANKER_KINDS)
      if (name !== 'open-words') assert.deepEqual(rankers[name], shipped.rankers[name], name);
    for (const [name, source] of Object.entries(shipped.provenance))
      if (name !== 'open-words') assert.deepEqual(provenance[name], source, name);
    const origin = provenance['open-words'] as Record<string, unknown>;
    assert.match(origin['trainedBy'] as string, /^multihop \d+\.\d+\.\d+\S* learn chain-ranker$/);
    assert.deepEqual(
      [origin['retriever'], origin['train'], origin['heldOut']],
      [
        'lexical',
        [
          { dataset: '2wikimultihopqa', questions: 5, file: hashed('2wiki.jsonl') },
          { dataset: 'hotpotqa', questions: 5, file: hashed('hotpot=a.jsonl') },
          { dataset: 'musique', questions: 5, file: hashed('musique.jsonl') },
        ],
        heldOut,
      ],
    );
    assert.doesNotMatch(
      readFileSync(at('a.json'), 'utf8'),
      new RegExp(folder),
      'no path of this machine',
    );

    // Overwrites the file of the first run.
    const bytes = readFileSync(at('a.json'));
    assert.equal((await learn(...limited, '--out', at('a.json'))).code, 0);
    assert.deepEqual(readFileSync(at('a.json')), bytes);
    assert.deepEqual(
      readdirSync(folder).filter(name => name.includes('.part')),
      [],
    );
  });

  test('two retrievers in one run give a kind each and one object; a later run of one leaves the other unchanged', async () => {
    const server = await ModelServer.start(embeddings);
    const both = ['--retriever', 'lexical', '--retriever', DENSE];
    const embedder = ['--embedder', 'openai-compatible:toy', '--base-url', server.url];
    const { code, out, err } = await learn(
      ...train('musique', 'musique.jsonl'),
      ...argv`--limit 5 ${both} ${embedder} --out ${at('both.json')} --json`,
    );
    await server.stop();
    assert.equal(code, 0, err);
    const { rankers } = JSON.parse(out) as Learnt;
    assert.deepEqual(
      rankers.map(({ kind }) => kind),
      ['open-words', 'open-vectors'],
    );
    const file = read('both.json');
    for (const { kind, weights } of rankers) assert.deepEqual(file.rankers[kind], weights);
    assert.deepEqual(Object.keys(file.provenance).sort(), ['open-vectors', 'open-words']);
    assert.equal(
      (
        await learn(
          ...train('2wikimultihopqa', '2wiki.jsonl'),
          ...argv`--limit 5 --out ${at('both.json')}`,
        )
      ).code,
      0,
    );
    const later = read('both.json');
    assert.deepEqual(
      [later.rankers['open-vectors'], later.provenance['open-vectors']],
      [file.rankers['open-vectors'], file.provenance['open-vectors']],
    );
    assert.notDeepEqual(later.rankers['open-words'], file.rankers['open-words']);
  });
});

describe('refused input', () => {
  test('a file without its data set: the error has the received value and the expected form', async () => {
    for (const spec of ['nonsense', '=nonsense', at('2wiki.jsonl')]) {
      const { err } = await learn('--train', spec);
      assert.match(err, /DATASET=FILE/, spec);
      assert.ok(err.includes(spec), err);
    }
  });

  test('a missing file, one of another data set, and one of no data set, also as the second of two', async () => {
    await refused(train('musique', 'missing.jsonl'), /missing\.jsonl/);
    await refused(
      [...train('2wikimultihopqa', '2wiki.jsonl'), ...train('musique', 'missing.jsonl')],
      /missing\.jsonl/,
    );
    await refused(train('musique', '2wiki.jsonl'), /holds no question of this data set/);
    writeFileSync(at('empty.jsonl'), '');
    await refused(train('musique', 'empty.jsonl'), /empty\.jsonl/);
    mkdirSync(at('folder'), { recursive: true });
    await refused(train('musique', 'folder'), /folder/);
    await refused(['--train', 'musique='], /DATASET=FILE/);
  });

  test('two retrievers of one kind, since a file holds one of each kind', async () => {
    const twice = ['--retriever', 'lexical', '--retriever', 'lexical(scorer=s1)'];
    await refused([...train('musique', 'musique.jsonl'), ...twice], /one kind/);
  });

  test('too few questions to hold any out, or no question with gold facts', async () => {
    lines(
      'no-gold.jsonl',
      CHAINS.map((chain, index) => ({ ...distractor(chain, index), supporting_facts: [] })),
    );
    await refused(train('2wikimultihopqa', 'no-gold.jsonl'), /at least 5/);
    await refused([...train('2wikimultihopqa', '2wiki.jsonl'), '--limit', '1'], /at least 5/);
  });
});
