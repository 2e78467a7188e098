/** Runs a command of the lab: `npm run lab -- COMMAND ...`. */
import { runProcess } from '../src/cli/process.ts';
import { LAB } from './commands.ts';

// npm runs scripts in the package's own folder; a user means the paths of the folder they are in.
const { INIT_CWD } = process.env;
if (INIT_CWD !== undefined) process.chdir(INIT_CWD);
await runProcess(LAB);
