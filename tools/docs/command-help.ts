/** Prints the help of commands for the documentation. */
import { commands } from '../../src/cli/commands.ts';
import { commandHelp } from '../../src/cli/help-text.ts';
import { styleOf } from '../../src/cli/style.ts';

const WIDTH = 100;

const loaded = await Promise.all(
  commands.map(async ({ name, summary, load }) => ({ name, summary, ...(await load()) })),
);

/** Prints the whole help of a command. */
export function printCommand(name: string): string {
  const { summary, command } = loaded.find(each => each.name === name)!;
  const help = commandHelp(`multihop ${name}`, summary, command, styleOf(false), WIDTH);
  return `\`\`\`text\n${help}\n\`\`\``;
}

/** Prints a table of all commands, each with its page. */
export function printCommands(): string {
  const rows = loaded.map(({ name, summary }) => `| [${name}](commands/${name}.md) | ${summary} |`);
  return ['| command | purpose |', '| --- | --- |', ...rows].join('\n');
}
