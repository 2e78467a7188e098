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
import { argv, DEMO_CORPUS, demoStore, freshFolder, type Result, run } from './running-command.ts';

let store = '';
before(async () => {
  store = await demoStore();
});

interface Answered {
  readonly question: { readonly text: string };
  readonly answer: { readonly kind: string; readonly text?: string; readonly reason?: string };
  readonly citations: readonly {
    readonly documentId: string;
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly source: string;
    readonly date: string;
  }[];
  readonly evidence: readonly {
    readonly documentId: string;
    readonly hop: number;
    readonly cited: boolean;
    readonly texts: readonly {
      readonly start: number;
      readonly end: number;
      readonly text: string;
    }[];
    readonly quotes: readonly { readonly text: string }[];
  }[];
  readonly spent: Record<string, number>;
  readonly stopped?: { readonly by: string; readonly limit?: string };
  readonly strategy: string;
  readonly trace: { readonly content: string; readonly line: string; readonly lines: number };
}

function object<T = Answered>({ out, err, code }: Result): T {
  assert.notEqual(out, '', `exit ${code}: ${err}`);
  return JSON.parse(out) as T;
}

const KELP =
  'Which company has hired the biologist whose survey for the Brannoch Institute showed that the kelp beds are growing back?';
/** The question that `demo --store` suggests at its end. */
const BELL =
  "On what date will the bell of the brig that was found by Orrin Wind's survey boats be shown to the public for the first time?";
