import { endDue } from '#lib/state/ends/ends.server'
import { router } from '#lib/tools/testing/client'

/*
 * Ends what is due on each day of a simulated year and more, as the server does each second. Arguments: the moment at which day 0 begins
 * (ms), the first day, and the day after the last one. Prints each day before and after.
 */

// The user who set an end may make the change by its route.
await router()

const DAY = 24 * 60 * 60 * 1000
const [start = 0, first = 0, last = 0] = process.argv.slice(2).map(Number)

for (let day = first; day < last; day += 1) {
  process.stdout.write(`begin ${day}\n`)
  await endDue(start + day * DAY)
  process.stdout.write(`end ${day}\n`)
}
process.exit(0)
