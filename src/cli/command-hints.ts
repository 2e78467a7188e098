/** Words the hints of errors and warnings in options of the command line. */
import type { Remedy } from '../core/errors.ts';

type Hint = (name: string) => string;

const fileOf = (name: string): string => (name === '' ? 'FILE' : `${name}=FILE`);

/** The hints by remedy; hints of other remedies name no option. */
const COMMAND_HINTS: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ['give-model', () => 'Give --model NAME.'],
  [
    'give-query-updater',
    name =>
      `Give --query-updater ${fileOf(name)} with a checkpoint; multihop treehop import reads published ones.`,
  ],
  [
    'give-token-classifiers',
    name => `Give --token-classifiers ${fileOf(name)} with a checkpoint of EfficientRAG-lite.`,
  ],
  ['give-embedder', name => `Name its model too: --embedder ${name}`],
  [
    'embed-documents',
    name => `Embed the documents by it: multihop ingest PATH... --store DIR --embedder ${name}`,
  ],
  ['keep-graph', name => `Bring it up to date: multihop ingest --store DIR --graph "${name}"`],
  [
    'keep-claims',
    () => 'Bring the claim base up to date: multihop ingest --store DIR --claims NAME',
  ],
  ['give-cassette', () => 'Give --cassette FILE.'],
  [
    'give-price',
    () =>
      'Give --price in=USD,out=USD (0 for a model of your own) or --price FILE; for a judge --judge-price.',
  ],
  [
    'record-completion',
    () =>
      'Record it: give the model too, --model NAME beside --cassette FILE. A recording fits the very prompts that it was made with: the same question, corpus, names, settings and release.',
  ],
  ['record-cassette', () => 'Record one: give --model NAME beside --cassette FILE.'],
  [
    'give-token',
    () =>
      'Others on the network could read every document: set MULTIHOP_TOKEN or give --token-file FILE, or listen on 127.0.0.1.',
  ],
  ['allow-model', name => `Whoever starts the server names it: --allow-model ${name}`],
  ['lower-rate', () => 'A smaller --rate or a larger --temperature keeps the steps small.'],
  ['full-trace', () => 'Record it with all hits: --full-trace'],
  ['choose-questions', () => 'Choose some of its questions: --question ID'],
  ['give-filters', () => 'Give them: multihop eval --filters FILE.'],
  ['give-sub-questions', () => 'Give them: multihop eval --sub-questions FILE.'],
  [
    'repair-store',
    name => `multihop verify --store ${name === '' ? 'DIR' : name} --repair writes it anew`,
  ],
  ['give-store', () => 'Give a folder that `multihop ingest --store DIR` created.'],
  ['create-store', () => 'Create one with: multihop ingest PATH... --store DIR'],
  [
    'judge-same',
    () =>
      'Models favour their own answers. With --judge-same it judges all the same, and the report says so.',
  ],
  [
    'trust-address',
    name =>
      `If you trust it, repeat it as --base-url '${name}', or list its origin in MULTIHOP_ALLOWED_ORIGINS, or run the command at a terminal, which asks.`,
  ],
  ['model-time', () => 'Give it longer: --model-timeout SECONDS.'],
  ['embedder-time', () => 'Give it longer: --embedder-timeout SECONDS.'],
  ['give-url', kind => `Give it: ${URL_OPTIONS[kind] ?? '--base-url'} URL.`],
  [
    'install-token-classifiers',
    name => `Run: npm install ${name}. Or give a checkpoint: --token-classifiers FILE`,
  ],
  [
    'install-query-updater',
    name => `Run: npm install ${name}. Or give a checkpoint: --query-updater FILE`,
  ],
]);

const URL_OPTIONS: Readonly<Record<string, string>> = {
  embedder: '--base-url',
  reranker: '--reranker-url',
  model: '--model-url',
};

/** An error or a warning whose message ends with its hint. */
export interface Advised {
  readonly hint?: string | undefined;
  readonly remedy?: Remedy | undefined;
}

/** Returns the hint in options of the command line, or as it is if it names no option. */
export function commandHint({ hint, remedy }: Advised): string | undefined {
  return (remedy && COMMAND_HINTS.get(remedy.id)?.(remedy.name ?? '')) ?? hint;
}

/** Returns the message with its hint in options of the command line. */
export function inCommandWords(message: string, advised: Advised = {}): string {
  const { hint } = advised;
  const advice = commandHint(advised);
  if (hint === undefined || advice === undefined || !message.endsWith(hint)) return message;
  return `${message.slice(0, message.length - hint.length)}${advice}`;
}
