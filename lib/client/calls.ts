/* The console's requests, for "Show the call": every request passes `noteCall` on its way (api.ts), so no screen can forget it. */

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path with its query. */
  address: string
  headers: Record<string, string>
  /** A document that is sent as JSON, or a form. */
  body?: unknown
}

/** A request that was noted instead of sent. */
class NotSent extends Error {}

type Rehearsal = { calls: Call[]; takes: (call: Call) => boolean }

const rehearsals = new Set<Rehearsal>()

/** Operations of the console's own session, which no program may call (docs/api/programs.md, "Programs and own account"). */
const isOwn = ({ address }: Call): boolean => /^\/api\/session\b/.test(address)

/** Notes a request of a rehearsal, and stops it. */
export function noteCall(call: Call): void {
  const taking = isOwn(call) ? [] : [...rehearsals].filter(({ takes }) => takes(call))
  if (taking.length === 0) return
  for (const { calls } of taking) calls.push(call)
  throw new NotSent()
}

const isChange = ({ method }: Call): boolean => method !== 'GET'

/** The changes that `save` would send now. Its reads are sent; the first change ends it. */
export async function rehearseChange(save: () => Promise<unknown>): Promise<Call[]> {
  const own: Rehearsal = { calls: [], takes: isChange }
  rehearsals.add(own)
  try {
    await save()
  } catch (error) {
    if (!(error instanceof NotSent)) throw error
  } finally {
    rehearsals.delete(own)
  }
  return own.calls
}

/** The requests with which `read` begins, before it waits for anything. They are not sent. */
export function rehearseRead(read: () => unknown): Call[] {
  const own: Rehearsal = { calls: [], takes: () => true }
  rehearsals.add(own)
  try {
    void Promise.resolve(read()).catch(() => undefined)
  } finally {
    rehearsals.delete(own)
  }
  return own.calls
}

const RECENT_MS = 3000
const MOST = 20

/** A change that the API has made, and when it was sent (epoch milliseconds). */
export type Change = { call: Call; sent: number }

let changes: (Change & { at: number })[] = []

let count = 0

/** How many changes the API has made in this page, without those of the console's own session. */
export const countChanges = (): number => count

/** Notes a change for the notice about it. */
export function noteChange(change: Change): void {
  if (!isChange(change.call) || isOwn(change.call)) return
  count += 1
  changes = [...changes, { ...change, at: Date.now() }].slice(-MOST)
}

/** The changes since the last notice. Older ones have no notice of their own. */
export function takeChanges(): Change[] {
  const since = Date.now() - RECENT_MS
  const recent = changes.filter(({ at }) => at >= since)
  changes = []
  return recent
}
