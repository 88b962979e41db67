import { failOver } from '#lib/testing/failover'

/* Measures a PostgreSQL fail-over. Needs the PostgreSQL programs, but no build. */

const tell = (line: string) => process.stdout.write(`${line}\n`)
const { acknowledged, present, lost, half, gap, refused, others } = await failOver(200, tell)
tell(`The replica took its place: writing again after ${(gap / 1000).toFixed(2)} s, without a restart`)
tell(`Answered 503 meanwhile: ${refused}; with any other refusal: ${others.length}`)
tell(
  `Of ${acknowledged} acknowledged writes ${lost.length} are lost; ${present} are there, ${half.length} by half`,
)
if (lost.length + half.length + others.length > 0) process.exitCode = 1
