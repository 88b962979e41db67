import { ZodError } from 'zod'
import {
  commandWord,
  type Format,
  optionsOf,
  type Parsed,
  parse,
  requireCommand,
  requireNoWords,
} from '#lib/tools/scripts/cli/arguments'
import type { Command, Manual } from '#lib/tools/scripts/cli/commands'
import { candidates, completionScript } from '#lib/tools/scripts/cli/completion'
import { follow } from '#lib/tools/scripts/cli/follow'
import { canFollow, followJob } from '#lib/tools/scripts/cli/follow-job'
import { commandHelp, generalHelp, ownCommands } from '#lib/tools/scripts/cli/help'
import { type ExitCode, exit, Failure, isCut, type Terminal } from '#lib/tools/scripts/cli/outcome'
import { applyFile, planFile } from '#lib/tools/scripts/cli/plans'
import { printDocument } from '#lib/tools/scripts/cli/print'
import { guarded, printable } from '#lib/tools/scripts/cli/printable'
import { send, serverOf } from '#lib/tools/scripts/cli/request'
import { login } from '#lib/tools/scripts/cli/sign-in'

/** Runs one command. Its result goes to standard output, everything else to standard error. */
export async function run(manual: Manual, args: string[], terminal: Terminal): Promise<ExitCode> {
  const shown = guarded(terminal)
  try {
    await perform(manual, args, shown)
    return exit.done
  } catch (error) {
    const failure = error instanceof Failure ? error : failureOf(error, shown)
    shown.tell(`${failure.message}\n`)
    return failure.code
  }
}

function failureOf(error: unknown, { signal }: Terminal): Failure {
  if (signal?.aborted) return new Failure(exit.interrupted, 'Interrupted.', error)
  if (isCut(error))
    return new Failure(exit.unavailable, 'The connection was lost in the middle of the answer.', error)
  // JSON.parse and Zod quote the answer in their messages.
  if (!(error instanceof SyntaxError || error instanceof ZodError)) throw error
  return new Failure(exit.unavailable, `The answer of the server cannot be read: ${error.message}`, error)
}

const asksForHelp = (args: string[]): boolean => args.some((arg) => arg === '-h' || arg === '--help')

async function perform(manual: Manual, args: string[], terminal: Terminal): Promise<void> {
  const { word, rest } = commandWord(args)
  if (word === 'complete') return terminal.write(`${candidates(manual, args.slice(1)).join('\n')}\n`)
  if (word === 'version' || (word === undefined && args.includes('--version'))) {
    requireNoWords('version', parse(rest, { version: { type: 'boolean' } }, 'help').words)
    return terminal.write(`${manual.version}\n`)
  }
  if (word === undefined || word === 'help') {
    const { words } = parse(rest, {}, 'help')
    requireNoWords('help', words.slice(1))
    if (word === undefined && !asksForHelp(rest)) throw new Failure(exit.usage, generalHelp(manual).trimEnd())
    return terminal.write(helpFor(manual, words[0]))
  }
  if (word in ownCommands) {
    if (asksForHelp(rest)) return terminal.write(helpFor(manual, word))
    return performOwn(manual, word, rest, terminal)
  }
  return performOperation(requireCommand(manual, word), rest, terminal)
}

const helpFor = (manual: Manual, word: string | undefined): string =>
  word === undefined ? generalHelp(manual) : (ownCommands[word] ?? commandHelp(requireCommand(manual, word)))

async function performOwn(manual: Manual, word: string, rest: string[], terminal: Terminal): Promise<void> {
  if (word === 'login') return login(terminal, rest)
  if (word === 'completion') {
    const [shell, ...others] = parse(rest, {}, 'help completion').words
    requireNoWords('completion', others)
    return terminal.write(completionScript(shell))
  }
  if (word === 'plan') return planFile(manual, rest, terminal)
  if (word === 'apply') return applyFile(manual, rest, terminal)
  if (word === 'export')
    return performOperation(requireCommand(manual, 'exportCloud'), ['--format', 'json', ...rest], terminal)
  if (!rest.includes('--follow'))
    return performOperation(requireCommand(manual, 'listEvents'), ['--asc', 'false', ...rest], terminal)
  const others = rest.filter((one) => one !== '--follow')
  return performOperation(requireCommand(manual, 'followEvents'), others, terminal)
}

/** Path parameters may be given as words, too: `get-scope 7`. */
function withWords({ parameters, name }: Command, parsed: Parsed): Parsed {
  const open = parameters.filter(
    ({ in: place, option }) => place === 'path' && parsed.values[option] === undefined,
  )
  if (parsed.words.length > open.length)
    throw new Failure(
      exit.usage,
      `${name} does not expect “${parsed.words[open.length]}”.\nSee: cloudctl help ${name}`,
    )
  const given = parsed.words.map((word, index) => [open[index]?.option, word] as const)
  return { ...parsed, values: { ...parsed.values, ...Object.fromEntries(given) } }
}

async function performOperation(command: Command, args: string[], terminal: Terminal): Promise<void> {
  const given = parse(args, optionsOf(command), `help ${command.name}`)
  if (given.help) return terminal.write(commandHelp(command))
  const worded = withWords(command, given)
  if (worded.follow && !canFollow(command))
    throw new Failure(
      exit.usage,
      `${command.name} is no job: leave out --follow.\nSee: cloudctl help ${command.name}`,
    )
  const parsed = worded.follow ? { ...worded, values: { ...worded.values, prefer: 'respond-async' } } : worded
  const format = parsed.format ?? 'table'
  const server = await serverOf(terminal, parsed)
  if (command.otherType === 'text/event-stream') return follow(command, parsed, { server, terminal, format })
  const accept = format === 'csv' && command.csv ? 'text/csv' : (command.otherType ?? 'application/json')
  const response = await send(command, parsed, { server, terminal, accept: `${accept}, */*;q=0.1` })
  const ended = parsed.follow ? await followJob(command, response, { server, terminal }) : response
  await print(ended, { accept, format, terminal })
}

/** Documents are formatted. Everything else, such as CSV, goes out as it comes. */
async function print(
  response: Response,
  { accept, format, terminal }: { accept: string; format: Format; terminal: Terminal },
): Promise<void> {
  const type = response.headers.get('content-type') ?? ''
  const etag = response.headers.get('etag')
  if (etag && format === 'table') terminal.tell(`ETag ${etag}\n`)
  const target = response.headers.get('location')
  if (response.status >= 300 && target) return terminal.write(`${printable(target)}\n`)
  if (response.status === 304) return terminal.tell('It has not changed.\n')
  if (response.body === null || response.status === 204) return terminal.tell('Done.\n')
  if (/json/.test(type)) return printDocument(await response.json(), format, terminal)
  // A proxy or a sign-in page of the network may answer with a page of its own.
  if (!type.startsWith(accept))
    throw new Failure(
      exit.unavailable,
      `The answer of the server cannot be read: it is ${type || 'of no type'}, not ${accept}.`,
    )
  if (terminal.isTTY) return terminal.write(`${(await response.text()).trimEnd()}\n`)
  let last: number | undefined
  for await (const piece of response.body) {
    terminal.write(piece)
    last = piece.at(-1) ?? last
  }
  if (last !== undefined && last !== 10) terminal.write('\n')
}
