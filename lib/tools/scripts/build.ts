import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/* Builds the console. Prints one line, and the output of the build only if it fails. */

process.stdout.write('Building the console, about a minute …\n')
const build = spawn('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'pipe', 'pipe'] })
const [printed, complained, [code]] = await Promise.all([
  text(build.stdout),
  text(build.stderr),
  once(build, 'exit'),
])
if (code !== 0) {
  process.stderr.write(`${printed}${complained}The build failed.\n`)
  process.exitCode = 1
}
