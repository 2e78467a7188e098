/**
 * Chooses the title of a document that a file makes.
 *
 * A title must name its subject among other documents. "Factory", "1.3" or "README" do not: one
 * word, a number or the name of a kind of file says what a page is called inside its project, and
 * the folders around it name the project. The rule: the first candidate of at least two words is
 * the title as it is; otherwise the first candidate of one word, with its place in parentheses,
 * such as "Factory (fastify/Reference)"; otherwise the file's name if it has two words; otherwise
 * the place alone.
 */
import { isKnownText } from '../files/known-names.ts';

/** Names of files and folders that say what kind of file it is, and nothing about its content. */
const KINDS_OF_FILES: ReadonlySet<string> = new Set(
  'readme index main default doc docs documentation manual src source sources dist lib en home latest stable man html text txt package content contents pages untitled document'.split(
    ' ',
  ),
);

const WORD = /\p{L}[\p{L}\p{N}'’.+#_-]*/gu;
/** Scripts that write words without spaces between them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/gu;

/**
 * Returns the title of the file `id`, a path below the folder that was read. `candidates` come from
 * its content, best first; `extensions` are those of its format.
 */
export function titleOf(
  id: string,
  candidates: readonly (string | undefined)[],
  extensions: readonly string[],
): string {
  const titles = candidates.map(candidate => (candidate ?? '').replace(/\s+/g, ' ').trim());
  const full = titles.find(title => wordsIn(title) >= 2);
  if (full !== undefined) return full;
  const name = fileName(id, extensions);
  const single = titles.find(title => wordsIn(title) === 1 && !KINDS_OF_FILES.has(lower(title)));
  const words = isKnownText(name) ? 1 : wordsIn(name.replace(/[-_.]+/g, ' '));
  if (single === undefined && words >= 2) return name;
  const place = placeOf(id, name, single ?? '');
  if (single === undefined) return place || name;
  return place === '' ? single : `${single} (${place})`;
}

/** Counts words of two characters or more that begin with a letter. */
function wordsIn(title: string): number {
  const unspaced = title.match(UNSPACED)?.length ?? 0;
  // Two characters make a word of Chinese or Japanese on average.
  if (unspaced > 0) return Math.ceil(unspaced / 2);
  return (title.match(WORD) ?? []).filter(word => word.length > 1).length;
}

/** Returns the last two parts of a path that name something, without those that `title` has. */
function placeOf(id: string, name: string, title: string): string {
  const folders = [...id.split('/').slice(0, -1), name];
  const said = lower(title);
  return folders
    .filter(
      part => wordsIn(part) > 0 && !KINDS_OF_FILES.has(lower(part)) && !said.includes(lower(part)),
    )
    .slice(-2)
    .join('/');
}

/** The file's name without folder and extension. */
function fileName(id: string, extensions: readonly string[]): string {
  const plain = id.slice(id.lastIndexOf('/') + 1).replace(/(?<=.)\.gz$/i, '');
  const name = plain.replace(/(?<=.)\.[^.]*$/, '');
  const extension = lower(plain.slice(name.length + 1));
  // Behind a name such as "changelog" stands no extension but whose it is: "changelog.Debian".
  return isKnownText(plain) && !extensions.includes(extension) ? plain : name;
}

const lower = (text: string): string => text.toLowerCase();