const texts = new Map(
  readFileSync(DEMO_CORPUS, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .map(({ id, text }) => [id, text]),
);

describe('ingest', () => {
  test('counts added, changed and unchanged documents; a missing document stays', async () => {
    const folder = freshFolder();
    const notes = join(folder, 'notes');
    mkdirSync(notes);
    writeFileSync(join(notes, 'a.txt'), 'The ferry left at noon.');
    writeFileSync(join(notes, 'b.md'), '# Bells\n\nThe bell rang twice.');
    const args = ['ingest', notes, '--store', join(folder, 'store'), '--json'];
    const counts = async (): Promise<unknown> => {
      const { read, added, changed, unchanged, documents } = object<Record<string, number>>(
        await run(args),
      );
      return { read, added, changed, unchanged, documents };
    };
    assert.deepEqual(await counts(), { read: 2, added: 2, changed: 0, unchanged: 0, documents: 2 });
    assert.deepEqual(await counts(), { read: 2, added: 0, changed: 0, unchanged: 2, documents: 2 });
    writeFileSync(join(notes, 'a.txt'), 'The ferry left at one.');
    assert.deepEqual(await counts(), { read: 2, added: 0, changed: 1, unchanged: 1, documents: 2 });
    const { out } = await run(['ingest', join(notes, 'b.md'), '--store', join(folder, 'store')]);
    assert.match(out, /1 read, 0 added, .*; [23] in the store/);
  });

  test('skips files that hold no text, gives the reason and counts them', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'good.txt'), 'Words.');
    writeFileSync(join(folder, 'picture.bin'), new Uint8Array([0, 1, 2, 0]));
    writeFileSync(join(folder, 'latin.txt'), new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
    writeFileSync(join(folder, 'empty.txt'), '');
    writeFileSync(join(folder, 'paper.pdf'), '%PDF-1.4');
    const target = join(freshFolder(), 'store');
    const { code, out, err } = await run(['ingest', folder, '--store', target]);
    assert.equal(code, 0);
    assert.match(out, /1 read, 1 added, .*4 skipped/);
    for (const said of [
      /picture\.bin: binary/,
      /latin\.txt: not valid UTF-8/,
      /empty\.txt: empty/,
      /paper\.pdf: not a valid PDF/,
    ])
      assert.match(err, said);
    const json = object<{ skipped: { path: string; reason: string }[] }>(
      await run(['ingest', folder, '--store', target, '--json']),
    );
    assert.equal(json.skipped.length, 4);
    assert.equal((await run(['ingest', folder, '--store', target, '--quiet'])).err, '');
  });

  test('evidence names its file from the working folder, and a terminal gets a link to it', async () => {
    const folder = realpathSync(freshFolder());
    mkdirSync(join(folder, 'docs'));
    const file = join(folder, 'docs', 'pump.md');
    writeFileSync(file, '# Pump\n\n## Valves\n\nThe Alpha pump has 3 valves.\n');
    const target = join(folder, 'store');
    await run(['ingest', join(folder, 'docs'), '--store', target]);
    const args = ['ask', 'How many valves does the Alpha pump have?', '--store', target];
    const path = relative('', file);
    const shown = await run(args, { terminal: true });
    assert.ok(shown.out.includes(`\u001b]8;;${pathToFileURL(file).href}\u001b\\`), shown.out);
    assert.ok((await run(args)).out.replace(/\s+/g, '').includes(`${path}:5|`.replace(/\s+/g, '')));
    const { evidence } = object<{ evidence: { path?: string; quotes: { line: number }[] }[] }>(
      await run([...args, '--json']),
    );
    assert.deepEqual([evidence[0]?.path, evidence[0]?.quotes[0]?.line], [path, 5]);
  });

  test('counts the reasons where more files are skipped than are named', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'good.txt'), 'Words.');
    for (let at = 0; at < 18; at++) writeFileSync(join(folder, `${at}.txt`), '');
    for (const name of ['a.x', 'b.y', 'c.z']) writeFileSync(join(folder, name), 'Words.');
    const { err } = await run(['ingest', folder, '--store', join(freshFolder(), 'store')]);
    assert.match(err, /and 1 more .*Of all skipped:\n {4}18 {2}empty file\n {5}3 {2}unknown/);
  });

  test('a malformed line is skipped by name; --strict refuses it', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'lines.jsonl'), '{"text":"One."}\n{"text": two}\n');
    const args = ['ingest', folder, '--store'];
    const lenient = await run([...args, `${freshFolder()}/store`]);
    assert.equal(lenient.code, 0, lenient.err);
    assert.match(lenient.err, /skipped .*lines\.jsonl:2: not valid JSON at line 2, column 10/);
    assert.match(lenient.out, /1 read, 1 added, .* 1 skipped/);
    const strict = await run([...args, `${freshFolder()}/store`, '--strict']);
    assert.equal(strict.code, 2);
    assert.match(strict.err, /lines\.jsonl.* is not valid JSON at line 2, column 10/);
  });

  test('a wrong path, format, chunker or empty corpus leaves no store behind', async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'bad.json'), '[{"text": "x",]');
    const target = join(folder, 'store');
    const cases: readonly (readonly [string[], RegExp])[] = [
      [[join(folder, 'nothing')], /no file or folder .*nothing/],
      [[join(folder, 'empty')], /No document in .*empty/],
      [[join(folder, 'bad.json')], /bad\.json.*line 1|bad\.json:1/],
      [[DEMO_CORPUS, '--format', 'jsnl'], /no format "jsnl".*jsonl/],
      [[DEMO_CORPUS, '--chunker', 'token'], /Unknown chunker "token".*Did you mean tokens/],
      [[], /PATH is missing/],
    ];
    for (const [words, says] of cases) {
      const { code, err } = await run(['ingest', ...words, '--store', target]);
      assert.equal(code, 2, err);
      assert.match(err, says);
      assert.equal(existsSync(target), false, words.join(' '));
    }
  });

  test('a store inside the folder that is read is refused before it is created', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'a.txt'), 'One.');
    for (const [path, target] of [
      [folder, join(folder, 'store')],
      [`${folder}/`, `${folder}/deep/er/../store`],
      [folder, folder],
    ] as const) {
      const { code, err } = await run(['ingest', path, '--store', target]);
      assert.equal(code, 2);
      assert.match(err, /lies inside/);
    }
    assert.deepEqual(readdirSync(folder), ['a.txt']);
    assert.equal(
      (await run(['ingest', join(folder, 'a.txt'), '--store', join(folder, 'store')])).code,
      0,
    );
  });

  test('a chunker other than the store’s is refused', async () => {
    const { code, err } = await run(argv`ingest ${DEMO_CORPUS} --store ${store} --chunker whole`);
    assert.equal(code, 2);
    assert.match(err, /expected tokens\(size=256, overlap=32\), received whole/);
  });
});

