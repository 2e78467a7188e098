/** Copies from and to an engine on a server. */
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { InputError, PortError } from '../../core/errors.ts';
import { type Call, freeCall } from '../../core/trace/call.ts';
import { openEngine } from '../servers/open-engine.ts';
import { addressOf, type RemoteSnapshot } from '../servers/remote-engine.ts';
import { type CopiedSpace, unaskedEmbedder } from './copied-vectors.ts';
import type { CopyPlace, CopySource, CopyTarget, TargetSettings } from './copy-side.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const isMissing = (error: unknown): boolean => PortError.is(error) && error.code === 'no-engine';

export function serverPlace(url: string, env: Environment): CopyPlace {
  return {
    async read(isThere) {
      try {
        return await readServer(url, env);
      } catch (error) {
        if (isThere === 'optional' && isMissing(error)) return undefined;
        throw error;
      }
    },
    write: settings => writeServer(url, env, settings),
  };
}

async function readServer(url: string, env: Environment): Promise<CopySource> {
  const call = freeCall();
  const plain = await openEngine(url, { env, create: false });
  const { spaces } = await plain.state(call);
  const engine = spaces.length === 0 ? plain : await reopened(plain, url, env, spaces);
  try {
    const snapshot = await engine.snapshot();
    const { documents, chunker } = await engine.state(call);
    return {
      label: addressOf(engine),
      documents,
      chunker,
      spaces,
      derived: [],
      snapshot,
      isEmbedded: true,
      pages: (size, given) => pagesOf(snapshot, size, given),
      async [Symbol.asyncDispose]() {
        await snapshot[Symbol.asyncDispose]();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens an engine with its spaces, so that their vectors can be read. */
async function reopened(
  plain: Awaited<ReturnType<typeof openEngine>>,
  url: string,
  env: Environment,
  spaces: CopySource['spaces'],
) {
  await plain.close();
  const [{ units, template }] = spaces as readonly [CopySource['spaces'][number]];
  const embedders = spaces.map(unaskedEmbedder);
  return openEngine(url, { env, create: false, embedders, units, template });
}

async function* pagesOf(
  snapshot: RemoteSnapshot,
  limit: number,
  call: Call,
): AsyncGenerator<readonly Document[], void, void> {
  for (let after: string | undefined; ; ) {
    const page = await snapshot.page(defined({ limit, after }), call);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1)!.id;
  }
}

const wordsOf = ({ units, template }: CopiedSpace): string =>
  `${units.toSorted().join(', ')} by ${template}`;
const isLike = (one: CopiedSpace, other: CopiedSpace): boolean => wordsOf(one) === wordsOf(other);

async function writeServer(
  url: string,
  env: Environment,
  { chunker, vectors }: TargetSettings,
): Promise<CopyTarget> {
  const { spaces } = vectors;
  const [first] = spaces;
  const other = spaces.find(space => !isLike(space, first!));
  if (other)
    throw new InputError('other-units', `The vectors of ${other.name} and ${first!.name}`, {
      expected: 'the same units and one template of texts, as a server keeps them',
      received: `${wordsOf(other)} and ${wordsOf(first!)}`,
      hint: 'Nothing was written. Copy without vectors, and embed there.',
    });
  const engine = await openEngine(
    url,
    defined({
      env,
      chunker,
      embedders: spaces.map(space => vectors.embedder(space)),
      units: first ? first.units : undefined,
      template: first ? first.template : undefined,
    }),
  );
  return {
    embedsLast: false,
    put: (documents, call) => engine.put(documents, call),
    remove: (ids, call) => engine.remove(ids, call),
    finish: async () => {},
    [Symbol.asyncDispose]: () => engine.close(),
  };
}
