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

/** The variables, options and arguments of `npm start`, which limit the memory of the process. */
const program = (() => {
  const words = packageFile.scripts.start.split(' ')
  const node = words.indexOf('node')
  const args = words.slice(node + 1)
  return {
    variables: Object.fromEntries(words.slice(0, node).map((word) => word.split('='))),
    options: args.filter((arg) => arg.startsWith('--')),
    args,
  }
})()

/** Starts the product like `npm start`. */
export const startProduct = (settings: Record<string, string>): Promise<Server> =>
  start(program.args, '/readyz', { ...program.variables, ...settings })

/** Starts the floor over the file of these settings, with the product's options. */
export const startFloor = (settings: Record<string, string>): Promise<Server> =>
  start([...program.options, 'lib/tools/bench/floor/server.ts'], '/readyz', {
    ...program.variables,
    ...settings,
  })
