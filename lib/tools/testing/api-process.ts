import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { basicOf, type User } from '#lib/tools/testing/client'
import type { Settings } from '#lib/tools/testing/own-database'
import { testSettings } from '#lib/tools/testing/settings'

export type ApiProcess = {
  url: string
  /** Its output so far. */
  lines: string[]
  process: ChildProcess
  /** Ends the process and returns its exit code. */
  stop: () => Promise<number | null>
}

type Others = Record<string, string>

export type Question = {
  as?: User
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Asks this process over the network; with a body the method is POST unless another is named. */
export const ask = (
  { url }: Pick<ApiProcess, 'url'>,
  path: string,
  { as, body, headers = {}, signal }: Question = {},
  method = body === undefined ? 'GET' : 'POST',
): Promise<Response> =>
  fetch(url + path, {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(as && { authorization: basicOf(as) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  })

export const statusOf = async (answer: Promise<Response>): Promise<number> => {
  const { status, body } = await answer
  await body?.cancel()
  return status
}

/** The environment of a server of this database, on a free port. */
export const environmentOf = (
  { DATA_DIR, DATABASE_URL = '' }: Settings,
  settings: Others = {},
): NodeJS.ProcessEnv => ({
  ...process.env,
  ...testSettings,
  LOG_LEVEL: 'silent',
  WEB_CONCURRENCY: '1',
  DATA_DIR,
  DATABASE_URL,
  PORT: '0',
  ...settings,
})

/** `within`: a command that runs the one behind it elsewhere, such as in a network namespace. */
function spawned(database: Settings, settings: Others, within: readonly string[] = []) {
  const [program = '', ...words] = [...within, process.execPath, 'lib/tools/testing/api-server.ts']
  return spawn(program, words, {
    env: environmentOf(database, settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The line in which a server names its address. */
export const started = /^Console and API: (.+)$/

/** The server of the API as `npm start` runs it, on a free port over this database. */
export async function startApi(
  database: Settings,
  settings: Others = {},
  within: readonly string[] = [],
): Promise<ApiProcess> {
  const child = spawned(database, settings, within)
  child.stderr.pipe(process.stderr)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    reader.on('line', (line) => {
      lines.push(line)
      const [, address] = started.exec(line) ?? []
      // With BASE_URL, this address replaces the one on which it listens.
      if (address) resolve(settings.PORT ? `http://127.0.0.1:${settings.PORT}` : address)
    })
    child.once('exit', () => reject(new Error('the server has not started')))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    return child.exitCode
  }
  return { url, lines, process: child, stop }
}

/** A server that does not start: its exit code and its message. */
export async function failingStart(
  database: Settings,
  settings: Others = {},
): Promise<{ code: number | null; said: string }> {
  const child = spawned(database, settings)
  child.stdout.resume()
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, said }
}
