import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/* `npm run licences` lists the packages of a production install with their licences. It fails for a licence that requires more than attribution. */

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string(), license: z.string().default('not stated'), dev: z.boolean().optional() }),
  ),
})

/** LGPL is allowed: its libraries are loaded separately, so users can replace them. OFL: fonts may be shipped with any program. */
const permissive =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC-BY-4\.0|CC0-1\.0|LGPL-3\.0-or-later|OFL-1\.1)$/

const file = readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8')
const installed = Object.entries(lock.parse(JSON.parse(file)).packages)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, { version, license }]) => ({ name: path.replace(/^.*node_modules\//, ''), version, license }))
  .toSorted((one, other) => one.license.localeCompare(other.license) || one.name.localeCompare(other.name))

for (const { name, version, license } of installed) console.log(`${license.padEnd(20)} ${name} ${version}`)

const others = installed.filter(
  ({ license }) => !license.split(/ (?:AND|OR) |[()]/).every((part) => part === '' || permissive.test(part)),
)
console.log(`\n${installed.length} packages, ${others.length} of them under other terms`)
for (const { name, license } of others) console.error(`${name}: ${license}`)
process.exit(others.length > 0 ? 1 : 0)
