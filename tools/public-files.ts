/** Reads the names that an entry (`index.ts`) exports. */
import { parseSync } from 'rolldown/utils';

interface Statement {
  readonly type: string;
  readonly specifiers?: readonly { readonly exported: { readonly name: string } }[];
  readonly declaration?: {
    readonly id?: { readonly name: string };
    readonly declarations?: readonly { readonly id: { readonly name: string } }[];
  } | null;
}

/** Returns the exported names in order. Throws `Error` for `export *`, which names nothing. */
export function exportedNames(path: string, text: string): string[] {
  const { program } = parseSync(path, text) as unknown as {
    program: { body: readonly Statement[] };
  };
  return program.body.flatMap(({ type, specifiers = [], declaration }) => {
    if (type === 'ExportAllDeclaration') throw new Error(`${path}: name each export`);
    if (type !== 'ExportNamedDeclaration') return [];
    const declared = [declaration?.id, ...(declaration?.declarations ?? []).map(({ id }) => id)];
    return [...specifiers.map(({ exported }) => exported), ...declared].flatMap(id =>
      id ? [id.name] : [],
    );
  });
}
