/** Notices that an older `store.json` was put back over a newer one. */
import type { Disk } from './disk.ts';
import { readManifest } from './generation.ts';
import { MANIFEST_FILE, type Manifest } from './manifest.ts';
import type { OnWarning } from './read-packed.ts';
import { notedGeneration } from './write-lock.ts';

/**
 * Warns if the manifest is older than the last generation that a writer committed: documents of the
 * newer one are not found. A writer that commits meanwhile is no reason to warn.
 */
export async function warnOfOlder(
  disk: Disk,
  folder: string,
  manifest: Manifest,
  warn: OnWarning | undefined,
): Promise<void> {
  if (!warn) return;
  const noted = (await notedGeneration(disk, folder)) ?? 0;
  if (noted <= manifest.generation) return;
  const now = await readManifest(disk, folder);
  if (!now || now.generation >= noted) return;
  const hint = `Put the newer "${MANIFEST_FILE}" back: files that it names stay for a day`;
  warn({
    code: 'store-older',
    file: MANIFEST_FILE,
    hint,
    message: `"${folder}/${MANIFEST_FILE}" is of generation ${now.generation}, but ${noted} was written: documents of later writes are not found. ${hint}`,
  });
}
