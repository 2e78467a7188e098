// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finds control characters
/** Tests `multihop chat` with a pipe of questions. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { openStore } from '../src/index.ts';
import {
  argv,
  demoStore,
  freshFolder,
  printed,
  type Result,
  run,
  succeeds,
} from './running-command.ts';

const FOUNDER = 'Who founded Dunmarrow Drives?';
const LAID_UP = 'Which ship is being refitted at Oddle?';

let store = '';
before(async () => {
  store = await demoStore();
});

const piped = (lines: readonly string[], ...more: string[]): Promise<Result> =>
  run(['chat', '--store', store, ...more], { stdin: lines.join('\n') });

const records = ({ out }: Result): Record<string, unknown>[] =>
  out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);

describe('a pipe of questions', () => {
  test('is answered in order on stdout, with hops on stderr', async () => {
    const stdin = `${FOUNDER}\n\n/strategy iterative(rounds=2)\r\n${LAID_UP}\n`;
    const { out, err } = await succeeds(['chat', '--store', store], { stdin });
    const [first, second] = [out.indexOf(`> ${FOUNDER}`), out.indexOf(`> ${LAID_UP}`)];
    assert.ok(first === 0 && second > first, out);
    assert.match(out.slice(first, second), /Petra Quill\nProbability 0\.9\d\nSupport 0\.\d\d\n/);
    assert.match(out.slice(first, second), /Evidence\n\* +\d+\. .*\n(?:.*\n)*? +» .*Petra Quill/);
    const hops = err.split('\n').filter(line => line.startsWith('hop '));
    assert.equal(hops.filter(line => line.startsWith('hop 1  “')).length, 2, err);
    assert.match(
      hops[0]!,
      /^hop 1 {2}“Who founded Dunmarrow Drives\?”.* -> \d+ of \d+: .*; \d+ search/,
    );
    assert.match(err, /Strategy: iterative\(rounds=2\)/);
  });

  test('a hop says what is left of the budget', async () => {
    const words = argv`--strategy iterative(rounds=3) --budget documents=9,hops=7,ms=60000`;
    const { code, err } = await piped([FOUNDER], ...words);
    assert.equal(code, 0);
    const left = [
      ...err.matchAll(/^hop \d+ .*; (\d+ hops, \d+ documents), (?:1 min 0 s|5[\d.]+ s) left$/gm),
    ].map(([, counts]) => counts);
    // The second hop keeps nothing.
    assert.deepEqual(left, ['6 hops, 7 documents', '5 hops, 7 documents'], err);
  });

  test('the exit code is that of the worst line, and the lines after it run', async () => {
    const limited = await piped([`/budget hops=0`, FOUNDER, '/budget none', FOUNDER]);
    assert.equal(limited.code, 3);
    assert.match(limited.out, /Stopped by the limit on hops/);
    assert.match(limited.out, /Petra Quill/);
    const wrong = await piped(['/budget hops=0', FOUNDER, '/strategi', '/budget', FOUNDER]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /Unknown command "\/strategi".*\/strategy/);
    assert.match(wrong.err, /Budget: hops=0\n/);
    assert.equal(wrong.out.split('Stopped by the limit').length, 3);
  });

  test('/quit ends it, and nothing after it runs', async () => {
    const { code, out } = await piped(['/quit', FOUNDER]);
    assert.deepEqual([code, out], [0, '']);
  });

  test('a wrong strategy is refused by name, and the old one stays', async () => {
    const { code, err } = await piped(['/strategy itertive', '/strategy']);
    assert.equal(code, 2);
    assert.match(err, /Unknown strategy "itertive".*Did you mean iterative/);
    assert.match(err, /Strategy: fact-lanes/);
  });

  test('invalid UTF-8 is refused', async () => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array([0x57, 0xff, 0x0a]);
    }
    const { main } = await import('../src/cli/command-line.ts');
    let err = '';
    const code = await main(['chat', '--store', store], {
      stdout: { write: () => {} },
      stderr: { write: (text: string) => (err += text) },
      stdin: bytes(),
    });
    assert.equal(code, 2);
    assert.match(err, /no UTF-8/);
  });
});

describe('what is shown of the last run', () => {
  test('/trace, /sources and /save', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    const lines = [FOUNDER, '/trace', '/sources', `/save ${file}`];
    const { code, out, err } = await piped(lines, '--strategy', 'iterative(rounds=2)');
    assert.equal(code, 0, err);
    assert.match(out, /^hop 1$/m);
    assert.match(out, /^hop 2 {2}\S/m);
    assert.match(out, /^ {2}found {2}30 documents by lexical$/m);
    // A passage in full, which no answer quotes.
    assert.match(out, /Dunmarrow employs 34 people in a former cannery/);
    const verified = await succeeds(['verify-trace', file]);
    assert.match(verified.out, /sound/);
  });

  test('/save writes no file over', async () => {
    const file = join(freshFolder(), 'kept.txt');
    writeFileSync(file, 'kept');
    const { code, err } = await piped([FOUNDER, `/save ${file}`, '/save /proc/no/such']);
    assert.match(err, /There is a file .* already/);
    assert.match(err, /cannot be written/);
    assert.equal(code, 1);
    assert.equal(readFileSync(file, 'utf8'), 'kept');
    assert.ok(!existsSync('/proc/no/such'));
  });

  test('before a first run there is nothing to show', async () => {
    const { code, err } = await piped(['/trace', '/sources', '/save x.jsonl']);
    assert.equal(code, 2);
    assert.equal(err.split('No question was asked yet').length, 4);
  });

  test('/help lists every command, and says what becomes of a follow-up', async () => {
    const { out } = await piped(['/help']);
    for (const name of ['help', 'trace', 'sources', 'new', 'strategy', 'budget', 'save', 'quit'])
      assert.match(out, new RegExp(`^  /${name}\\b`, 'm'));
    assert.match(out, /^A follow-up .* is asked as a question that stands\nalone/m);
  });
});

describe('a follow-up', () => {
  test('is asked as a question that stands alone, which is shown before its answer', async () => {
    const { out, err } = await piped(
      [FOUNDER, 'Which ships did it build?', '/trace'],
      '--follow-ups',
    );
    const second = out.slice(out.indexOf('> Which ships did it build?'));
    assert.match(second, /^> .*\nAsked \(by rules\): Which ships did Dunmarrow Drives build\?\n/);
    assert.match(err, /hop 1 {2}“Which ships did Dunmarrow Drives build\?”/);
  });

  test('is asked as it stands where the rules are unsure, and says why', async () => {
    const { out } = await piped([FOUNDER, 'What about the second one?'], '--follow-ups');
    assert.match(out, /\nAsked as it stands: it does not say what it is about\n/);
  });

  test('is none in a pipe of its own: each line stands alone', async () => {
    const [, second] = records(await piped([FOUNDER, 'Which ships did it build?'], '--json'));
    assert.equal((second!['question'] as { text: string }).text, 'Which ships did it build?');
    assert.equal(second!['followUp'], undefined);
  });

  test('is none on the first line, nor behind /new', async () => {
    const { out, err } = await piped(
      ['When was it founded?', FOUNDER, '/new', 'When was it built?'],
      '--follow-ups',
    );
    assert.doesNotMatch(out, /^Asked/m);
    assert.match(err, /A new conversation begins/);
  });

  test('stands in the record beside the question that is asked', async () => {
    const [first, second] = records(
      await piped([FOUNDER, 'Which ships did it build?'], '--json', '--follow-ups'),
    );
    assert.equal(first!['followUp'], undefined);
    assert.deepEqual(second!['question'], {
      id: 'question',
      text: 'Which ships did Dunmarrow Drives build?',
    });
    assert.deepEqual(second!['followUp'], {
      asked: 'Which ships did it build?',
      by: 'rules',
      turns: 1,
      of: 1,
      spent: {},
    });
  });
});

describe('--json', () => {
  test('prints one record a question on one line, the object of ask', async () => {
    const chat = await piped([FOUNDER, LAID_UP], '--json');
    const [first, second, ...none] = records(chat);
    assert.deepEqual([chat.code, none, chat.err], [0, [], '']);
    const object = await printed(['ask', FOUNDER, '--store', store]);
    // Times differ, and with them the head of the lines.
    const shown = ({ ms: _, trace, ...rest }: Record<string, unknown>): unknown => ({
      ...rest,
      content: (trace as { content: string }).content,
    });
    assert.deepEqual(shown(first!), shown(object));
    assert.equal((second!['question'] as { text: string }).text, LAID_UP);
  });

  test('a question that fails has a record too', async () => {
    const long = 'x'.repeat(9000);
    const chat = await piped([long, FOUNDER], '--json');
    assert.equal(chat.code, 2);
    const [failed, answered] = records(chat);
    const { question, error, exit } = failed as Record<string, Record<string, string>>;
    assert.deepEqual([question!['text'], error!['code'], exit], [long, 'long-question', 2]);
    assert.equal((answered!['answer'] as { text: string }).text, 'Petra Quill');
  });

  test('commands that print text are refused', async () => {
    const { code, out, err } = await piped(['/help'], '--json');
    assert.deepEqual([code, out], [2, '']);
    assert.equal(JSON.parse(err).error.code, 'bad-chat-command');
  });
});

describe('texts of documents', () => {
  const EVIL = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e';

  test('reach no terminal as instructions', async () => {
    const folder = join(freshFolder(), 'evil.store');
    {
      await using made = await openStore(folder);
      await made.ingest([
        {
          id: `evil${EVIL}`,
          title: `The ${EVIL}Linnet`,
          text: `The Linnet lost${EVIL} its engines at Cold${EVIL} Bay. Cold Bay is cold.`,
          source: `Harbour${EVIL} Ledger`,
        },
      ]);
    }
    const lines = ['Where did the Linnet lose its engines?', '/trace', '/sources', `/x${EVIL}`];
    const words = ['chat', '--store', folder, '--answer-at', '0'];
    const shown = await run(words, { stdin: lines.join('\n'), terminal: true });
    assert.match(shown.out, /Linnet/);
    for (const text of [shown.out, shown.err]) {
      const rest = text.replace(/\u001b\[(?:1|2|22|31|32|33|36|39)m|\r\u001b\[K/g, '');
      assert.doesNotMatch(rest, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
    const json = await run([...words, '--json'], { stdin: lines[0]! });
    assert.doesNotMatch(json.out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});
