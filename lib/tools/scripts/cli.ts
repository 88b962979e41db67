import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manual, manualOf } from '#lib/tools/scripts/cli/commands'
import { type Terminal, unwritable } from '#lib/tools/scripts/cli/outcome'
import { questions } from '#lib/tools/scripts/cli/questions'
import { run } from '#lib/tools/scripts/cli/run'

/* `npm run -s cli -- …`, installed as cloudctl. The build writes the commands (lib/tools/scripts/describe.ts); a checkout that is not built derives them here. */

const project = join(import.meta.dirname, '../../..')
const built = join(project, '.next/commands.json')

async function readManual(): Promise<Manual> {
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8')) as Manual
  // The routes are found below the current folder, and files of the caller too.
  const folder = process.cwd()
  process.chdir(project)
  const { describeApi } = await import('#lib/openapi/openapi.server')
  const { loadRoutes } = await import('#lib/request/pipeline/routes.server')
  const manual = manualOf(describeApi(await loadRoutes()))
  process.chdir(folder)
  return manual
}

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())
process.stdout.on('error', (error) => {
  const failure = unwritable(error)
  if (failure) process.stderr.write(`${failure.message}\n`)
  process.exit(failure?.code ?? 0)
})

const terminal: Terminal = {
  env: process.env,
  input: process.stdin,
  write: (text) => void process.stdout.write(text),
  isTTY: process.stdout.isTTY,
  tell: (text) => void process.stderr.write(text),
  ...(process.stderr.isTTY && { progress: (text) => void process.stderr.write(`\r\x1b[K${text}`) }),
  fetch,
  ask: questions(process.stdin, process.stderr),
  signal: stop.signal,
}

process.exitCode = await run(await readManual(), process.argv.slice(2), terminal)
// A pipe that stays open does not keep the program running.
process.stdin.destroy()
