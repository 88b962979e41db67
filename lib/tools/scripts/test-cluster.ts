import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { enclosed, obstacle } from '#lib/tools/testing/cluster/enclosure'
import { faults } from '#lib/tools/testing/cluster/faults'
import { countFound, faultsTable, type Result, table } from '#lib/tools/testing/cluster/report'

/* `npm run test:cluster -- --seconds 600 --seeds 1,2,3`: consoles on a PostgreSQL cluster to which faults happen (docs/operation.md).
   `--fault 'primary stopped'` has only this kind (lib/tools/testing/cluster/faults.ts). */

const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: today },
    seeds: { type: 'string' },
    fault: { type: 'string' },
  },
})

/** The exit code of a program that was interrupted. */
const INTERRUPTED = 130

/** Undefined if it was interrupted. */
async function run(seed: string, folder: string): Promise<Result | undefined> {
  const data = mkdtempSync(join(tmpdir(), 'cluster-data-'))
  const logs = join(folder, `seed-${seed}`)
  mkdirSync(logs)
  try {
    const code = await enclosed('inside.ts', data, [
      logs,
      seed,
      values.seconds,
      ...(values.fault ? [values.fault] : []),
    ])
    if (code === INTERRUPTED) return undefined
    if (code !== 0) throw new Error(`the experiment with seed ${seed} has ended with ${code}: see ${logs}`)
    return JSON.parse(readFileSync(join(logs, 'result.json'), 'utf8')) as Result
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

const missing = obstacle()
if (values.fault && !Object.hasOwn(faults, values.fault)) {
  console.error(`There is no fault of this name. There are: ${Object.keys(faults).join(', ')}`)
  process.exitCode = 1
} else if (missing) console.log(`Skipped: ${missing}`)
else {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  const results: Result[] = []
  for (const seed of (values.seeds ?? values.seed).split(','))
    try {
      const result = await run(seed, folder)
      if (!result) process.exit(INTERRUPTED)
      results.push(result)
    } catch (error) {
      process.exitCode = 1
      console.error(error instanceof Error ? error.message : error)
    }
  console.log(`\n${table(results)}\n\n${faultsTable(results)}\n\nHistories and logs: ${folder}`)
  for (const { seed, found } of results)
    for (const [rule, lines] of Object.entries(found))
      for (const line of lines.slice(0, 10)) console.log(`seed ${seed}, ${rule}: ${line}`)
  if (results.some((result) => countFound(result) > 0)) process.exitCode = 1
}
