import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { experiment } from '#lib/tools/testing/cluster/experiment'
import type { Result } from '#lib/tools/testing/cluster/report'

/* One experiment, inside of its enclosure: `inside.ts DATA LOGS SEED SECONDS [FAULT]`. It leaves its result in LOGS/result.json. */

const [, , data = '', logs = '', seed = '1', seconds = '120', kind] = process.argv
// The process outside has ended.
process.stdin.on('end', () => process.exit(1)).resume()
const tell = (line: string) => process.stdout.write(`${line}\n`)
const result: Result = await experiment({
  seed: Number(seed),
  seconds: Number(seconds),
  kind,
  folders: { data, logs },
  tell,
})
writeFileSync(join(logs, 'result.json'), JSON.stringify(result))
process.exit()
