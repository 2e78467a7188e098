/** Prints the types of the names of members, which editors complete. */
import { contexts } from '../../src/context/contexts.ts';
import type { Family } from '../../src/core/naming/family.ts';
import { measures } from '../../src/evaluation/measures.ts';
import { readers } from '../../src/readers/readers.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import { strategies } from '../../src/strategies/strategies.ts';

const FAMILIES: Readonly<Record<string, Pick<Family<unknown>, 'kind' | 'members'>>> = {
  'src/context/context-names.ts': contexts,
  'src/evaluation/measure-names.ts': measures,
  'src/readers/reader-names.ts': readers,
  'src/search/retriever-names.ts': retrievers,
  'src/strategies/strategy-names.ts': strategies,
};
const WIDTH = 100;

/** Returns the files of names by their paths from the root, laid out as Biome does. */
export const memberNames = (): ReadonlyMap<string, string> =>
  new Map(Object.entries(FAMILIES).map(([path, family]) => [path, printed(family)]));

function printed({ kind, members }: Pick<Family<unknown>, 'kind' | 'members'>): string {
  const names = members.map(({ name }) => `'${name}'`);
  const type = `export type ${kind[0]!.toUpperCase()}${kind.slice(1)}Name =`;
  const line = `${type} ${names.join(' | ')};`;
  const text =
    line.length <= WIDTH ? line : `${type}\n${names.map(name => `  | ${name}`).join('\n')};`;
  return `/** Names of the family "${kind}", for editors and compilers; written by \`npm run docs\`. */\n${text}\n`;
}
