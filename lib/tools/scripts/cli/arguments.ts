import { parseArgs } from 'node:util'
import { type Command, findCommand, type Manual, optionOf } from '#lib/tools/scripts/cli/commands'
import { exit, Failure } from '#lib/tools/scripts/cli/outcome'

export const formats = ['table', 'json', 'csv'] as const
export type Format = (typeof formats)[number]

/** Options of every command. They may stand before or after its name. */
export const commonOptions = {
  api: { type: 'string' },
  format: { type: 'string' },
  file: { type: 'string', short: 'f' },
  type: { type: 'string' },
  insecure: { type: 'boolean' },
  follow: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export type Common = {
  api?: string
  format: Format | undefined
  file?: string
  type?: string
  insecure: boolean
  /** Runs the operation as a job, and follows it to its end. */
  follow: boolean
}

export type Parsed = Common & {
  help: boolean
  words: string[]
  values: Record<string, string | boolean | string[]>
}

type Options = Record<string, { type: 'string' | 'boolean'; short?: string; multiple?: boolean }>

/** `--idScope=3` and `--If-Match x` as the options are spelled here. */
const spelled = (args: string[]): string[] =>
  args.map((arg) => arg.replace(/^--[^=]+/, (name) => optionOf(name).replace(/^--/, '--')))

/** Parses the options of a command, or of all commands where none is known. */
export function parse(args: string[], own: Options, hint: string): Parsed {
  try {
    const { values, positionals } = parseArgs({
      args: spelled(args),
      options: { ...commonOptions, ...own } as Options,
      allowPositionals: true,
    })
    const { api, format, file, type, insecure, follow, help, ...rest } = values as Record<
      string,
      string | boolean
    >
    return {
      ...(typeof api === 'string' && { api }),
      ...(typeof file === 'string' && { file }),
      ...(typeof type === 'string' && { type }),
      format: formatOf(format),
      insecure: insecure === true,
      follow: follow === true,
      help: help === true,
      words: positionals,
      values: rest,
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // parseArgs adds advice that quotes the option once more.
    const [message = ''] = error.message.split(/\. To specify|\.?\n/)
    throw new Failure(exit.usage, `${message}.\nSee: cloudctl ${hint}`, error)
  }
}

/** An ignored word may be a name that was meant to count. It is not shown: after `login --token` it may be a token. */
export function requireNoWords(name: string, words: readonly string[]): void {
  if (words.length > 0) throw new Failure(exit.usage, `${name} takes no further words. See: cloudctl help`)
}

function formatOf(text: string | boolean | undefined): Format | undefined {
  if (text === undefined) return undefined
  const format = formats.find((name) => name === text)
  if (!format) throw new Failure(exit.usage, `--format is one of ${formats.join(', ')}, not ${text}.`)
  return format
}

/** The first word that is neither an option of all commands nor its value. */
export function commandWord(args: string[]): { word: string | undefined; rest: string[] } {
  const { tokens } = parseArgs({
    args,
    options: commonOptions,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const token = tokens.find(({ kind }) => kind === 'positional')
  if (!token) return { word: undefined, rest: args }
  return { word: args[token.index], rest: args.filter((_, index) => index !== token.index) }
}

export const optionsOf = ({ parameters }: Command): Options =>
  Object.fromEntries(
    parameters.map(({ option, isList }) => [option, { type: 'string' as const, multiple: isList }]),
  )

/** Levenshtein's distance, for "did you mean". */
function distance(one: string, other: string): number {
  let row = [...Array(other.length + 1).keys()]
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [at, against] of [...other].entries())
      next.push(
        Math.min((row[at] ?? 0) + (letter === against ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

export function requireCommand(manual: Manual, word: string): Command {
  const command = findCommand(manual, word)
  if (command) return command
  const near = manual.commands
    .map(({ name }) => ({ name, far: distance(word.toLowerCase(), name) }))
    .sort((one, other) => one.far - other.far)
    .slice(0, 3)
    .filter(({ far }) => far <= 3)
  const suggestion = near.length > 0 ? `Did you mean ${near.map(({ name }) => name).join(', ')}?\n` : ''
  throw new Failure(exit.usage, `There is no command ${word}.\n${suggestion}See: cloudctl help`)
}
