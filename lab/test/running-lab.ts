/** Runs commands of the lab for tests, as a function or as a process. */
import { join } from 'node:path';
import {
  type ChildOptions,
  PACKAGE,
  type Result,
  type Running,
  run,
  type Surrounding,
  start,
} from '../../test/running-command.ts';
import { LAB } from '../commands.ts';

/** Runs `npm run lab -- ...words` in this process. */
export const runLab = (words: readonly string[], around: Surrounding = {}): Promise<Result> =>
  run(words, { ...around, program: LAB });

/** Starts it as a process. */
export const startLab = (words: readonly string[], options: ChildOptions = {}): Running =>
  start(words, { ...options, main: join(PACKAGE, 'lab', 'main.ts') });