describe('ask', () => {
  test('prints the answer, the evidence with its sentences, and the cost', async () => {
    // The curves of probability are data that are fitted anew; the threshold is below all of them.
    const words = ['ask', BELL, '--store', store, '--answer-at', '0.1'];
    const { code, out, err } = await run(words);
    assert.equal(code, 0);
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
    const folder = freshFolder();
    const steps = Array.from({ length: 30 }, (_, step) => `- Screw ${step}`);
    writeFileSync(join(folder, 'pump.md'), `# Pump\n\n## Valve repair\n\n${steps.join('\n')}\n`);
    const target = join(folder, 'store');
    await run(['ingest', join(folder, 'pump.md'), '--store', target]);
    const strategy = ['--strategy', 'fixed-top-k', '--retriever', 'lexical(unit=passage)'];
    const args = ['ask', 'How is the valve repaired?', '--store', target, ...strategy];
    const shown = await run(args, { terminal: true, env: { NO_COLOR: '1' } });
    assert.match(shown.out, /^ {6}… \d+ more lines \(--all\)$/m);
    for (const whole of [await run(args), await run([...args, '--all'], { terminal: true })]) {
      assert.doesNotMatch(whole.out, /more lines/);
      for (const step of steps) assert.ok(whole.out.includes(step), whole.out);
    }
  });

  test('--json: one object whose texts and quotes occur in the documents', async () => {
    const result = object(
      await run(argv`ask ${KELP} --store ${store} --strategy iterative(rounds=3)
      --reader extractive --json`),
    );
    assert.deepEqual(Object.keys(result).slice(0, 4), [
      'question',
      'answer',
      'citations',
      'evidence',
    ]);
    assert.equal(result.question.text, KELP);
    assert.equal(result.strategy, 'iterative(rounds=3)');
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
      for (const { text } of quotes) assert.ok(kept.some(part => part.text.includes(text)));
    }
    assert.match(result.trace.content, /^[0-9a-f]{64}$/);
  });

  test('--trace writes the lines of --jsonl, sealed; verify-trace and --head agree', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    const { code, out } = await run(['ask', KELP, '--store', store, '--jsonl', '--trace', file]);
    assert.equal(code, 0);
    assert.equal(out, readFileSync(file, 'utf8'));
    const verified = verifyTrace(out, sha256);
    assert.ok(verified.ok);
    assert.deepEqual(
      verified.events.map(({ type }) => type).filter(type => type !== 'hop'),
      ['question', 'context', 'answer', 'end'],
    );
    const sound = await run(['verify-trace', file, '--head', verified.heads.content]);
    assert.equal(sound.code, 0);
    assert.match(sound.out, /^sound/);
    const json = object<{ ok: boolean; heads: unknown }>(
      await run(['verify-trace', file, '--json', '--head', verified.heads.line]),
    );
    assert.deepEqual(json.heads, verified.heads);
    assert.equal((await run(['verify-trace', file, '--head', '0'.repeat(64)])).code, 1);
  });

  test('a trace that was rewritten as a whole against a law is refused, and the law is named', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    const { out } = await run(['ask', KELP, '--store', store, '--jsonl']);
    const { events } = verifyTrace(out, sha256);
    const at = events.findIndex(({ type }) => type === 'context');
    const context = events[at] as Extract<TraceEvent, { type: 'context' }>;
    const rewritten = events.with(at, { ...context, evidence: context.evidence.slice(1) });
    writeFileSync(file, sealEvents(rewritten, sha256));
    const told = await run(['verify-trace', file]);
    assert.equal(told.code, 1);
    assert.match(
      told.out,
      /^not sound: .*run\.jsonl:\d+: the law "evidence" is broken: evidence\[0\]: /,
    );
    const {
      ok,
      at: line,
      law,
      where,
    } = object<Record<string, unknown>>(await run(['verify-trace', file, '--json']));
    assert.deepEqual([ok, line, law, where], [false, at + 1, 'evidence', 'evidence[0]']);
    assert.equal((await run(['replay', file])).code, 2);
  });

  test('a changed, truncated, extended or reordered trace is not sound', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    await run(['ask', KELP, '--store', store, '--trace', file]);
    const good = readFileSync(file, 'utf8');
    const lines = good.split('\n');
    const swapped = [lines[1], lines[0], ...lines.slice(2)].join('\n');
    const bad = [
      good.replace('Brightwater', 'Blackwater'),
      `${lines.slice(0, -2).join('\n')}\n`,
      good.slice(0, -1),
      `${good}${lines[0]}\n`,
      swapped,
      '',
      'no trace\n',
    ];
    for (const text of bad) {
      writeFileSync(file, text);
      const { code, out } = await run(['verify-trace', file]);
      assert.equal(code, 1);
      assert.match(out, /^not sound: .*run\.jsonl:\d+: /);
    }
  });

  test('prints hops on stderr as they come, with --explain or --verbose alone', async () => {
    const plain = await run(['ask', KELP, '--store', store], { terminal: true });
    assert.doesNotMatch(plain.err, /hop 1|asked/);
    const watched = await run(
      ['ask', KELP, '--store', store, '--strategy', 'iterative(rounds=3)', '--explain'],
      {
        terminal: true,
        env: { NO_COLOR: '1' },
      },
    );
    assert.deepEqual(watched.err.match(/^hop \d/gm), ['hop 1', 'hop 2']);
    assert.match(watched.err, /^ {2}asked /m);
    assert.match(watched.err, /^ {2}kept /m);
    assert.match((await run(['ask', KELP, '--store', store, '--verbose'])).err, /^hop 1/m);
    assert.equal(
      (await run(['ask', KELP, '--store', store, '--quiet'], { terminal: true })).err,
      '',
    );
    assert.equal(
      (await run(['ask', KELP, '--store', store, '--json'], { terminal: true })).err,
      '',
    );
  });

  test('a limit that ends the run: exit 3, and the partial result is printed', async () => {
    const { code, out } = await run(argv`ask ${KELP} --store ${store} --strategy iterative(rounds=3)
      --budget retrievals=1`);
    assert.equal(code, 3);
    assert.match(out, /Stopped by the limit on retrievals/);
    assert.match(out, /Evidence/);
    const result = object(
      await run(['ask', KELP, '--store', store, '--budget', 'documents=0', '--json']),
    );
    assert.deepEqual(result.stopped, { by: 'limit', limit: 'documents' });
    assert.equal(result.answer.kind, 'abstained');
    assert.equal((await run(['ask', KELP, '--store', store, '--budget', 'ms=0'])).code, 3);
  });

  test('an abstention gives its reason and exits with 0', async () => {
    const { code, out } = await run(['ask', 'Zzyzx qwfp arst?', '--store', store]);
    assert.equal(code, 0);
    assert.match(out, /^No answer: \w/);
  });

  test('a filter applies to every hop', async () => {
    const filter = 'source = "Tidewater Business" and published_at >= 2025-10-01';
    const result = object(
      await run(argv`ask ${KELP} --store ${store} --filter ${filter}
      --strategy iterative(rounds=3) --json`),
    );
    const { source } = {
      source: new Set(result.evidence.map(item => (item as unknown as { source: string }).source)),
    };
    assert.deepEqual([...source], ['Tidewater Business']);
  });

  test('withholds an answer below --answer-at, and names the candidates', async () => {
    const words = ['ask', BELL, '--store', store, '--answer-at', '0.99'];
    const { code, out } = await run(words);
    assert.equal(code, 0);
    assert.match(
      out,
      /^No answer above 0\.99\nCandidates: 6 December 2025 \(probability 0\.\d\d\)/,
    );
    assert.match(out, /^Evidence/m);
    const result = object<Record<string, unknown>>(await run([...words, '--json']));
    assert.deepEqual([result['answer'], result['below']], [null, 0.99]);
    assert.equal((result['candidates'] as { text: string }[])[0]!.text, '6 December 2025');
    assert.ok((result['probability'] as number) < 0.99);
    for (const wrong of ['2', '-1', 'often', ' '])
      assert.equal((await run(['ask', BELL, '--store', store, `--answer-at=${wrong}`])).code, 2);
  });

  test('reads the question from stdin; empty stdin is an empty question', async () => {
    const words = ['ask', '-', '--store', store, '--answer-at', '0'];
    const { out } = await run(words, { stdin: `${BELL}\n` });
    assert.match(out, /^6 December 2025\n/);
    assert.equal((await run(['ask', '-', '--store', store], { stdin: '\n' })).code, 2);
  });

  test('an interrupt ends the run with its trace sealed', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    const { code, out, err } = await run(['ask', KELP, '--store', store, '--trace', file], {
      signal: AbortSignal.abort(new DOMException('Interrupted', 'AbortError')),
    });
    assert.equal(code, 130, err);
    assert.match(out, /No answer: .*aborted/);
    assert.ok(verifyTrace(readFileSync(file, 'utf8'), sha256).ok);
  });

  test('a trace that cannot be written is a failure; a refused question leaves an older trace unchanged', async () => {
    const { code, err } = await run(argv`ask ${KELP} --store ${store}
      --trace ${join(freshFolder(), 'no', 'such', 'folder')}`);
    assert.equal(code, 1);
    assert.match(err, /trace .* cannot be written/);
    const file = join(freshFolder(), 'old.jsonl');
    writeFileSync(file, 'old');
    await run(['ask', KELP, '--store', store, '--trace', file, '--strategy', 'nothing']);
    assert.equal(readFileSync(file, 'utf8'), 'old');
  });

  test('an empty store gives a warning and an abstention', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'a.txt'), 'One.');
    const empty = join(folder, 'store');
    await run(['ingest', join(folder, 'a.txt'), '--store', empty]);
    assert.match(
      (await run(['remove', 'a.txt', '--store', empty])).out,
      /1 removed; 0 in the store/,
    );
    const { code, out, err } = await run(['ask', 'What?', '--store', empty]);
    assert.equal(code, 0);
    assert.match(err, /holds no documents/);
    assert.match(out, /No answer/);
  });
});

