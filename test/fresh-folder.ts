/**
 * Creates folders for tests. They lie in one folder a process, which is removed after the tests of
 * the file or, if the process was killed, by the next process that needs one.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const PREFIX = 'multihop-cli-';

let ofProcess: string | undefined;

/** Creates an empty folder that is removed after the tests of the file. */
export function freshFolder(): string {
  ofProcess ??= createFolderOfProcess();
  return mkdtempSync(join(ofProcess, 'f-'));
}

function createFolderOfProcess(): string {
  removeAbandoned();
  process.on('exit', removeOwn);
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // Some tests run a command as another user, who has to reach the folders inside.
  chmodSync(folder, 0o755);
  return folder;
}

after(removeOwn);

function removeOwn(): void {
  if (ofProcess !== undefined) rmSync(ofProcess, { recursive: true, force: true });
  ofProcess = undefined;
}

/** Removes the folders of processes that were killed before they could. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process runs, although it may not be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
