/**
 * Tests the packed tarball as a user installs it: in an empty project it compiles, runs and adds no
 * dependency.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOMS } from '../tools/house/rules.ts';
import { readSourceFile } from '../tools/house/syntax.ts';
import { blocksOf, isExample } from '../tools/readme.ts';
import { epubOf } from './office-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = join(ROOT, 'README.md');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  exports: Record<string, unknown>;
};
const subpaths = Object.keys(manifest.exports).filter(subpath => subpath !== './package.json');
/** Entries that import a package which their user has, and the package. */
const OVER_PACKAGES: Readonly<Record<string, string>> = {
  './langchain': '@langchain/core',
  './mastra': '@mastra/core',
  './voltagent': '@voltagent/core',
};
const specifiers = subpaths
  .filter(subpath => !(subpath in OVER_PACKAGES))
  .map(subpath => `multihop${subpath.slice(1)}`);

const folder = mkdtempSync(join(tmpdir(), 'multihop-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules', 'multihop');
// Removes npm's script variables, which would affect the npm that is called here.
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_TEST|INIT_CWD$)/.test(name)),
  ),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
};

function run(command: string, args: readonly string[], cwd: string): string {
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 120_000 });
  assert.equal(done.status, 0, `${command} ${args.join(' ')}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

const node = (...args: string[]): string => run(process.execPath, args, project);
const script = (text: string): string => node('--input-type=module', '-e', text);
const BIN = process.platform === 'win32' ? 'multihop.cmd' : 'multihop';
const multihop = (...args: string[]): string =>
  run(join(project, 'node_modules', '.bin', BIN), args, project);

function npm(args: readonly string[], cwd: string): string {
  const script = process.env['npm_execpath'];
  return script ? run(process.execPath, [script, ...args], cwd) : run('npm', args, cwd);
}

/** Returns a Node of this machine that is too old for the package. */
function olderNode(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  return [...new Set(folders)]
    .map(path => join(path, 'node'))
    .filter(path => existsSync(path))
    .find(path => {
      const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout;
      const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
      return Number(major) < 22 || (Number(major) === 22 && Number(minor) < 13);
    });
}

/** Compiles a folder of the project with the checkout's compiler. */
function compile(
  name: string,
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>>,
): void {
  mkdirSync(join(project, name), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, name, file), text);
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
    ...options,
  };
  writeFileSync(
    join(project, name, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  );
  node(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', name);
}

const importing = (names: readonly string[]): string =>
  names.map((name, index) => `export * as room${index} from '${name}';`).join('\n');
const NODE_TYPES = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };

const PROGRAM = `
import { ask, ingest, InputError, type Trace } from 'multihop';
const documents = [
  { id: 'note', title: 'A note', text: 'Ada Lovelace wrote the first program.', source: 'The Gazette', published_at: '2024-01-02' },
  'The first program computed Bernoulli numbers.',
];
const engine = await ingest(documents);
const run = ask('Who wrote the first program?', { engine, strategy: 'iterative(rounds=2)', reader: 'evidence-only', budget: { hops: 2, ms: 5000 } });
let hops = 0;
for await (const event of run) if (event.type === 'hop') hops += event.hop.searches.length;
const trace: Trace = await run;
if (hops === 0 || trace.evidence[0]?.documentId !== 'note' || trace.answer.kind !== 'evidence') throw new Error(JSON.stringify(trace.answer));
const wrong: unknown = await ask('x', { engine, strategy: 'iterativ' }).then(() => undefined, (error: unknown) => error);
if (!InputError.is(wrong) || wrong.code !== 'unknown-strategy') throw new Error(String(wrong));
console.log('fine');
`;

/** Packs a folder of the checkout and installs it into the project. */
function packAndInstall(...from: string[]): Packed {
  const packed = pack(join(ROOT, ...from));
  npm(['install', ...OFFLINE, join(folder, packed.filename)], project);
  return packed;
}

/**
 * Most of it are the tables by which `jschardet` and `eld` tell encodings and languages apart, read
 * when one is guessed; a tenth is the documentation.
 */
const MOST_PACKED_BYTES = 2_350_000;
const TREE_HOP_PACKAGE = '@multihop/tree-hop-bge-small';
/** Keeps npm off the network and out of the user's cache. */
const OFFLINE = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Packs a folder. The build that `prepack` runs also writes to stdout; npm's report comes last. */
function pack(from: string): Packed {
  const output = npm(['pack', '--json', '--pack-destination', folder], from);
  return (JSON.parse(output.slice(output.search(/^\[\s*\{/m))) as [Packed])[0];
}

describe('package: the tarball', () => {
  let report: Packed;
  let packed: readonly string[] = [];

  before(() => {
    mkdirSync(project);
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ name: 'empty', private: true, type: 'module' }),
    );
    report = packAndInstall();
    packed = report.files.map(({ path }) => path);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('it installs alone: no dependency, no Node, no script', () => {
    const beside = readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.'));
    assert.deepEqual(beside, ['multihop']);
    assert.deepEqual(
      readdirSync(join(project, 'node_modules', '.bin')).filter(
        name => !/\.(?:cmd|ps1)$/.test(name),
      ),
      ['multihop'],
    );
    assert.equal(existsSync(join(installed, 'node_modules')), false);
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Record<string, unknown>>;
    };
    assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/multihop']);
    const {
      hasInstallScript,
      dependencies,
      optionalDependencies,
      peerDependencies,
      peerDependenciesMeta,
    } = lock.packages['node_modules/multihop']!;
    assert.deepEqual(
      [hasInstallScript, dependencies, optionalDependencies],
      [undefined, undefined, undefined],
    );
    // Heavy parts are optional peers.
    for (const name of Object.keys(peerDependencies ?? {}))
      assert.deepEqual(
        (peerDependenciesMeta as Record<string, unknown> | undefined)?.[name],
        { optional: true },
        name,
      );
  });

  test('it holds exactly the expected files', () => {
    const top = [...new Set(packed.map(path => path.split('/')[0]!))].sort();
    const expected = 'LICENSE README.md demo dist docs llms.txt package.json skills';
    assert.equal(top.join(' '), expected);
    const strange = packed.filter(
      path =>
        path.startsWith('dist/') &&
        !/\.(?:js|d\.ts)$/.test(path) &&
        path !== 'dist/THIRD-PARTY-LICENSES.txt',
    );
    assert.deepEqual(strange, []);
    assert.deepEqual(
      packed.filter(path => /\.test\.|node_modules|\.wasm$|(?:^|\/)node(?:\.exe)?$/.test(path)),
      [],
    );
    for (const subpath of subpaths) {
      const { types, default: code } = manifest.exports[subpath] as {
        types: string;
        default: string;
      };
      for (const path of [types, code]) assert.ok(packed.includes(path.slice(2)), path);
    }
  });

  test('an assistant finds every page of the documentation in it, from llms.txt', () => {
    const linked = (path: string): string[] =>
      [...readFileSync(join(installed, path), 'utf8').matchAll(/\]\(([^)#]+\.md)[^)]*\)/g)].map(
        ([, target]) => join(dirname(path), target!),
      );
    const pages = packed.filter(
      path => /^docs\/[^/]+\.md$/.test(path) && path !== 'docs/README.md',
    );
    const listed = linked('llms.txt');
    assert.deepEqual(
      pages.filter(path => !listed.includes(path)),
      [],
    );
    for (const path of listed) assert.ok(packed.includes(path), path);
    const skill = readFileSync(join(installed, 'skills/multihop/SKILL.md'), 'utf8');
    assert.match(skill, /^---\nname: multihop\ndescription: .{40,1024}\n---\n/);
  });

  test('npm would publish it with provenance', () => {
    const tarball = join(folder, report.filename);
    const words = ['publish', tarball, '--provenance', '--access', 'public', '--dry-run'];
    assert.match(npm(words, project), /^\+ multihop@/m);
  });

  test('it is at most 1 MB', t => {
    const largest = [...report.files].sort((a, b) => b.size - a.size).slice(0, 5);
    t.diagnostic(`packed ${report.size} bytes`);
    for (const { path, size } of largest) t.diagnostic(`${path} ${size} bytes`);
    assert.ok(report.size <= MOST_PACKED_BYTES, `packed ${report.size} bytes`);
  });

  test('the list of licences names every library in it', () => {
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['csv-parse', 'htmlparser2', 'markdown-it'])
      assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)`, 'm'));
  });

  test('the libraries of a format are loaded only by that format', () => {
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    // The stemmers belong to the lexical index and to no format.
    const ofFormats = /^(?!@orama\/stemmers )\S+ \d\S* \(.*?\), in (.*)$/gm;
    const holding = [...licences.matchAll(ofFormats)].flatMap(([, files]) => files!.split(', '));
    assert.ok(holding.length >= 3);
    // The command loads all else once it has checked its Node.
    const main = readFileSync(join(installed, 'dist/cli/main.js'), 'utf8');
    const loaded = /import\([`"'](\.[^`"']+)[`"']\)/.exec(main)?.[1] ?? '';
    const command = join('dist/cli', loaded);
    const entries = ['dist/index.js', 'dist/documents/index.js', command];
    const reached = new Set<string>();
    const follow = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const [, specifier] of readFileSync(path, 'utf8').matchAll(
        /\b(?:import|from)\s*["'](\.[^"'\n]+)["']/g,
      ))
        follow(join(dirname(path), specifier!));
    };
    for (const entry of entries) follow(join(installed, entry));
    assert.ok(reached.size > 2 * entries.length, `${reached.size} files`);
    for (const file of holding) {
      assert.ok(existsSync(join(installed, 'dist', file)), file);
      assert.equal(reached.has(join(installed, 'dist', file)), false, `${file} is loaded at once`);
    }
    const core = readFileSync(join(installed, 'dist/index.js'), 'utf8');
    assert.ok(core.length < 10_000, `dist/index.js has ${core.length} characters`);
  });

  test('importing it loads one file beside the entry: each costs as much as the code in it', () => {
    const core = readFileSync(join(installed, 'dist/index.js'), 'utf8');
    const imported = [...core.matchAll(/\bfrom\s*["'](\.[^"'\n]+)["']/g)].map(([, path]) => path!);
    assert.equal(imported.length, 1, imported.join());
    const next = readFileSync(join(installed, 'dist', imported[0]!), 'utf8');
    assert.doesNotMatch(next, /\bfrom\s*["']/);
  });

  test('what a browser or worker imports reaches no module of Node, not even during a run', () => {
    // A test of the source cannot see this: the build decides which files share a chunk.
    const rooms = subpaths
      .map(subpath => manifest.exports[subpath] as { browser?: string; default: string })
      .map(({ browser, default: code }) => browser ?? code)
      .filter(path => {
        const room = /^\.\/dist\/(\w+)\//.exec(path)?.[1];
        return room === undefined || (ROOMS[room] === 'pure' && room !== 'testing');
      });
    assert.ok(rooms.includes('./dist/index-browser.js') && rooms.length > 5, String(rooms));
    const reached = new Map<string, string>();
    const follow = (path: string, from: string): void => {
      if (reached.has(path)) return;
      reached.set(path, from);
      if (!path.startsWith(installed)) return;
      // The build writes names of chunks as templates.
      const code = readFileSync(path, 'utf8').replace(/\bimport\(`([^`$]*)`\)/g, "import('$1')");
      for (const { specifier } of readSourceFile(path, code).imports)
        follow(specifier.startsWith('.') ? join(dirname(path), specifier) : specifier, path);
    };
    for (const room of rooms) follow(join(installed, room), '');
    assert.ok(reached.size > 2 * rooms.length, `${reached.size} files`);
    const outside = [...reached].filter(([path]) => !path.startsWith(installed));
    assert.deepEqual(outside, []);
  });

  for (const moduleResolution of ['nodenext', 'bundler']) {
    test(`TypeScript compiles against it under ${moduleResolution}`, () => {
      const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
      compile(
        moduleResolution,
        { 'program.ts': PROGRAM, 'all.ts': importing(specifiers) },
        { module, moduleResolution, ...NODE_TYPES },
      );
    });
  }

  test('the core compiles without the types of Node', () => {
    const core = specifiers.filter(specifier => !/formats|storage/.test(specifier));
    const program = PROGRAM.replace("console.log('fine');", '');
    compile(
      'core',
      { 'program.ts': program, 'all.ts': importing(core) },
      { module: 'nodenext', lib: ['es2024', 'dom'] },
    );
  });

  test('a library that exports inferred values of it has declarations', () => {
    const rooms = specifiers.map((name, at) => `import * as room${at} from '${name}';`);
    const values = rooms.map((_, at) => `export const all${at} = { ...room${at} };`);
    const methods = `const store = await room0.openStore('x');
      export const [page, found, hits] = await Promise.all([
        store.documents({ limit: 1 }), store.retrieve('x'), store.search('x'),
      ]);
      export const [asked, added] = [store.ask('x'), store.ingest(['x'])];
      export const engine = await room0.ingest(['x']);
      export const { rejected, outputs } = (await room0.ask('x', { engine })).hops[0]!;`;
    const emits = { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: 'types' };
    compile(
      'library',
      { 'library.ts': [...rooms, ...values, methods].join('\n') },
      { module: 'nodenext', lib: ['es2024', 'dom'], ...NODE_TYPES, ...emits },
    );
  });

  test('the programs of the README compile against it', () => {
    const programs = blocksOf(readFileSync(README, 'utf8')).filter(
      block =>
        isExample(block) && block.notRun === undefined && /^ts|^typescript/.test(block.language),
    );
    const files = Object.fromEntries(programs.map(({ line, text }) => [`line-${line}.ts`, text]));
    compile(
      'readme',
      { 'nothing.ts': 'export {};', ...files },
      { module: 'nodenext', ...NODE_TYPES },
    );
  });

  test('plain JavaScript ingests and asks', () => {
    const types = /, type Trace|: (?:Trace|unknown)(?= |\))/g;
    writeFileSync(join(project, 'program.js'), PROGRAM.replace(types, ''));
    assert.equal(node('program.js'), 'fine\n');
  });

  test('every subpath imports, and exports something unless it holds types alone', () => {
    const text = `for (const name of ${JSON.stringify(specifiers)}) console.log(name, Object.keys(await import(name)).length > 0);`;
    assert.equal(
      script(text),
      specifiers.map(name => `${name} ${name !== 'multihop/types'}\n`).join(''),
    );
  });

  test('an entry over a package that is missing names the package', () => {
    const names = JSON.stringify(
      Object.keys(OVER_PACKAGES).map(name => `multihop${name.slice(1)}`),
    );
    const text = `for (const name of ${names}) await import(name).catch(({ code, message }) => console.log(code, message));`;
    const lines = script(text).trim().split('\n');
    for (const [at, name] of Object.values(OVER_PACKAGES).entries())
      assert.ok(
        lines[at]?.startsWith(`ERR_MODULE_NOT_FOUND Cannot find package '${name}'`),
        lines[at],
      );
  });

  test('tools of the AI SDK search a store of the main entry', () => {
    const text = `
      const { openStore } = await import('multihop');
      const { aiSdkTools } = await import('multihop/ai-sdk');
      await using store = await openStore('tools.store');
      await store.ingest(['The Linnet lost its engines.']);
      const { search } = aiSdkTools(store);
      console.log((await search.execute({ query: 'engines' }, {})).hits.length);`;
    assert.equal(script(text), '1\n');
  });

  test('an error is of one class whichever entry it comes from', () => {
    const text = `
      const { InputError } = await import('multihop');
      const { strategies } = await import('multihop/strategies');
      try { strategies.create('x'); } catch (error) { console.log(error instanceof InputError, error.code); }`;
    assert.equal(script(text), 'true unknown-strategy\n');
  });

  test('the command runs', () => {
    assert.equal(multihop('--version').trim(), manifest.version);
    assert.ok(JSON.parse(multihop('list', 'strategies', '--json')).members.length >= 6);
  });

  test('on an older Node the command says which one it needs', t => {
    const older = olderNode();
    if (older === undefined) return t.skip('no Node before 22.13 on this machine');
    const entry = join(installed, 'dist/cli/main.js');
    const done = spawnSync(older, [entry, 'demo'], { cwd: project, env, encoding: 'utf8' });
    assert.deepEqual([done.status, done.stdout], [1, '']);
    const needs = /^multihop needs Node 22\.13 or newer; this is Node \S+ \(.*\)\. Install .*\n$/;
    assert.match(done.stderr, needs);
  });

  test('the command needs the Node that the package declares', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const entry = readFileSync(join(installed, 'dist/cli/main.js'), 'utf8');
    assert.ok(entry.includes(engines.node.replace('>=', '')), entry);
    assert.doesNotMatch(entry, /\bfrom\s*["']\./);
  });

  test('the demo and the formats work from it', () => {
    assert.match(multihop('demo'), /Dunmarrow|hop/);
    mkdirSync(join(project, 'documents'));
    for (const [name, content] of [
      ['a.html', '<title>Bridges</title><p>The Tay bridge fell in 1879.</p>'],
      ['b.md', '# Rivers\n\nThe Tay is a river.\n'],
      ['c.csv', 'id,text\nx,The Forth is a firth.\n'],
      // Read by the process that is an entry of its own.
      ['d.epub', epubOf('<p>The Linnet is a ferry.</p>')],
    ] as const)
      writeFileSync(join(project, 'documents', name), content);
    multihop('ingest', 'documents', '--store', 'my.store');
    assert.match(multihop('search', 'Tay bridge', '--store', 'my.store'), /Bridges/);
    assert.match(multihop('search', 'Linnet', '--store', 'my.store'), /ferry/);
  });

  const TREE_HOP = `
    const { shippedTreeHop } = await import('multihop/tree-hop');
    const model = await shippedTreeHop().catch(error => error);
    if (model instanceof Error) console.log(model.code, model.message);
    else {
      const vector = () => Float32Array.from({ length: 384 }, (_, at) => Math.sin(at));
      const call = { signal: new AbortController().signal, left: () => ({}), begin() {}, keep: () => true };
      const [next] = await model.update([vector()], [vector()], call);
      console.log(model.space, next.length, next.every(Number.isFinite));
    }`;

  test('efficient-rag names the package of its weights, and works with it installed', () => {
    const ask = `
      const { openStore } = await import('multihop');
      await using store = await openStore('my.store');
      const asked = store.ask('Where is the Tay bridge?', { strategy: 'efficient-rag' });
      console.log(await asked.then(trace => trace.strategy, error => error.message));`;
    const asked = (): string => script(ask);
    assert.match(asked(), /npm install @multihop\/efficient-rag-lite/);
    packAndInstall('packages', 'efficient-rag-lite');
    assert.equal(asked(), 'efficient-rag(k=10, rounds=4)\n');
  });

  test('the default reads by words without the ranker, and by it once it is installed', () => {
    const asked = (strategy: string): string =>
      script(`
        const { openStore } = await import('multihop');
        await using store = await openStore('my.store');
        const asked = store.ask('Where is the Tay bridge?', { strategy: '${strategy}' });
        console.log(await asked.then(trace => trace.spent.rerankedPairs, error => error.message));`);
    assert.equal(asked('fact-lanes'), 'undefined\n');
    assert.match(asked('fact-lanes(reranker=ranker)'), /npm install @multihop\/ranker/);
    packAndInstall('packages', 'ranker');
    assert.match(asked('fact-lanes'), /^[1-9]/);
  });

  test('tree-hop names the package of its weights, and works with it installed', () => {
    const asked = (): string => script(TREE_HOP);
    assert.match(asked(), /^missing-weights .*npm install @multihop\/tree-hop-bge-small/);
    const weights = packAndInstall('packages', 'tree-hop-bge-small');
    assert.deepEqual(weights.files.map(({ path }) => path).sort(), [
      'LICENSE',
      'README.md',
      'package.json',
      'tree-hop.safetensors',
    ]);
    assert.equal(asked(), 'bge-small-en-v1.5 384 true\n');
    const lock = readFileSync(join(project, 'package-lock.json'), 'utf8');
    assert.ok(lock.includes(TREE_HOP_PACKAGE));
  });
});
