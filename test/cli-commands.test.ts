/** Tests the output of each command, as text and as JSON, and the files that it writes. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sealEvents, verifyTrace } from '../src/core/trace/audit.ts';
import type { TraceEvent } from '../src/core/trace/trace.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { strategies } from '../src/strategies/strategies.ts';
import {
  argv,
  DEMO_CORPUS,
  demoStore,
  freshFolder,
  printed,
  type Result,
  refuses,
  run,
  type Surrounding,
  succeeds,
} from './running-command.ts';

let store = '';
before(async () => {
  store = await demoStore();
});

const KELP =
  'Which company has hired the biologist whose survey for the Brannoch Institute showed that the kelp beds are growing back?';
/** The question that `demo --store` suggests at its end. */
const BELL =
  "On what date will the bell of the brig that was found by Orrin Wind's survey boats be shown to the public for the first time?";
const texts = new Map<string, string>(
  readFileSync(DEMO_CORPUS, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .map(({ id, text }) => [id, text]),
);

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = realpathSync(freshFolder());
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
const newStore = (): string => join(freshFolder(), 'store');

/** Stores one file. */
async function storeOf(name: string, content: string): Promise<{ file: string; store: string }> {
  const [file, made] = [join(folderOf({ [name]: content }), name), newStore()];
  await succeeds(['ingest', file, '--store', made]);
  return { file, store: made };
}

describe('ingest', () => {
  test('counts added, changed and unchanged documents; a missing document stays', async () => {
    const notes = folderOf({
      'a.txt': 'The ferry left at noon.',
      'b.md': '# Bells\n\nThe bell rang twice.',
    });
    const target = newStore();
    const counts = async (): Promise<unknown[]> => {
      const counted = await printed(['ingest', notes, '--store', target]);
      return ['read', 'added', 'changed', 'unchanged', 'documents'].map(key => counted[key]);
    };
    assert.deepEqual(await counts(), [2, 2, 0, 0, 2]);
    assert.deepEqual(await counts(), [2, 0, 0, 2, 2]);
    writeFileSync(join(notes, 'a.txt'), 'The ferry left at one.');
    assert.deepEqual(await counts(), [2, 0, 1, 1, 2]);
    const { out } = await run(['ingest', join(notes, 'b.md'), '--store', target]);
    assert.match(out, /1 read, 0 added, .*; [23] in the store/);
  });

  test('skips files that hold no text, gives the reason and counts them', async () => {
    const folder = folderOf({
      'good.txt': 'Words.',
      'picture.bin': new Uint8Array([0, 1, 2, 0]),
      'latin.txt': new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
      'empty.txt': '',
      'paper.pdf': '%PDF-1.4',
    });
    const words = ['ingest', folder, '--store', newStore()];
    const { out, err } = await succeeds(words);
    assert.match(out, /2 read, 2 added, .*3 skipped/);
    assert.match(err, /1 file was read with notes: multihop documents .* shows them/);
    for (const said of [/picture\.bin: binary/, /empty\.txt: empty/, /paper\.pdf: not a valid PDF/])
      assert.match(err, said);
    assert.equal((await printed(words)).skipped.length, 3);
    assert.equal((await run([...words, '--quiet'])).err, '');
  });

  test('evidence names its file from the working folder, and a terminal gets a link to it', async () => {
    const made = await storeOf('pump.md', '# Pump\n\n## Valves\n\nThe Alpha pump has 3 valves.\n');
    const words = ['ask', 'How many valves does the Alpha pump have?', '--store', made.store];
    const path = relative('', made.file);
    const shown = await run(words, { terminal: true });
    assert.ok(shown.out.includes(`\u001b]8;;${pathToFileURL(made.file).href}\u001b\\`), shown.out);
    assert.ok(
      (await run(words)).out.replace(/\s+/g, '').includes(`${path.replace(/\s+/g, '')}:5|`),
    );
    const [first] = (await printed(words)).evidence;
    assert.deepEqual([first.path, first.quotes[0].line], [path, 5]);
  });

  test('counts the reasons where more files are skipped than are named', async () => {
    const empty = Array.from({ length: 18 }, (_, at) => [`${at}.txt`, '']);
    const unknown = ['a.x', 'b.y', 'c.z', 'good.txt'].map(name => [name, 'Words.']);
    const folder = folderOf(Object.fromEntries([...empty, ...unknown]));
    const { err } = await run(['ingest', folder, '--store', newStore()]);
    assert.match(err, /and 1 more .*Of all skipped:\n {4}18 {2}empty file\n {5}3 {2}unknown/);
  });

  test('a malformed line is skipped by name; --strict refuses it', async () => {
    const folder = folderOf({ 'lines.jsonl': '{"text":"One."}\n{"text": two}\n' });
    const lenient = await succeeds(['ingest', folder, '--store', newStore()]);
    assert.match(lenient.err, /skipped .*lines\.jsonl:2: not valid JSON at line 2, column 10/);
    assert.match(lenient.out, /1 read, 1 added, .* 1 skipped/);
    await refuses(
      ['ingest', folder, '--store', newStore(), '--strict'],
      /lines\.jsonl.* is not valid JSON at line 2, column 10/,
    );
  });

  test('a wrong path, format, chunker or empty corpus leaves no store behind', async () => {
    const folder = folderOf({ 'bad.json': '[{"text": "x",]' });
    mkdirSync(join(folder, 'empty'));
    const target = join(folder, 'store');
    for (const [words, says] of [
      [[join(folder, 'nothing')], /no file or folder .*nothing/],
      [[join(folder, 'empty')], /No document in .*empty/],
      [[join(folder, 'bad.json')], /bad\.json.*line 1|bad\.json:1/],
      [[DEMO_CORPUS, '--format', 'jsnl'], /no format "jsnl".*jsonl/],
      [[DEMO_CORPUS, '--chunker', 'token'], /Unknown chunker "token".*Did you mean tokens/],
      [[], /PATH is missing/],
    ] as const) {
      await refuses(['ingest', ...words, '--store', target], says);
      assert.equal(existsSync(target), false, words.join(' '));
    }
  });

  test('a store inside the folder that is read is refused before it is created', async () => {
    const folder = folderOf({ 'a.txt': 'One.' });
    for (const [path, target] of [
      [folder, join(folder, 'store')],
      [`${folder}/`, `${folder}/deep/er/../store`],
      [folder, folder],
    ] as const)
      await refuses(['ingest', path, '--store', target], /lies inside/);
    assert.deepEqual(readdirSync(folder), ['a.txt']);
    await succeeds(['ingest', join(folder, 'a.txt'), '--store', join(folder, 'store')]);
    writeFileSync(join(folder, 'multihop.config.json'), '{}');
    for (const added of [1, 0]) {
      const words = ['ingest', folder, '--store', join(folder, '.multihop', 'store')];
      const { read, skipped, ...said } = await printed(words);
      assert.deepEqual(
        [said['added'], said['documents'], skipped],
        [
          added,
          1,
          [
            {
              path: join(folder, 'store'),
              reason: 'a store of multihop: its files are no documents',
            },
          ],
        ],
        String(read),
      );
    }
  });

  test('a chunker other than the store’s is refused', () =>
    refuses(
      argv`ingest ${DEMO_CORPUS} --store ${store} --chunker whole`,
      /expected tokens\(size=256, overlap=32\), received whole/,
    ));
});

describe('ask', () => {
  const ask = (words: readonly string[], around?: Surrounding): Promise<Result> =>
    run(['ask', KELP, '--store', store, ...words], around);

  test('prints the answer, the evidence with its sentences, and the cost', async () => {
    // The curves of probability are data that are fitted anew; the threshold is below all of them.
    const { out, err } = await succeeds(['ask', BELL, '--store', store, '--answer-at', '0.1']);
    assert.equal(err, '');
    const [answer] = out.split('\n');
    assert.equal(answer, '6 December 2025');
    assert.match(out, /^Probability 0\.\d\d$/m);
    assert.match(out, /^Evidence {2}found by fact-lanes\(tokens=510\)$/m);
    // Many sentences of the evidence come from one article, which has one number.
    const titles = [...out.matchAll(/^[* ] +\d+\. (.+)$/gm)].map(([, title]) => title);
    assert.deepEqual([...new Set(titles)], titles);
    assert.ok([...out.matchAll(/^ {4}[» ] \S/gm)].length > titles.length);
    assert.match(out, /^ {4}» The bell of the Good Margaret will be shown/m);
    assert.match(out, /^\d+ hops?, \d+ search.*, \d+ context tokens, [\d.]+ m?s$/m);
    for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
  });

  test('folds a text past 12 lines in a terminal alone, and not with --all', async () => {
    const steps = Array.from({ length: 30 }, (_, step) => `- Screw ${step}`);
    const made = await storeOf('pump.md', `# Pump\n\n## Valve repair\n\n${steps.join('\n')}\n`);
    const words = argv`ask ${'How is the valve repaired?'} --store ${made.store}
      --strategy fixed-top-k --retriever lexical(unit=passage)`;
    const shown = await run(words, { terminal: true, env: { NO_COLOR: '1' } });
    assert.match(shown.out, /^ {6}… \d+ more lines \(--all\)$/m);
    for (const whole of [await run(words), await run([...words, '--all'], { terminal: true })]) {
      assert.doesNotMatch(whole.out, /more lines/);
      for (const step of steps) assert.ok(whole.out.includes(step), whole.out);
    }
  });

  test('--json: one object whose texts and quotes occur in the documents', async () => {
    const result = await printed(argv`ask ${KELP} --store ${store} --strategy iterative(rounds=3)
      --reader extractive`);
    assert.deepEqual(Object.keys(result).slice(0, 4), [
      'question',
      'answer',
      'citations',
      'evidence',
    ]);
    assert.deepEqual([result.question.text, result.strategy], [KELP, 'iterative(rounds=3)']);
    assert.ok(result.evidence.length > 1);
    for (const { documentId, start, end, text, source, date } of result.citations) {
      assert.equal(texts.get(documentId)!.slice(start, end), text);
      assert.match(date, /^2025-\d\d-\d\d$/);
      assert.notEqual(source, '');
    }
    for (const { documentId, texts: kept, quotes, hop } of result.evidence) {
      assert.ok(hop >= 1 && hop <= 3);
      for (const { start, end, text } of kept)
        assert.equal(texts.get(documentId)!.slice(start, end), text);
      for (const { text } of quotes)
        assert.ok(kept.some((part: { text: string }) => part.text.includes(text)));
    }
    assert.match(result.trace.content, /^[0-9a-f]{64}$/);
  });

  test('--trace writes the lines of --jsonl, sealed; verify-trace and --head agree', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    const { code, out } = await ask(['--jsonl', '--trace', file]);
    assert.deepEqual([code, out], [0, readFileSync(file, 'utf8')]);
    const verified = verifyTrace(out, sha256);
    assert.ok(verified.ok);
    const types = verified.events.map(({ type }) => type).filter(type => type !== 'hop');
    assert.deepEqual(types, ['question', 'context', 'answer', 'end']);
    const { content, line } = verified.heads;
    assert.match((await succeeds(['verify-trace', file, '--head', content])).out, /^sound/);
    assert.deepEqual((await printed(['verify-trace', file, '--head', line])).heads, verified.heads);
    assert.equal((await run(['verify-trace', file, '--head', '0'.repeat(64)])).code, 1);
  });

  test('a trace that was rewritten as a whole against a law is refused, and the law is named', async () => {
    const { events } = verifyTrace((await ask(['--jsonl'])).out, sha256);
    const at = events.findIndex(({ type }) => type === 'context');
    const context = events[at] as Extract<TraceEvent, { type: 'context' }>;
    const rewritten = events.with(at, { ...context, evidence: context.evidence.slice(1) });
    const file = join(folderOf({ 'run.jsonl': sealEvents(rewritten, sha256) }), 'run.jsonl');
    const told = await run(['verify-trace', file]);
    assert.equal(told.code, 1);
    assert.match(
      told.out,
      /^not sound: .*run\.jsonl:\d+: the law "evidence" is broken: evidence\[0\]: /,
    );
    const { ok, at: line, law, where } = await printed(['verify-trace', file]);
    assert.deepEqual([ok, line, law, where], [false, at + 1, 'evidence', 'evidence[0]']);
    assert.equal((await run(['replay', file])).code, 2);
  });

  for (const [what, change] of [
    ['changed', (text: string) => text.replace('Brightwater', 'Blackwater')],
    ['truncated', (text: string) => text.slice(0, -1)],
    ['empty', () => ''],
    ['of another format', () => 'no trace\n'],
  ] as const)
    test(`a trace that is ${what} is not sound, with exit code 1 and the line`, async () => {
      const text = change((await ask(['--jsonl'])).out);
      const { code, out } = await run([
        'verify-trace',
        join(folderOf({ 'run.jsonl': text }), 'run.jsonl'),
      ]);
      assert.equal(code, 1);
      assert.match(out, /^not sound: .*run\.jsonl:\d+: /);
    });

  test('prints hops on stderr as they come, with --explain or --verbose alone', async () => {
    const around = { terminal: true, env: { NO_COLOR: '1' } };
    assert.doesNotMatch((await ask([], around)).err, /hop 1|asked/);
    const { err } = await ask(['--strategy', 'iterative(rounds=3)', '--explain'], around);
    assert.deepEqual(err.match(/^hop \d/gm), ['hop 1', 'hop 2']);
    assert.match(err, /^ {2}asked /m);
    assert.match(err, /^ {2}kept /m);
    assert.match((await ask(['--verbose'])).err, /^hop 1/m);
    for (const silent of ['--quiet', '--json']) assert.equal((await ask([silent], around)).err, '');
  });

  test('a limit that ends the run: exit 3, and the partial result is printed', async () => {
    const { code, out } = await ask(argv`--strategy iterative(rounds=3) --budget retrievals=1`);
    assert.equal(code, 3);
    assert.match(out, /Evidence[\s\S]*Stopped by the limit on retrievals/);
    const words = argv`ask ${KELP} --store ${store} --budget documents=0`;
    const { stopped, answer } = await printed(words);
    assert.deepEqual([stopped, answer.kind], [{ by: 'limit', limit: 'documents' }, 'abstained']);
    assert.equal((await ask(['--budget', 'ms=0'])).code, 3);
  });

  test('an abstention gives its reason and exits with 0', async () => {
    const { out } = await succeeds(['ask', 'Zzyzx qwfp arst?', '--store', store]);
    assert.match(out, /^No answer: \w/);
  });

  test('a filter applies to every hop', async () => {
    const filter = 'source = "Tidewater Business" and published_at >= 2025-10-01';
    const { evidence } = await printed(argv`ask ${KELP} --store ${store} --filter ${filter}
      --strategy iterative(rounds=3)`);
    const sources = new Set(evidence.map(({ source }: { source: string }) => source));
    assert.deepEqual([...sources], ['Tidewater Business']);
  });

  test('withholds an answer below --answer-at, and names the candidates', async () => {
    const words = ['ask', BELL, '--store', store, '--answer-at', '0.99'];
    const { out } = await succeeds(words);
    assert.match(
      out,
      /^No answer above 0\.99\nCandidates: 6 December 2025 \(probability 0\.\d\d\)/,
    );
    assert.match(out, /^Evidence/m);
    const { answer, below, candidates, probability } = await printed(words);
    assert.deepEqual([answer, below, candidates[0].text], [null, 0.99, '6 December 2025']);
    assert.ok(probability < 0.99);
    for (const wrong of ['2', '-1', 'often', ' '])
      assert.equal((await ask([`--answer-at=${wrong}`])).code, 2);
  });

  test('reads the question from stdin; empty stdin is an empty question', async () => {
    const words = ['ask', '-', '--store', store, '--answer-at', '0'];
    assert.match((await run(words, { stdin: `${BELL}\n` })).out, /^6 December 2025\n/);
    assert.equal((await run(words, { stdin: '\n' })).code, 2);
  });

  test('an interrupt ends the run with its trace sealed', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    const { code, out, err } = await ask(['--trace', file], {
      signal: AbortSignal.abort(new DOMException('Interrupted', 'AbortError')),
    });
    assert.equal(code, 130, err);
    assert.match(out, /No answer: .*aborted/);
    assert.ok(verifyTrace(readFileSync(file, 'utf8'), sha256).ok);
  });

  test('a trace that cannot be written is a failure; a refused question leaves an older trace unchanged', async () => {
    const { code, err } = await ask(['--trace', join(freshFolder(), 'no', 'such', 'folder')]);
    assert.equal(code, 1);
    assert.match(err, /trace .* cannot be written/);
    const file = join(folderOf({ 'old.jsonl': 'old' }), 'old.jsonl');
    await ask(['--trace', file, '--strategy', 'nothing']);
    assert.equal(readFileSync(file, 'utf8'), 'old');
  });

  test('an empty store gives a warning and an abstention', async () => {
    const empty = (await storeOf('a.txt', 'One.')).store;
    const removed = await run(['remove', 'a.txt', '--store', empty]);
    assert.match(removed.out, /1 removed; 0 in the store/);
    const { out, err } = await succeeds(['ask', 'What?', '--store', empty]);
    assert.match(err, /holds no documents/);
    assert.match(out, /No answer/);
  });
});

