/** Counts the files of a folder that multihop reads, by format. */
import { walk } from '../documents/files/walk.ts';
import { formatByName } from '../documents/formats.ts';

/** Files after which a folder is walked no further: a home folder has millions. */
const MOST = 5000;

export interface FoundFiles {
  /** Paths by the name of their format; formats with most files come first. */
  readonly byFormat: ReadonlyMap<string, readonly string[]>;
  /** False if the folder has more files. */
  readonly isWhole: boolean;
}

/** Throws `InputError` for a folder that cannot be read. */
export async function foundFiles(folder: string): Promise<FoundFiles> {
  const paths: string[] = [];
  let seen = 0;
  for await (const walked of walk(folder)) {
    if (seen++ === MOST) break;
    if ('source' in walked && formatByName(walked.source.path)) paths.push(walked.source.path);
  }
  const groups = [...Map.groupBy(paths, path => formatByName(path)!.name)];
  groups.sort(([, a], [, b]) => b.length - a.length);
  return { byFormat: new Map(groups), isWhole: seen <= MOST };
}

/** Says how many there are; undefined of none. */
export function filesText({ byFormat, isWhole }: FoundFiles): string | undefined {
  const counts = [...byFormat].map(([format, { length }]) => `${length} ${format}`);
  if (counts.length === 0) return undefined;
  const all = [...byFormat.values()].reduce((sum, { length }) => sum + length, 0);
  const files = all === 1 ? 'file' : 'files';
  return `${isWhole ? '' : 'at least '}${all} ${files} that can be read: ${counts.join(', ')}`;
}
