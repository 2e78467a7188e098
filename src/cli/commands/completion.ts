/** `multihop completion`: prints the script that completes commands, options and names. */
import { InputError } from '../../core/errors.ts';
import { didYouMean } from '../../core/naming/nearest.ts';
import { candidates } from '../candidates.ts';
import type { Command, CommandContext } from '../command.ts';

/** Prints candidates, for the scripts. */
const WORDS = 'words';
const ASK = `multihop completion ${WORDS} --`;

/** Each asks the command itself, so that the names are those of the installed version. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_multihop() {
  local IFS=$'\\n'
  COMPREPLY=($(${ASK} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _multihop multihop`,
  zsh: `#compdef multihop
_multihop() {
  local -a found
  found=("\${(@f)$(${ASK} "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _multihop multihop`,
  fish: `complete -c multihop -a '(${ASK} (commandline -opc)[2..] (commandline -ct))'`,
};
const SHELLS = Object.keys(SCRIPTS);

export const command: Command = {
  positionals: [
    {
      name: 'SHELL',
      summary: `one of ${SHELLS.join(', ')}; or ${WORDS}, which prints what may follow`,
    },
    { name: 'WORD', optional: true, repeatable: true, summary: `the words typed, for ${WORDS}` },
  ],
  options: [],
  examples: [
    { line: 'source <(multihop completion bash)', says: 'in ~/.bashrc; the same for zsh' },
    {
      line: 'multihop completion fish > ~/.config/fish/completions/multihop.fish',
      says: 'once, for fish',
    },
  ],
  run: complete,
};

async function complete({ commands, positionals, output }: CommandContext): Promise<number> {
  const [shell = '', ...words] = positionals;
  if (shell === WORDS) {
    const found = await candidates(commands, words);
    if (output.json) output.object({ words: found });
    else for (const word of found) output.line(word);
    return 0;
  }
  const script = SCRIPTS[shell];
  if (script === undefined) {
    const near = didYouMean(shell, SHELLS);
    throw new InputError('unknown-shell', `There is no completion for "${shell}"`, {
      expected: `one of ${SHELLS.join(', ')}`,
      hint: near || undefined,
    });
  }
  if (output.json) output.object({ shell, script });
  else output.line(script);
  return 0;
}
