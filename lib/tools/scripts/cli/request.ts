import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { plainHttpRefusal, withoutSlashes } from '#lib/ground/net/loopback'
import type { Parsed } from '#lib/tools/scripts/cli/arguments'
import type { Command } from '#lib/tools/scripts/cli/commands'
import { type ExitCode, exit, Failure, readAll, type Terminal } from '#lib/tools/scripts/cli/outcome'
import { printable } from '#lib/tools/scripts/cli/printable'
import { savedSignIn } from '#lib/tools/scripts/cli/saved-token'

export type Server = { origin: string; authorization: string | undefined }

/** The address of the server, given with or without `/api`. */
const originOf = (address: string): string => {
  const text = /^https?:\/\//i.test(address) ? address : ''
  if (!URL.canParse(text))
    throw new Failure(exit.usage, `${address} is no address. Example: https://cloud.example.com/api`)
  return withoutSlashes(text).replace(/\/api$/, '')
}

/** Throws before anything is sent, or asked, where others could read it on the way. */
export function safeOrigin(address: string, { insecure }: Pick<Parsed, 'insecure'>): string {
  const origin = originOf(address)
  const reason = insecure ? undefined : plainHttpRefusal(origin)
  if (reason) throw new Failure(exit.usage, reason)
  return origin
}

/** The error of fetch about another text would show it, and end in a log. */
export function requireToken(name: string, token: string): string {
  if (!/^[!-~]+$/.test(token)) throw new Failure(exit.usage, `${name} must be one word of ASCII letters.`)
  return token
}

/** The server and the credentials: of the option and the environment, or else of `cloudctl login`. */
export async function serverOf(
  terminal: Terminal,
  { api, insecure }: Pick<Parsed, 'api' | 'insecure'>,
): Promise<Server> {
  const { API_URL, API_TOKEN } = terminal.env
  const saved = await savedSignIn(terminal)
  const address = api ?? (API_URL || saved?.api)
  if (!address)
    throw new Failure(exit.usage, 'No server is named. Set API_URL, give --api URL, or run: cloudctl login')
  const origin = safeOrigin(address, { insecure })
  // A token goes only to the server that it was made for.
  const given = API_TOKEN ? requireToken('API_TOKEN', API_TOKEN.trim()) : undefined
  const token = given ?? (saved && originOf(saved.api) === origin ? saved.token : undefined)
  return { origin, authorization: token && `Token ${token}` }
}

export function targetOf({ path, name, parameters }: Command, values: Parsed['values']): string {
  const missing = parameters.filter(({ required, option }) => required && values[option] === undefined)
  if (missing.length > 0) {
    const names = missing.map(({ option }) => `--${option}`).join(', ')
    throw new Failure(exit.usage, `${name} needs ${names}.\nSee: cloudctl help ${name}`)
  }
  const query = new URLSearchParams()
  let filled = path
  for (const { in: place, name: parameter, option } of parameters) {
    const value = values[option]
    if (value === undefined) continue
    if (place === 'query') for (const each of [value].flat()) query.append(parameter, String(each))
    if (place === 'path') filled = filled.replace(`{${parameter}}`, encodeURIComponent(String(value)))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

export const headersOf = ({ parameters }: Command, values: Parsed['values']): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(({ in: place, name, option }) =>
      place === 'header' && values[option] !== undefined ? [[name, String(values[option])]] : [],
    ),
  )

async function fileText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Failure(exit.usage, `${file} cannot be read: ${(error as Error).message}`, error)
  }
}

/** The document that is sent. An optional one is only read from `-f`: standard input may never end. */
async function documentOf(
  { body, name }: Command,
  { file }: Parsed,
  terminal: Terminal,
): Promise<string | undefined> {
  if (!body) {
    if (file) throw new Failure(exit.usage, `${name} takes no document.`)
    return undefined
  }
  if (file && file !== '-') return fileText(file)
  if (file !== '-' && (terminal.input.isTTY || !body.required)) {
    if (!body.required) return undefined
    throw new Failure(
      exit.usage,
      `${name} needs a document: on standard input, or -f FILE.\nSee: cloudctl help ${name}`,
    )
  }
  return readAll(terminal.input)
}

