// `covenant completion`: completion for a shell, made from the commands and options themselves.
import type { Command, Option } from 'commander';
import { profileNames } from '../catalogue/profiles.ts';
import { areas } from '../catalogue/requirement.ts';
import { didYouMean } from '../configuration/nearest.ts';
import { efforts, UsageError } from '../configuration/settings.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { views } from '../report/views.ts';
import type { Console } from './console.ts';
import { type Finish, textOrJson } from './options.ts';
import type { Parts } from './parts.ts';
import { catalogueFormats } from './requirements.ts';

/** What may follow; where there are no values, files. */
interface Known {
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
  /** Takes a value at all. */
  readonly takes: boolean;
  /** Several values, separated by commas. */
  readonly several: boolean;
}

interface Entry {
  readonly name: string;
  readonly description: string;
  readonly options: readonly Known[];
  readonly values: readonly string[];
}

const several = ['--area', '--requirement', '--reporter', '--level'];

function valuesOf(command: string, option: Option, ids: readonly string[]): readonly string[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    '--area': areas,
    '--requirement': ids,
    '--reporter': [...Object.keys(views), 'script', 'all', 'none'],
    '--level': ['must', 'should', 'observe', 'untestable'],
    '--effort': efforts,
    '--profile': profileNames,
    '--format': command === 'requirements' ? catalogueFormats : textOrJson,
  };
  return values[option.long ?? ''] ?? [];
}

function entriesOf(program: Command, ids: readonly string[]): readonly Entry[] {
  const args: Readonly<Record<string, readonly string[]>> = {
    explain: ids,
    waive: ids,
    completion: Object.keys(shells),
  };
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    values: args[command.name()] ?? [],
    options: command.options.map((option) => ({
      name: option.long ?? '',
      description: option.description,
      values: valuesOf(command.name(), option, ids),
      takes: option.required,
      several: several.includes(option.long ?? ''),
    })),
  }));
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const valued = (entries: readonly Entry[]) =>
  entries.flatMap(({ name, options }) =>
    options.filter(({ takes }) => takes).map((option) => ({ command: name, ...option })),
  );

/** Words of our own, none of which has a blank. */
function bash(entries: readonly Entry[]): string {
  const names = entries.map(({ name }) => name);
  const values = valued(entries).map(({ command, name, values: known, several: many }) => {
    const words = known.join(' ');
    const reply = many
      ? `local done=; [[ $cur == *,* ]] && done=\${cur%,*},; COMPREPLY=($(compgen -P "$done" -W '${words}' -- "\${cur##*,}"))`
      : `COMPREPLY=($(compgen -W '${words}' -- "$cur"))`;
    return `    '${command} ${name}') ${known.length === 0 ? '' : `${reply}; `}return ;;`;
  });
  const words = entries.map(({ name, options, values: known }) => {
    const own = [...options.map((option) => option.name), '--help'].join(' ');
    return `    ${name}) options='${own}' values='${known.join(' ')}' ;;`;
  });
  return `# Completion of covenant for bash: source it, or put it into bash-completion's folder.
_covenant() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' word options values
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${names.join('|')}) command=$word; break ;; esac
  done
  case "\${command:-run} $previous" in
${values.join('\n')}
  esac
  case \${command:-run} in
${words.join('\n')}
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -z $command ]]; then COMPREPLY=($(compgen -W '${names.join(' ')} help' -- "$cur"))
  else COMPREPLY=($(compgen -W "$values" -- "$cur"))
  fi
}
complete -o default -F _covenant covenant
`;
}

function zsh(entries: readonly Entry[]): string {
  const values = valued(entries).map(({ command, name, values: known, several: many }) => {
    const reply = known.length === 0 ? '_files' : `${many ? "compset -P '*,'; " : ''}compadd -- ${known.join(' ')}`;
    return `    ('${command} ${name}') ${reply}; return ;;`;
  });
  const words = entries.map(({ name, options, values: known }) => {
    const own = options.map((option) => `      ${quoted(`${option.name}:${option.description}`)}`);
    return `    (${name}) values=(${known.join(' ')}); options=(\n${own.join('\n')}\n      '--help:display help for command') ;;`;
  });
  return `#compdef covenant
# Completion of covenant for zsh: put it into a folder of $fpath as _covenant.
_covenant() {
  local command='' word
  local -a commands options values
  commands=(
${entries.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join('\n')}
  )
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case $word in (${entries.map(({ name }) => name).join('|')}) command=$word; break ;; esac
  done
  case "\${command:-run} \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case \${command:-run} in
${words.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe -o option options
  elif [[ -z $command ]]; then _describe command commands
  elif (( $#values )); then compadd -a values
  else _files
  fi
}
if [[ $funcstack[1] == _covenant ]]; then _covenant "$@"; else compdef _covenant covenant; fi
`;
}

function fish(entries: readonly Entry[]): string {
  const names = entries.map(({ name }) => name).join(' ');
  const lines = entries.flatMap(({ name, description, options, values }) => {
    // Without a command it is run.
    const others = names.split(' ').filter((one) => one !== 'run');
    const when =
      name === 'run' ? `not __fish_seen_subcommand_from ${others.join(' ')}` : `__fish_seen_subcommand_from ${name}`;
    const option = (one: Known): string => {
      const words = one.values.join(' ');
      const list = one.several ? `(__fish_complete_list , "printf '%s\\\\n' ${words}")` : words;
      const value = !one.takes ? '' : one.values.length === 0 ? ' -r' : ` -x -a ${quoted(list)}`;
      return `complete -c covenant -n ${quoted(when)} -l ${one.name.slice(2)}${value} -d ${quoted(one.description)}`;
    };
    return [
      `complete -c covenant -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ...(values.length === 0 ? [] : [`complete -c covenant -n ${quoted(when)} -f -a ${quoted(values.join(' '))}`]),
      ...options.map(option),
    ];
  });
  return `# Completion of covenant for fish: put it into ~/.config/fish/completions/covenant.fish.\n${lines.join('\n')}\n`;
}

const shells: Readonly<Record<string, (entries: readonly Entry[]) => string>> = { bash, zsh, fish };

/**
 * Prints and says the exit code.
 * @throws UsageError on a shell that is not known.
 */
function completion(shell: string, program: Command, console: Console, { catalogue }: Parts): number {
  const made = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (made === undefined) {
    const known = Object.keys(shells);
    throw new UsageError(
      `There is no completion for ${JSON.stringify(shell)}${didYouMean(shell, known)} There is one for ${known.join(', ')}.`,
    );
  }
  console.stdout(made(entriesOf(program, Object.keys(catalogue))));
  return exitCodes.conformant;
}

export function addCompletion(program: Command, console: Console, parts: Parts, finish: Finish): void {
  program
    .command('completion <shell>')
    .description('print completion for bash, zsh or fish')
    .action((shell: string) => finish(completion(shell, program, console, parts)));
}