describe('search', () => {
  test('prints hits in order with a sentence each; --json; the parts of --explain add up to the score', async () => {
    const { code, out } = await run(['search', 'Fathom Prize winner', '--store', store, '-k', '3']);
    assert.equal(code, 0);
    assert.match(out, /^ {2}1\. +\d+\.\d{3} {2}Fathom Prize for Ilse Tarrandine/);
    interface DetectedFormat {
      retriever: string;
      hits: {
        rank: number;
        score: number;
        documentId: string;
        explanation?: { value: number; parts: { value: number }[] };
      }[];
    }
    for (const retriever of [
      'lexical',
      'lexical(s1)',
      'lexical(bm25(k1=0.9, b=0.4), unit=passage)',
      'lexical(unit=sentence)',
    ]) {
      const found = object<DetectedFormat>(
        await run(argv`search ${'Fathom Prize winner'} --store ${store}
      --retriever ${retriever} --explain --json -k 4`),
      );
      assert.equal(found.hits.length, 4, retriever);
      for (const { score, explanation } of found.hits)
        assert.equal(explanation!.value, score, retriever);
      assert.deepEqual(
        [...found.hits].sort((a, b) => b.score - a.score),
        found.hits,
      );
    }
  });

  test('a filter is applied before the hits are counted', async () => {
    const found = object<{ hits: { source: string; date: string }[]; filter: string }>(
      await run(argv`search ${'the company'} --store ${store}
      --filter ${'source in ("Tidewater Business", Touchline) and published_at < 2025-11-01'}
      --json -k 5`),
    );
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

describe('verify', () => {
  test('sound, damaged index, repair, damaged documents', async () => {
    const copied = await demoStore();
    const args = ['verify', '--store', copied];
    const digest = object<{ digest: string }>(await run([...args, '--json'])).digest;
    assert.match((await run(args)).out, /The store is sound/);
    const index = readdirSync(copied).find(name => name.startsWith('index-document.plain'))!;
    const bytes = readFileSync(join(copied, index));
    bytes[bytes.length - 40]! ^= 1;
    writeFileSync(join(copied, index), bytes);
    const before = (await run(['ask', KELP, '--store', store])).out.split('\n').slice(0, -2);
    const asked = await run(['ask', KELP, '--store', copied]);
    assert.match(asked.err, /warning: .*index-document\.plain.*damaged/);
    assert.deepEqual(asked.out.split('\n').slice(0, -2), before);
    const damaged = await run(args);
    assert.equal(damaged.code, 3);
    assert.match(damaged.out, /damaged .*index-document[\s\S]*--repair/);
    const repaired = object<{ ok: boolean; repaired: boolean; digest: string }>(
      await run([...args, '--repair', '--json']),
    );
    assert.deepEqual([repaired.ok, repaired.repaired, repaired.digest], [true, true, digest]);
    const documents = readdirSync(copied).find(name => name.startsWith('documents-'))!;
    writeFileSync(join(copied, documents), readFileSync(join(copied, documents)).subarray(0, 100));
    const lost = await run([...args, '--repair']);
    assert.equal(lost.code, 4);
    assert.match(lost.out, /Documents are lost/);
    const refused = await run(['ask', KELP, '--store', copied]);
    assert.equal(refused.code, 4);
    assert.match(refused.err, new RegExp(documents));
  });
});

describe('list', () => {
  test('lists every family as text and as JSON, with parameters, needs, paper and cost', async () => {
    const names = object<Record<string, string[]>>(await run(['list', '--json']));
    assert.deepEqual(
      names['strategies'],
      strategies.members.map(({ name }) => name),
    );
    for (const kind of Object.keys(names)) {
      const { code, out } = await run(['list', kind]);
      assert.equal(code, 0, kind);
      for (const name of names[kind]!) assert.ok(out.includes(name), `${kind}: ${name}`);
      const listed = object<{ kind: string; members: { name: string; summary: string }[] }>(
        await run(['list', kind, '--json']),
      );
      assert.deepEqual(
        listed.members.map(({ name }) => name),
        names[kind],
      );
      for (const { summary } of listed.members) assert.match(summary, /\w/);
    }
    const { out } = await run(['list', 'strategies']);
    assert.match(out, /budgeted-agent\(tokens=620, calls=4\)[\s\S]*cost: /);
    assert.match(out, /rounds=2 .*\(a whole number from 1 to 50\)/);
    assert.match(out, /tree-hop\([\s\S]*needs: query-updater tree-hop\n/);
    assert.match(out, /query-decomposition\([\s\S]*better with: model\n/);
    assert.match((await run(['list', 'retrievers'])).out, /reranked\([\s\S]*needs: reranker\n/);
  });
});

describe('demo', () => {
  test('one search misses the last document and three hops find it, within 80 columns', async () => {
    const { code, out } = await run(['demo']);
    assert.equal(code, 0);
    assert.match(out, /fixed-top-k\(k=10\)[\s\S]*finds 2 of the 3[\s\S]*Dunmarrow Drives wins/);
    assert.deepEqual(out.match(/^hop \d/gm), ['hop 1', 'hop 2', 'hop 3']);
    assert.match(out, /^The answer.*\n {2}Dunmarrow Drives\n/m);
    for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
    assert.ok(!out.includes('\u001b'));
  });

  test('--json, and --store keeps the demo corpus', async () => {
    const folder = join(freshFolder(), 'demo');
    const result = object<{ documents: number; oneSearch: { missing: string[] }; run: Answered }>(
      await run(['demo', '--store', folder, '--json']),
    );
    assert.equal(result.documents, 44);
    assert.deepEqual(result.oneSearch.missing, ['dunmarrow-motors']);
    assert.equal(result.run.answer.text, 'Dunmarrow Drives');
    const told = await run(['demo', '--store', folder]);
    assert.ok(told.err.includes(`Next: multihop ask "${BELL}" --store ${folder}`), told.err);
    const again = await run(['ask', BELL, '--store', folder, '--answer-at', '0']);
    assert.match(again.out, /^6 December 2025\n/);
  });
});

describe('--json', () => {
  test('prints the keys that the help documents', async () => {
    const trace = join(freshFolder(), 'run.jsonl');
    const runs: readonly string[][] = [
      ['ask', KELP, '--store', store, '--trace', trace, '--budget', 'documents=1'],
      ['search', 'Fathom Prize', '--store', store, '--explain', '--filter', 'source != Touchline'],
      ['ingest', DEMO_CORPUS, '--store', store],
      ['verify', '--store', store, '--repair'],
      ['verify-trace', trace],
      ['list', 'strategies'],
      ['demo'],
    ];
    for (const words of runs) {
      const help = (await run([words[0]!, '--help'])).out.replace(/\s+/g, ' ');
      const documented = /--json prints (\{.*\})/.exec(help)![1]!;
      const keys = Object.keys(object<object>(await run([...words, '--json'])));
      for (const key of keys) assert.match(documented, new RegExp(`\\b${key}\\b`), words[0]);
    }
  });
});
