import type { Command, Manual, Parameter } from '#lib/tools/scripts/cli/commands'
import { exit } from '#lib/tools/scripts/cli/outcome'

/* The manual: `cloudctl help` and `cloudctl help COMMAND`. */

const usage = `cloudctl — the API of the cloud console from the shell

Usage
  cloudctl [--api URL] [--format table|json|csv] COMMAND [--parameter value …]

Options of every command
  --api URL          the server; otherwise API_URL, or the one of “cloudctl login”
  --format FORMAT    table (for people, the default), json (the whole document) or csv
  -f, --file FILE    the JSON document to send; - is standard input
  --type TYPE        the media type of that document, where a command takes several
  --insecure         allows a plain http address of another machine: others can read what is sent
  --follow           a long change runs as a job, which goes on if this ends, and is followed to its end
  -h, --help         this manual, or that of the command

Environment
  API_URL            the server, such as https://cloud.example.com/api
  API_TOKEN          the token: an access token (sat_…) or a session's

First steps
  cloudctl login --api https://cloud.example.com/api
  cloudctl list-scopes --has europe
  cloudctl get-scope --scope 7 --format json > scope.json
  cloudctl update-scope --scope 7 -f scope.json
  cloudctl events --follow

Exit codes
  ${exit.done}  done                          ${exit.missing}  there is no such thing (404, 410)
  ${exit.refused}  refused                       ${exit.conflict}  conflict (409, 412, 422)
  ${exit.usage}  the command line is wrong     ${exit.unavailable}  server busy, failing or not reached
  ${exit.unauthorized}  not signed in or not allowed  ${exit.interrupted}  interrupted

Own commands
  login                        makes an access token and saves it for this server
  export                       writes the cloud that you see, by names, as JSON
  plan FILE                    shows what would make the cloud what a file says
  apply FILE                   shows it, asks, and does it
  events                       lists events; --follow prints them as they happen
  completion bash|zsh|fish     prints the completion for a shell
  help [COMMAND]               this manual, or that of a command
  version, --version           the version of this program
`

export const ownCommands: Record<string, string> = {
  login: `Makes an access token and saves it for this server in a file that only you can read.

Usage
  cloudctl login --api URL [--nick NICK]
  printf %s "$TOKEN" | cloudctl login --api URL --token
  cloudctl login --forget

Asks for the password and, with two factor authentication, the code; without a terminal each is a
line of standard input, in this order, after the nick where --nick does not give it. The access token is named after
this machine and ends after 90 days; My account shows it and revokes it.
With --token an access token that you have is read from standard input.
--forget removes the saved token from this machine; to revoke it: My account, or delete-access-token.
The file is $XDG_CONFIG_HOME/cloudctl/token.json, or ~/.config/cloudctl/token.json.
`,
  events: `Lists events, the newest first. The options are those of list-events.

Usage
  cloudctl events [--entity scope] [--user ID] …
  cloudctl events --follow [--after CURSOR] [--entity scope] …

With --follow the events are printed as they happen, until Ctrl-C. A lost connection is opened again
after the last event, so none is missed. --format json prints one document a line.
`,
  export: `Writes the cloud that you see as one JSON document, by names instead of ids.

Usage
  cloudctl export [--entity scopes] > cloud.json
  cloudctl export --entity scopes --format csv > scopes.csv
`,
  plan: `Shows what would make the cloud what a file says, and what refuses it. Nothing is changed.

Usage
  cloudctl plan FILE [--format table|json|csv]
  cloudctl plan scopes.csv --entity scopes [--mode merge|replace]

FILE is a JSON document, as cloudctl export writes it, or the CSV of one list (--entity says which);
- is standard input (--type csv if it is CSV). In JSON the mode is a member of the document.
Ends with 0 if the plan could be applied, and with 1 if anything refuses it.
`,
  apply: `Shows what would make the cloud what a file says, asks, and does it, as a whole or not at all.

Usage
  cloudctl apply FILE [--yes]
  cloudctl apply scopes.csv --entity scopes [--mode merge|replace] [--yes]

FILE is as for cloudctl plan. --yes applies the plan without a question, as scripts need it: without
a terminal and without --yes the plan is shown, and nothing is changed. --follow applies it as a job.
Ends with 0 if it was applied or nothing has to change, with 1 if anything refuses it or you say no,
and with 5 if the cloud has changed in between. An undo of its event takes the whole back.
`,
  completion: `Prints the completion for a shell.

Usage
  source <(cloudctl completion bash)
  cloudctl completion zsh > "\${fpath[1]}/_cloudctl"    (in zsh, as root)
  mkdir -p ~/.config/fish/completions
  cloudctl completion fish > ~/.config/fish/completions/cloudctl.fish
`,
}

const LEFT = 32
const WIDTH = 110

/** A name and its description, which continues below itself after the end of the line. */
function column(left: string, right: string): string {
  const lines = ['']
  for (const word of right.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length > WIDTH - LEFT - 2) lines.push(` ${word}`)
    else lines[lines.length - 1] = longer
  }
  return lines.map((line, index) => `  ${(index === 0 ? left : '').padEnd(LEFT)}${line}`.trimEnd()).join('\n')
}

/** The text after a semicolon is only in the manual of the command. */
const inShort = (summary: string): string => summary.replace(/;.*/, '')

function sections({ groups, commands }: Manual): string {
  const grouped = Map.groupBy(commands, ({ tag }) => tag)
  return groups
    .map(({ name: group, description }) =>
      [
        `${group}: ${description}`,
        ...(grouped.get(group) ?? []).map(({ name, summary }) => column(name, inShort(summary))),
      ].join('\n'),
    )
    .join('\n\n')
}

export const generalHelp = (manual: Manual): string => `${usage}\n${sections(manual)}\n`

const placeholder = ({ values, name }: Parameter): string =>
  values.length > 0 && values.length < 6 ? values.join('|') : name.replaceAll(/[^a-zA-Z]/g, '').toUpperCase()

const usageOf = ({ name, parameters, body }: Command): string => {
  const needed = parameters.filter(({ required }) => required)
  const words = needed.map((parameter) => `--${parameter.option} ${placeholder(parameter)}`)
  const file = body ? [body.required ? '-f FILE' : '[-f FILE]'] : []
  const others = parameters.length > needed.length ? ['[--parameter value …]'] : []
  return ['cloudctl', name, ...words, ...file, ...others].join(' ')
}

function documentPart({ body }: Command): string[] {
  const types = Object.entries(body?.types ?? {})
  return types.map(([type, example]) => {
    const name = types.length > 1 ? ` (--type ${type.replace(/^.*\.|\+json$/g, '')})` : ''
    return `\nDocument${name}\n${JSON.stringify(example, null, 2).replaceAll(/^/gm, '  ')}`
  })
}

export function commandHelp(command: Command): string {
  const parameters = command.parameters.map((parameter) => {
    const values = parameter.values.length >= 6 ? ` One of ${parameter.values.join(', ')}.` : ''
    return column(`--${parameter.option} ${placeholder(parameter)}`, `${parameter.description}${values}`)
  })
  return [
    `${command.name} — ${command.summary}\n`,
    `${command.description}\n`,
    `Usage\n  ${usageOf(command)}`,
    ...(parameters.length > 0 ? [`\nParameters\n${parameters.join('\n')}`] : []),
    ...documentPart(command),
    `\nRequest\n  ${command.method} ${command.path}`,
    '',
  ].join('\n')
}
