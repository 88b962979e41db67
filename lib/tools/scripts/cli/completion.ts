import { formats } from '#lib/tools/scripts/cli/arguments'
import { type Command, findCommand, type Manual } from '#lib/tools/scripts/cli/commands'
import { ownCommands } from '#lib/tools/scripts/cli/help'
import { exit, Failure } from '#lib/tools/scripts/cli/outcome'

/* The shells ask the program itself for the words: `cloudctl complete WORD…`, one candidate a line. */

const scripts: Record<string, string> = {
  bash: `_cloudctl() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(cloudctl complete "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cloudctl cloudctl
`,
  zsh: `#compdef cloudctl
_cloudctl() {
  local -a candidates
  candidates=("\${(@f)$(cloudctl complete "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  compadd -a candidates || _files
}
# As a file of fpath, this is the body of the function at its first call.
if [[ $funcstack[1] == _cloudctl ]]; then _cloudctl "$@"; else compdef _cloudctl cloudctl; fi
`,
  fish: `function __cloudctl_words
  set -l words (commandline -opc)
  set -l found (cloudctl complete $words[2..-1] 2>/dev/null)
  test -n "$found"; and string join \\n -- $found; or __fish_complete_path (commandline -ct)
end
complete --command cloudctl --no-files --arguments '(__cloudctl_words)'
`,
}

export function completionScript(shell: string | undefined): string {
  const script = scripts[shell ?? '']
  if (!script) throw new Failure(exit.usage, 'Name a shell: cloudctl completion bash, zsh or fish')
  return script
}

/** The operations behind own commands. */
const behind: Record<string, string> = {
  apply: 'create-plan',
  events: 'list-events',
  export: 'export-cloud',
  plan: 'create-plan',
}

/** Options that own commands have beside those of their operation. */
const ownOptions: Record<string, string[]> = {
  apply: ['--yes'],
  login: ['--nick', '--token', '--forget'],
}

const common = ['--api', '--format', '--file', '--insecure', '--follow', '--help']

/** The names that `--type` takes for the documents of a command. */
const typesOf = ({ body }: Command): string[] =>
  Object.keys(body?.types ?? {}).map((type) => type.replace(/^.*\.|\+json$/g, ''))

/** The words that may follow these; empty after an option with a free value. */
export function candidates(manual: Manual, words: string[]): string[] {
  const last = words.at(-1) ?? ''
  if (last === '--format') return [...formats]
  const name = words.find(
    (word) => !word.startsWith('-') && (findCommand(manual, word) || word in ownCommands),
  )
  const names = [
    ...manual.commands.map((command) => command.name),
    ...Object.keys(ownCommands),
    'help',
    'version',
  ]
  const isOpen = last.startsWith('-') && !['--help', '--insecure', '--follow'].includes(last)
  if (!name) return isOpen ? [] : [...common, '--version', ...names]
  if (name === 'completion') return Object.keys(scripts)
  // The operation `login` is the command `get-login`.
  const command = name === 'login' ? undefined : findCommand(manual, behind[name] ?? name)
  const parameters = command?.parameters ?? []
  const types = command ? typesOf(command) : []
  if (last === '--type') return types
  const open = parameters.find(({ option }) => `--${option}` === last)
  if (open) return open.values
  if (['--api', '--file', '-f'].includes(last)) return []
  return [
    ...parameters.map(({ option }) => `--${option}`),
    ...(types.length > 1 ? ['--type'] : []),
    ...(ownOptions[name] ?? []),
    ...common,
  ]
}
