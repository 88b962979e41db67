import { parseArgs } from 'node:util'
import { crashes } from '#lib/tools/testing/crashes'

/* `npm run demo:crash -- --kills 100 --engine postgres`: measures the cost of `kill -9`. Needs no build. */

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, engine: { type: 'string', default: 'sqlite' } },
})
const engine = values.engine === 'postgres' ? 'postgres' : 'sqlite'
const tell = (line: string) => process.stdout.write(`${line}\n`)
const { acknowledged, present, lost, half, missed, disordered, starts, others } = await crashes(
  engine,
  Number(values.kills),
  tell,
)

const inSeconds = (ms: number | undefined) => `${((ms ?? 0) / 1000).toFixed(2)} s`
for (const [who, times] of Object.entries(starts)) {
  const sorted = times.toSorted((one, other) => one - other)
  if (sorted.length > 0)
    tell(
      `${sorted.length} × kill -9 of the ${who}: from its start to the first acknowledged write ` +
        `${inSeconds(sorted[Math.floor(sorted.length / 2)])} (median), ${inSeconds(sorted.at(-1))} (longest)`,
    )
}
tell(
  `Of ${acknowledged} acknowledged writes ${lost.length} are lost; ${present} are there, ${half.length} by half`,
)
for (const each of [...lost, ...half].slice(0, 20)) tell(`  ${each}`)
tell(`The stream of events left out ${missed.length}, and had ${disordered} in another order`)
tell(`Answered otherwise than 200, 201 or 503: ${others.length}`)
if (lost.length + half.length + others.length + missed.length + disordered > 0) process.exitCode = 1
