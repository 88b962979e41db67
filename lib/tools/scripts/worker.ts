import { serveHere } from '#lib/server/process.server'
import { StartFailure } from '#lib/server/start-failure.server'
import type { CannotStart } from '#lib/server/workers.server'

// One of several processes behind one address. The primary has already prepared the database.
const [, , pages = '', chores] = process.argv
try {
  await serveHere({ pages, chores: chores !== undefined })
} catch (error) {
  if (!(error instanceof StartFailure)) throw error
  const { message } = error
  process.send?.({ kind: 'cannot-start', message } satisfies CannotStart, () => process.exit(1))
}
