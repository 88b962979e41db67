// Runs a script of this project: `node lib/tools/scripts/run.js start`. Plain JavaScript, so that an old Node can report its version.
import { existsSync } from 'node:fs'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `Node 24.15 or newer is needed, but this is ${process.versions.node}. Start with npm, which brings its own Node, or install a newer one.\n`,
  )
  process.exit(1)
}
if (!existsSync(new URL('../../../node_modules', import.meta.url))) {
  process.stderr.write('The packages are not installed: npm ci\n')
  process.exit(1)
}
const [script, ...rest] = process.argv.slice(2)
/** Scripts that a mistaken option, such as `--port`, would start with other settings than meant. */
const withoutArguments = ['start', 'demo', 'demo-gateway', 'demo-oidc', 'demo-saml']
if (withoutArguments.includes(script) && rest.length > 0) {
  process.stderr.write(`${script} takes no arguments: settings come from the environment.\n`)
  process.exit(2)
}
process.argv = [...process.argv.slice(0, 2), ...rest]
try {
  await import(new URL(`./${script}.ts`, import.meta.url).href)
} catch (error) {
  const { reasonOf } = await import('../../server/start-failure.server.ts')
  const reason = reasonOf(error)
  if (reason === undefined) throw error
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
