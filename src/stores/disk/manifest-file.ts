/** Reads and writes `store.json`. */
import { defined } from '../../core/defined.ts';
import { PortError } from '../../core/errors.ts';
import { parseJson } from '../../core/text/bounded-json.ts';
import { ANALYSIS_VERSION } from '../../core/text/search-form.ts';
import { sha256 } from '../../platform/sha256.ts';
import { type Manifest, STORE_FORMAT, STORE_VERSION } from './manifest.ts';
import { manifestFault } from './manifest-shape.ts';
import { damaged } from './store-errors.ts';

/** Returns the file's content: readable JSON whose last entry is the checksum of the rest. */
export function printManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: sha256(JSON.stringify(manifest)) }, null, 2)}\n`;
}

/**
 * Parses `store.json`. Throws `PortError('not-a-store')`, `'other-store-version'` or
 * `'store-damaged'`, checked in that order.
 */
export function parseManifest(path: string, bytes: Uint8Array): Manifest {
  let value: unknown;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw damaged(path, bytes.length === 0 ? 'it is empty' : 'it is not JSON', error);
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    (value as Partial<Manifest>).format !== STORE_FORMAT
  )
    throw new PortError('store', 'not-a-store', `"${path}" does not belong to a multihop store`, {
      expected: `"format": "${STORE_FORMAT}"`,
      hint: 'Give a folder that openStore() created.',
      remedy: { id: 'give-store' },
    });
  const { checksum, ...manifest } = value as Manifest & { checksum?: unknown };
  if (manifest.version !== STORE_VERSION) throw otherVersion(path, manifest.version);
  if (checksum !== sha256(JSON.stringify(manifest)))
    throw damaged(path, 'its content does not match its checksum');
  const fault = manifestFault(manifest);
  if (fault !== undefined) throw damaged(path, fault);
  const known = withoutFitted(manifest);
  return known.analysis === ANALYSIS_VERSION ? known : withoutTerms(known);
}

/** Leaves out spaces that earlier releases fitted on the documents. */
function withoutFitted(stored: Manifest & { readonly fitted?: unknown }): Manifest {
  const { fitted: _, derived, ...manifest } = stored;
  return defined({ ...manifest, derived: derived?.filter(({ key }) => !/^lsa\b/.test(key)) });
}

/**
 * Leaves out what another analysis computed: it is built in memory, and the next write or repair
 * stores it.
 */
function withoutTerms(manifest: Manifest): Manifest {
  return {
    ...manifest,
    analysis: ANALYSIS_VERSION,
    segments: manifest.segments.map(({ indexes: _, ...segment }) => segment),
  };
}

function otherVersion(path: string, version: unknown): PortError {
  const newer = typeof version === 'number' && version > STORE_VERSION;
  return new PortError(
    'store',
    'other-store-version',
    `"${path}" was written by ${newer ? 'a newer' : 'another'} release of multihop`,
    {
      expected: `store version ${STORE_VERSION}`,
      received: `version ${JSON.stringify(version) ?? 'missing'}`,
      hint: newer
        ? 'Nothing was changed. Use that release, or ingest the documents into a new store.'
        : 'Nothing was changed. Ingest the documents into a new store.',
    },
  );
}