describe('search', () => {
  test('prints hits in order with a sentence each', async () => {
    const { out } = await succeeds(['search', 'Fathom Prize winner', '--store', store, '-k', '3']);
    assert.match(out, /^ {2}1\. +\d+\.\d{3} {2}Fathom Prize for Ilse Tarrandine/);
  });

  for (const retriever of [
    'lexical',
    'lexical(s1)',
    'lexical(bm25(k1=0.9, b=0.4), unit=passage)',
    'lexical(unit=sentence)',
  ])
    test(`${retriever}: --explain adds up to the scores, which are in order`, async () => {
      const { hits } = await printed(argv`search ${'Fathom Prize winner'} --store ${store}
        --retriever ${retriever} --explain -k 4`);
      const scores: number[] = hits.map(({ score }: { score: number }) => score);
      assert.equal(scores.length, 4);
      assert.deepEqual(
        hits.map((hit: { explanation: { value: number } }) => hit.explanation.value),
        scores,
      );
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    });

  test('a filter is applied before the hits are counted', async () => {
    const found = await printed(argv`search ${'the company'} --store ${store} -k 5
      --filter ${'source in ("Tidewater Business", Touchline) and published_at < 2025-11-01'}`);
    assert.equal(found.hits.length, 5);
    for (const { source, date } of found.hits) {
      assert.ok(['Tidewater Business', 'Touchline'].includes(source));
      assert.ok(date < '2025-11-01');
    }
    assert.match(found.filter, /^source in \("Tidewater Business", "Touchline"\) and \(/);
  });

  test('a search without hits is not an error', async () => {
    const { code, out, err } = await run(['search', 'zzyzx', '--store', store]);
    assert.deepEqual([code, out, err], [0, '', 'Nothing was found.\n']);
  });
});

test('verify: sound, damaged index, repair, damaged documents', async () => {
  const copied = await demoStore();
  const words = ['verify', '--store', copied];
  const file = (start: string): string =>
    join(copied, readdirSync(copied).find(name => name.startsWith(start))!);
  const { digest } = await printed(words);
  assert.match((await run(words)).out, /The store is sound/);
  const index = file('index-document.plain');
  const bytes = readFileSync(index);
  bytes[bytes.length - 40]! ^= 1;
  writeFileSync(index, bytes);
  const [sound, asked] = [
    await run(['ask', KELP, '--store', store]),
    await run(['ask', KELP, '--store', copied]),
  ];
  assert.match(asked.err, /warning: .*index-document\.plain.*damaged/);
  assert.deepEqual(asked.out.split('\n').slice(0, -2), sound.out.split('\n').slice(0, -2));
  const damaged = await run(words);
  assert.equal(damaged.code, 3);
  assert.match(damaged.out, /damaged .*index-document[\s\S]*--repair/);
  const repaired = await printed([...words, '--repair']);
  assert.deepEqual([repaired.ok, repaired.repaired, repaired.digest], [true, true, digest]);
  const documents = file('documents-');
  writeFileSync(documents, readFileSync(documents).subarray(0, 100));
  const lost = await run([...words, '--repair']);
  assert.equal(lost.code, 4);
  assert.match(lost.out, /Documents are lost/);
  const refused = await run(['ask', KELP, '--store', copied]);
  assert.equal(refused.code, 4);
  assert.ok(refused.err.includes(relative(copied, documents)), refused.err);
});

test('list: every family as text and as JSON, with parameters, needs, paper and cost', async () => {
  const names: Record<string, string[]> = await printed(['list']);
  assert.deepEqual(
    names['strategies'],
    strategies.members.map(({ name }) => name),
  );
  for (const [kind, members] of Object.entries(names)) {
    const { out } = await succeeds(['list', kind]);
    for (const name of members) assert.ok(out.includes(name), `${kind}: ${name}`);
    const listed: { members: { name: string; summary: string }[] } = await printed(['list', kind]);
    assert.deepEqual(
      listed.members.map(({ name }) => name),
      members,
    );
    for (const { summary } of listed.members) assert.match(summary, /\w/);
  }
  const { out } = await run(['list', 'strategies']);
  for (const said of [
    /budgeted-agent\(tokens=620, calls=4\)[\s\S]*cost: /,
    /rounds=2 .*\(a whole number from 1 to 50\)/,
    /tree-hop\([\s\S]*needs: query-updater tree-hop\n/,
    /query-decomposition\([\s\S]*better with: model\n/,
  ])
    assert.match(out, said);
  assert.match((await run(['list', 'retrievers'])).out, /reranked\([\s\S]*needs: reranker\n/);
});

describe('demo', () => {
  test('one search misses the last document and three hops find it, within 80 columns', async () => {
    const { out } = await succeeds(['demo']);
    assert.match(out, /fixed-top-k\(k=10\)[\s\S]*finds 2 of the 3[\s\S]*Dunmarrow Drives wins/);
    assert.deepEqual(out.match(/^hop \d/gm), ['hop 1', 'hop 2', 'hop 3']);
    assert.match(out, /^The answer.*\n {2}Dunmarrow Drives\n/m);
    for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
    assert.ok(!out.includes('\u001b'));
  });

  test('--json, and --store keeps the demo corpus', async () => {
    const words = ['demo', '--store', join(freshFolder(), 'demo')];
    const { documents, oneSearch, run: asked } = await printed(words);
    assert.deepEqual([documents, oneSearch.missing], [44, ['dunmarrow-motors']]);
    assert.equal(asked.answer.text, 'Dunmarrow Drives');
    const told = await run(words);
    assert.ok(told.err.includes(`Next: multihop ask "${BELL}" --store ${words[2]}`), told.err);
    const again = await run(['ask', BELL, '--store', words[2]!, '--answer-at', '0']);
    assert.match(again.out, /^6 December 2025\n/);
  });
});

test('--json prints the keys that the help documents', async () => {
  const trace = join(freshFolder(), 'run.jsonl');
  for (const words of [
    ['ask', KELP, '--store', store, '--trace', trace, '--budget', 'documents=1'],
    ['search', 'Fathom Prize', '--store', store, '--explain', '--filter', 'source != Touchline'],
    ['ingest', DEMO_CORPUS, '--store', store],
    ['verify', '--store', store, '--repair'],
    ['verify-trace', trace],
    ['list', 'strategies'],
    ['demo'],
  ] as const) {
    const help = (await run([words[0], '--help', 'all'])).out.replace(/\s+/g, ' ');
    const documented = /--json prints (\{.*\})/.exec(help)![1]!;
    for (const key of Object.keys(await printed(words)))
      assert.match(documented, new RegExp(`\\b${key}\\b`), words[0]);
  }
});
