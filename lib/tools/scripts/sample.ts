import { parseArgs } from 'node:util'
import { closeDatabase, database } from '#lib/db/db.server'
import { prepare } from '#lib/server/prepare.server'
import { sampleBulk } from '#lib/tools/sample/bulk.server'

const number = { type: 'string', default: '0' } as const
const { values } = parseArgs({
  options: { 'nat-ips': number, 'nat-rules': number, scopes: number, enterprises: number, users: number },
})
const wrong = Object.entries(values).find(([, value]) => !/^\d{1,8}$/.test(value))
if (wrong) {
  process.stderr.write(`--${wrong[0]} must be a number\n`)
  process.exit(1)
}

await prepare()
const line = process.stdout.isTTY ? '\r' : '\n'
await sampleBulk(
  {
    natIps: Number(values['nat-ips']),
    natRules: Number(values['nat-rules']),
    scopes: Number(values.scopes),
    enterprises: Number(values.enterprises),
    users: Number(values.users),
  },
  (what, done, of) => process.stdout.write(`${what}: ${done} of ${of}${done === of ? '\n' : line}`),
)
await closeDatabase(database())
