import { type Failure, failOver } from '#lib/tools/testing/failover'

/* Measures PostgreSQL fail-overs. Needs the PostgreSQL programs, but no build. `-- 50` counts 50 writes before and after. */

const tell = (line: string) => process.stdout.write(`${line}\n`)

for (const failure of ['kill', 'stop'] satisfies Failure[]) {
  const { acknowledged, present, lost, half, gap, refused, others } = await failOver(
    failure,
    Number(process.argv[2] ?? 200),
    tell,
  )
  tell(`The replica was promoted: writing again ${(gap / 1000).toFixed(2)} s later, without a restart`)
  tell(`Answered 503 meanwhile: ${refused}; with any other refusal: ${others.length}`)
  tell(
    `Of ${acknowledged} acknowledged writes ${lost.length} are lost; ${present} are there, ${half.length} by half`,
  )
  if (lost.length + half.length + others.length > 0) process.exitCode = 1
}
