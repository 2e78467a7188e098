/** Defines `--full-trace`, an option of the commands that write traces. */
import type { Option } from './command.ts';

export const FULL_TRACE_OPTION: Option = {
  name: 'full-trace',
  summary:
    'write every hit and rejection into the trace, as plain JSON; otherwise hits that no measure reads are counted, and what repeats is written once',
};
