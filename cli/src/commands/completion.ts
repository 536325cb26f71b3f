import { Argument, type Command } from 'commander';
import type { AddCommand, Context } from '../context.ts';

export const addCompletion: AddCommand = (program, act) => {
  program
    .command('completion')
    .description('print the completion script for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples)
    .action(
      act(async ({ show }: Context, shell: 'bash' | 'zsh' | 'fish') => {
        const script = scripts[shell](wordsOf(program));
        show({ shell, script }, [script]);
      }),
    );
};

const examples = `
Examples:
  crier completion bash >> ~/.bashrc
  crier completion zsh >> ~/.zshrc
  crier completion fish > ~/.config/fish/completions/crier.fish`;

interface Words {
  command: string;
  description: string;
  /** Subcommands and options of this command. */
  next: string[];
}

function wordsOf(program: Command): Words[] {
  const optionsOf = (command: Command) => command.options.flatMap(({ long }) => long ?? []);
  const common = [...optionsOf(program).filter((name) => name !== '--version'), '--help'];
  return program.commands.map((command) => ({
    command: command.name(),
    description: command.description(),
    next: [
      ...command.commands.map((inner) => inner.name()),
      ...command.commands.flatMap(optionsOf),
      ...optionsOf(command),
      ...common,
    ],
  }));
}

const cases = (words: readonly Words[]) =>
  words.map(({ command, next }) => `    ${command}) choices="${next.join(' ')}" ;;`).join('\n');
const names = (words: readonly Words[]) => words.map(({ command }) => command).join(' ');

const scripts = {
  bash: (words: readonly Words[]) => `_crier() {
  local current="\${COMP_WORDS[COMP_CWORD]}" choices="${names(words)}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases(words)}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _crier crier`,
  // Without a framework, .zshrc may not have initialized completion yet.
  zsh: (words: readonly Words[]) => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_crier() {
  local choices="${names(words)}"
  (( CURRENT > 2 )) && case "$words[2]" in
${cases(words)}
  esac
  compadd -- \${=choices}
  _files
}
compdef _crier crier`,
  fish: (words: readonly Words[]) =>
    words
      .flatMap(({ command, description, next }) => [
        `complete -c crier -f -n __fish_use_subcommand -a ${command} -d '${description.replaceAll("'", '')}'`,
        ...[...new Set(next)].map((word) => {
          const when = `-n '__fish_seen_subcommand_from ${command}'`;
          return `complete -c crier ${when} ${word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`}`;
        }),
      ])
      .join('\n'),
};
