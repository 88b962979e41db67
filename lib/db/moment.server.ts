import { AsyncLocalStorage } from 'node:async_hooks'

/** What the database said of its version when the work first asked. */
type Moment = { version?: Promise<string> }

const moments = new AsyncLocalStorage<Moment>()

/** Within the work the database is asked only once whether anything was written: all that is kept is told as it was then, or later. */
export const withSnapshot = <T>(work: () => T): T => moments.run({}, work)

/** The version that the work goes by, asked for where it is not known yet. Outside of any work it is asked for each time. */
export function dataVersion(ask: () => Promise<string>): Promise<string> {
  const moment = moments.getStore() ?? {}
  moment.version ??= ask()
  return moment.version
}

/** The work has written something itself, and sees it from now on. */
export function invalidate(): void {
  const moment = moments.getStore()
  if (moment) delete moment.version
}
