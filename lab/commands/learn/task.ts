/** Declares a task of `learn`. */
import type { CommandContext } from '../../../src/cli/command.ts';

export interface LearnTask {
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  /** Options that tasks without them do not read. */
  readonly own?: readonly string[];
  /** Returns the exit code. */
  run(context: CommandContext): Promise<number>;
}
