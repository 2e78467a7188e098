/** Memory and folders keep the laws of places; servers in test/engines do too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { FolderPlace } from '../../src/session/places/folder-place.ts';
import { MemoryPlace } from '../../src/session/places/memory-place.ts';
import { placeLaws } from '../../src/testing/place-laws.ts';
import { runLaws } from './run-laws.ts';

runLaws(
  'memory',
  placeLaws(async () => ({ place: new MemoryPlace() })),
);

const parent = mkdtempSync(join(tmpdir(), 'multihop-places-'));
after(() => rmSync(parent, { recursive: true, force: true }));
let count = 0;

runLaws(
  'a folder',
  placeLaws(async () => {
    const folder = join(parent, `store-${count++}`);
    const open = (): Promise<FolderPlace> => FolderPlace.open(folder, { create: true });
    return { place: await open(), again: open };
  }),
);
