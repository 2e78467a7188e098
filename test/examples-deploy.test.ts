/**
 * Tests the files of `examples/deploy` against the schemas of Compose and Kubernetes, and against
 * the options, routes and times of the server that they name.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commands } from '../src/cli/commands.ts';
import { GLOBAL_OPTIONS } from '../src/cli/option.ts';
import { TOKEN_VARIABLE } from '../src/cli/server-options.ts';
import { OWN_ROUTES } from '../src/server/app.ts';
import { STREAM_LIMITS } from '../src/server/event-stream.ts';
import { DEFAULT_PORT } from '../src/server/open-server.ts';
import { PACKAGE } from './running-command.ts';

// biome-ignore lint/suspicious/noExplicitAny: the files have the shapes that their schemas state
type Parsed = any;

const installed = join(PACKAGE, 'runtimes-test', 'node_modules');
const load = (name: string): Parsed => createRequire(join(installed, 'x.js'))(name);
const skip =
  !existsSync(join(installed, 'kubernetes-models')) &&
  'needs the schemas (npm ci --prefix runtimes-test)';
const textOf = (name: string): string =>
  readFileSync(join(PACKAGE, 'examples', 'deploy', name), 'utf8');

/** Names of a schema that a validator compiled from it never looks up are unknown to the schema. */
function watched(value: Parsed, at: string, unknown: Set<string>): Parsed {
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    const path = `${at}/${name}`;
    if (!Array.isArray(value)) unknown.add(path);
    return [name, watched(part, path, unknown)] as const;
  });
  const copy = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  return new Proxy(copy, {
    get(target: Parsed, name) {
      unknown.delete(`${at}/${String(name)}`);
      return target[name];
    },
  });
}

/** Returns what the schema of its kind refuses in a manifest. */
function faultsOf(manifest: Parsed): string[] {
  const { apiVersion, kind } = manifest;
  const Model = load(`kubernetes-models/${apiVersion}/${kind}`)[kind];
  const unknown = new Set<string>();
  try {
    Model.prototype.validate.call(watched(manifest, '', unknown));
  } catch (error) {
    return [String((error as Error).message)];
  }
  return [...unknown];
}

const manifests = (): Parsed[] =>
  load('yaml')
    .parseAllDocuments(textOf('kubernetes.yaml'))
    .map((one: Parsed) => one.toJS());
const services = (): Parsed => load('yaml').parse(textOf('compose.yaml')).services;
const container = (): Parsed =>
  manifests().find(({ metadata }) => metadata.name === 'multihop').spec.template.spec;
const seconds = (text: string): number => Number(/^(\d+)s$/.exec(text)![1]);

describe('the files of examples/deploy', { skip }, () => {
  test('are what Compose and Kubernetes take', () => {
    const schema = JSON.parse(
      readFileSync(join(installed, 'dclint/schemas/compose.schema.json'), 'utf8'),
    );
    const Ajv = load('ajv').default;
    const check = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).compile(
      schema,
    );
    const compose = load('yaml').parse(textOf('compose.yaml'));
    assert.ok(check(compose), JSON.stringify(check.errors));
    assert.equal(check({ ...compose, servces: {} }), false, 'a wrong name is seen');
    for (const manifest of manifests()) assert.deepEqual(faultsOf(manifest), []);
  });

  test('a wrong name or value anywhere in a manifest is seen', () => {
    const [deployment] = manifests();
    const wrong = (change: (spec: Parsed) => void): string[] => {
      const copy = structuredClone(deployment);
      change(copy.spec.template.spec);
      return faultsOf(copy);
    };
    assert.deepEqual(
      wrong(({ containers }) => (containers[0].readinesProbe = {})),
      ['/spec/template/spec/containers/0/readinesProbe'],
    );
    assert.match(
      wrong(({ containers }) => (containers[0].ports[0].containerPort = 'http'))[0]!,
      /containerPort must be integer/,
    );
  });

  test('name commands and options that exist', async () => {
    const pod = container().containers[0];
    for (const [command, ...words] of [
      services().multihop.command,
      services().ingest.command,
      pod.args,
    ]) {
      const entry = commands.find(({ name }) => name === command);
      const { options } = (await entry!.load()).command;
      const known = [...options, ...GLOBAL_OPTIONS].map(({ name }) => `--${name}`);
      const named = words.filter((word: string) => word.startsWith('--'));
      assert.deepEqual(
        named.filter((word: string) => !known.includes(word)),
        [],
      );
    }
    assert.ok(TOKEN_VARIABLE in services().multihop.environment);
    const environment = pod.env.map(({ name }: Parsed) => name);
    assert.deepEqual(environment, [TOKEN_VARIABLE, 'MULTIHOP_ENGINE_PASSWORD']);
  });

  test('probe routes that need no token, at the port of the server', () => {
    const pod = container().containers[0];
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
      name => pod[name].httpGet.path as string,
    );
    assert.deepEqual(probes, ['/health', '/ready', '/health']);
    const proxy = textOf('haproxy.cfg');
    const checked = [
      ...probes,
      /uri (\S+)/.exec(proxy)![1]!,
      new URL(/http:[^']+/.exec(services().multihop.healthcheck.test[3])![0]).pathname,
    ];
    for (const path of checked)
      assert.deepEqual(OWN_ROUTES[path as keyof typeof OWN_ROUTES], {
        access: 'open',
        limited: false,
      });
    assert.equal(pod.ports[0].containerPort, DEFAULT_PORT);
    assert.match(proxy, new RegExp(`SERVERS}:${DEFAULT_PORT}"`));
  });

  test('leave runs the time that the server gives them', async () => {
    const { command } = await commands.find(({ name }) => name === 'serve')!.load();
    const grace = Number(command.options.find(({ name }) => name === 'grace')!.default);
    const pod = container();
    const pause = Number(pod.containers[0].lifecycle.preStop.exec.command[1]);
    assert.ok(pod.terminationGracePeriodSeconds > pause + grace);
    assert.ok(seconds(services().multihop.stop_grace_period) > grace);
    const proxy = textOf('haproxy.cfg');
    const waits = [...proxy.matchAll(/timeout (?:client|server) (\S+)/g)].map(([, time]) => time!);
    assert.equal(waits.length, 2);
    for (const time of waits) assert.ok(seconds(time) > STREAM_LIMITS.mostMs / 1000);
  });

  test('install packages that multihop takes', () => {
    const { peerDependencies, engines, version } = JSON.parse(
      readFileSync(join(PACKAGE, 'package.json'), 'utf8'),
    );
    const text = textOf('Dockerfile');
    const packages = [...text.matchAll(/ (@?[a-z][\w/-]*)@([\d.]+)/g)].map(([, name, range]) => [
      name,
      range,
    ]);
    assert.ok(packages.length > 3);
    for (const [name, range] of packages) {
      const wanted = name === 'multihop' ? version : peerDependencies[name!];
      assert.match(wanted, new RegExp(`^\\^?${range!.replaceAll('.', '\\.')}\\.`), name);
    }
    const [, node] = /node:(\d+)/.exec(text)!;
    assert.ok(Number(node) >= Number.parseInt(engines.node.slice(2), 10));
  });
});
