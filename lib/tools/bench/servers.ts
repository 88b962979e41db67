import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#lib/tools/testing/free-port'
import { testSettings } from '#lib/tools/testing/settings'

export const root = join(import.meta.dirname, '../../..')
const packageFile = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}
const emptyApp = 'lib/tools/bench/empty'
const next = join(root, 'node_modules/next/dist/bin/next')

export type Server = { url: string; pid: number; stop: () => Promise<void> }

export const environment = (settings: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...testSettings,
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  LOG_LEVEL: 'silent',
  ...settings,
})

/** Runs a Node program until it exits. */
export async function run(args: string[], settings: Record<string, string> = {}): Promise<void> {
  const program = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment(settings),
  })
  const [code] = await once(program, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

/** Starts a Node program that listens on PORT, and waits until it responds. */
async function start(args: string[], probe: string, settings: Record<string, string> = {}): Promise<Server> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment({ ...settings, PORT: String(port) }),
  })
  for (const deadline = Date.now() + 120_000; Date.now() < deadline && server.exitCode === null; ) {
    const answer = await fetch(`${url}${probe}`).catch(() => undefined)
    if (answer?.ok) return { url, pid: server.pid ?? 0, stop: () => ended(server) }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await ended(server)
  throw new Error(`${args.join(' ')} did not start`)
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  await exit
}

export const startBare = (): Promise<Server> => start(['lib/tools/bench/bare.ts'], '/')

/** A Next application with a single route handler that returns a constant. */
export async function startEmptyNext(): Promise<Server> {
  await run([next, 'build', emptyApp])
  return start([next, 'start', emptyApp], '/api/empty')
}

/** Starts the product like `npm start`, whose variables and options limit its memory. */
export function startProduct(settings: Record<string, string>): Promise<Server> {
  const words = packageFile.scripts.start.split(' ')
  const program = words.indexOf('node')
  const variables = Object.fromEntries(words.slice(0, program).map((word) => word.split('=')))
  return start(words.slice(program + 1), '/readyz', { ...variables, ...settings })
}
