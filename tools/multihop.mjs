// The command from source, run in the folder where npm was called: `npm run -s multihop -- ARGS` is
// `multihop ARGS`.
import { fileURLToPath } from 'node:url';
import { run } from './node24/run.mjs';

// npm runs scripts in the package's own folder; a user means the paths of the folder they are in.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
run([fileURLToPath(new URL('../src/cli/main.ts', import.meta.url)), ...process.argv.slice(2)]);
