/**
 * Puts the options of a user into requests that an SDK wrote: it renames some, changes the values
 * of others and leaves out what it does not know.
 */

type Fields = Record<string, unknown>;
type Path = readonly string[];

/** Further names that APIs have for parameters. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  maxtokens: ['maxoutputtokens', 'maxcompletiontokens'],
  stop: ['stopsequences'],
};
/** Names of the texts and forms of a request, which may hold words like those of any option. */
const CONTENTS = /messages|input|contents|system|instructions|tools|schema|format|properties/i;
const DEEPEST = 4;

/** Returns names in the form that SDKs know, `budgetTokens`, at every depth. */
export function inSdkNames(value: unknown): unknown {
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, field]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    inSdkNames(field),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Returns the body of a request, JSON, with each option as the user gave it: where the SDK wrote it
 * in other words, else under its own name; `null` leaves a field out. `onUnsent` receives the names
 * in the form of SDKs that the request does not hold: the SDK may read them itself.
 */
export function withSentOptions(
  body: string,
  options: Readonly<Fields>,
  onUnsent: (name: string) => void,
): string {
  const request: unknown = body.startsWith('{') ? JSON.parse(body) : undefined;
  if (!isFields(request)) return body;
  for (const { path, value } of leavesOf(options)) {
    const place = placesOf(request).find(other => isSame(other, path));
    if (place) put(request, renamed(place, path), value, place);
    else if (/[A-Z]/.test(path[0]!)) onUnsent(path[0]!);
    else if (value !== null) put(request, path, value);
  }
  return JSON.stringify(request);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

const leavesOf = (fields: Readonly<Fields>, above: Path = []): Leaf[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const path = [...above, name];
    const isInner = isFields(value) && Object.keys(value).length > 0 && path.length < DEEPEST;
    return isInner ? leavesOf(value, path) : [{ path, value }];
  });

/** Returns the paths of all settings in a request, the outer ones first. */
function placesOf(fields: Fields, above: Path = []): Path[] {
  const entries = Object.entries(fields).map(([name, value]) => ({
    path: [...above, name],
    value,
  }));
  const inner = entries.flatMap(({ path, value }) =>
    isFields(value) && path.length < DEEPEST && !CONTENTS.test(path.at(-1)!)
      ? placesOf(value, path)
      : [],
  );
  return [...entries.map(({ path }) => path), ...inner];
}

/** Tells if a place ends in the words of a path, however both divide and spell them. */
function isSame(place: Path, path: Path): boolean {
  const words = wordsOf(path);
  const names = [words, ...(OTHER_NAMES[words] ?? [])];
  return place.some((_, from) => names.includes(wordsOf(place.slice(from))));
}

const wordsOf = (path: Path): string => path.join('').replaceAll('_', '').toLowerCase();

/** A name inside an option, such as a key of metadata, is the user's: no SDK may change it. */
function renamed(place: Path, path: Path): Path {
  const [written, own] = [place.at(-1)!, path.at(-1)!];
  return path.length > 1 && own.includes('_') && wordsOf([written]) === wordsOf([own])
    ? [...place.slice(0, -1), own]
    : place;
}

/** Sets a field in place of another, or removes that; `__proto__` is a name like others. */
function put(request: Fields, path: Path, value: unknown, before: Path = path): void {
  let fields = request;
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
    fields = isFields(inner) ? inner : own(fields, name, {});
  }
  delete fields[before.at(-1)!];
  if (value !== null) own(fields, path.at(-1)!, value);
}

function own<T>(fields: Fields, name: string, value: T): T {
  Object.defineProperty(fields, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return value;
}