/** `--type ipsbulkcreation` where an operation takes several documents. A file that ends in `.csv` is CSV where the operation takes that. */
function typeOf({ body, name }: Command, { type, file }: Pick<Parsed, 'type' | 'file'>): string {
  if (body?.csv && (type === 'csv' || (!type && file?.toLowerCase().endsWith('.csv')))) return 'text/csv'
  if (!type) return 'application/json'
  const known = Object.keys(body?.types ?? {}).find((one) => one === type || one.endsWith(`.${type}+json`))
  if (!known)
    throw new Failure(exit.usage, `${name} takes no document of type ${type}.\nSee: cloudctl help ${name}`)
  return known
}

type Sent = { server: Server; terminal: Terminal; accept: string }

export async function send(
  command: Command,
  parsed: Parsed,
  { server, terminal, accept }: Sent,
): Promise<Response> {
  const target = targetOf(command, parsed.values)
  const body = await documentOf(command, parsed, terminal)
  const response = await fetched(terminal, server.origin + target, {
    method: command.method,
    headers: {
      accept,
      ...(server.authorization && { authorization: server.authorization }),
      ...(body !== undefined && { 'content-type': typeOf(command, parsed) }),
      ...headersOf(command, parsed.values),
    },
    ...(body !== undefined && { body }),
  })
  if (response.status >= 400) throw await refusalOf(response, command, server)
  return response
}

export async function fetched(terminal: Terminal, url: string, init: RequestInit): Promise<Response> {
  try {
    return await terminal.fetch(url, {
      ...init,
      // Credentials stay with the server that they are for, and with https.
      redirect: 'manual',
      ...(terminal.signal && { signal: terminal.signal }),
    })
  } catch (error) {
    if (terminal.signal?.aborted) throw error
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new Failure(exit.unavailable, `${new URL(url).origin} cannot be reached: ${reason}`, error)
  }
}

const refusal = z.object({ collection: z.array(z.object({ code: z.string(), message: z.string() })) })

/** Undefined if the text is none: the answer may be that of a proxy. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const codes: Record<number, ExitCode> = {
  401: exit.unauthorized,
  403: exit.unauthorized,
  404: exit.missing,
  409: exit.conflict,
  410: exit.missing,
  412: exit.conflict,
  422: exit.conflict,
  429: exit.unavailable,
}

/** Advice to the user about the status. */
function adviceOf(
  response: Response,
  command: Pick<Command, 'name' | 'description'>,
  server: Server,
): string {
  const wait = response.headers.get('retry-after')
  if (response.status === 401)
    return server.authorization
      ? 'The token is not valid (any more). Run cloudctl login, or set API_TOKEN to another one.'
      : 'Run cloudctl login, or set API_TOKEN.'
  if (response.status === 403)
    return /^Needs no privilege/.test(command.description)
      ? 'It is for the signed-in user, in the console: access tokens may not do it.'
      : command.description
  if (response.status === 412) return 'Read the resource again and repeat the change with its new ETag.'
  if (wait) return `Try again in ${wait} seconds.`
  const request = response.headers.get('x-request-id')
  if (response.status >= 500) return request ? `Request ${request}, in the server's log.` : ''
  return response.status === 400 ? `See: cloudctl help ${command.name}` : ''
}

/** The codes and messages of the refusal, and advice. */
export async function refusalOf(
  response: Response,
  command: Pick<Command, 'name' | 'description'>,
  server: Server,
): Promise<Failure> {
  const text = await response.text()
  const parsed = refusal.safeParse(jsonIn(text))
  const faults = parsed.success
    ? parsed.data.collection.map(({ code, message }) => printable(`${code}: ${message}`))
    : [`${response.status} ${response.statusText}`.trim()]
  const code = codes[response.status] ?? (response.status >= 500 ? exit.unavailable : exit.refused)
  return new Failure(code, [...faults, adviceOf(response, command, server)].filter(Boolean).join('\n'))
}
