#!/usr/bin/env node
/**
 * Starts the command, or says which Node it needs. No file of the package is imported before the
 * check: an older Node could neither parse nor run the rest.
 */
import module from 'node:module';

/** The least version of `engines` in package.json. */
const NEEDED = '22.13';

if (isOlder(process.versions.node, NEEDED)) {
  const needs = `multihop needs Node ${NEEDED} or newer`;
  const received = `this is Node ${process.versions.node} (${process.execPath})`;
  const hint = 'Install a newer one: https://nodejs.org/en/download';
  process.stderr.write(`${needs}; ${received}. ${hint}\n`);
  process.exitCode = 1;
} else {
  // Compiled code is kept between runs, in the folder that Node chooses (NODE_COMPILE_CACHE), or
  // not at all (NODE_DISABLE_COMPILE_CACHE): everything else is imported after this.
  module.enableCompileCache?.();
  const { runProcess } = await import('./process.ts');
  await runProcess();
}

function isOlder(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = needed.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
