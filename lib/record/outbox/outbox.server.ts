import { setTimeout as delay } from 'node:timers/promises'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { log } from '#lib/ground/log.server'
import { inRounds } from '#lib/ground/rounds.server'

/*
 * A message to the outside is stored in the transaction of the change that it reports, and any process sends it afterwards. A change that
 * was rolled back sends nothing, a committed one sends its message even after a crash, and no request waits for another server.
 */

const SECOND = 1000
/** After this time (ms) another process may attempt to send the same message. Longer than any attempt. */
const CLAIM = 60 * SECOND

type Queued = { id: number; expires_at: number }

/** How one kind of message is stored and sent. Its table has `id`, `due_at` and `expires_at`. */
export type Transport<Row extends Queued> = {
  table: 'mails' | 'webhook_deliveries'
  /** The maximum number of attempts at a time in this process. */
  atOnce: number
  isOn: () => boolean
  /** The messages that are due, at most so many. `underWay` are being sent by this process. */
  due: (db: Db, limits: { now: number; most: number; underWay: readonly Row[] }) => Promise<Row[]>
  /** Sends the message, and returns how to record the success. */
  send: (row: Row) => Promise<(trx: Trx) => Promise<unknown>>
  /** Records a failed attempt, and when the next one is. */
  failed: (trx: Trx, row: Row, error: unknown) => Promise<unknown>
  /** Records that the time of the message is over. */
  expired: (trx: Trx, row: Row) => Promise<unknown>
}

export type Outbox = {
  /** Attempts everything that is due, and waits for it. */
  sendDue: () => Promise<void>
  /** Looks each second for messages that are due. */
  keepSending: () => NodeJS.Timeout
}

export function outbox<Row extends Queued>(transport: Transport<Row>): Outbox {
  const underWay = new Map<Row, Promise<void>>()

  /** Claims messages that are due and starts to send them. Returns their number. */
  async function start(): Promise<number> {
    const most = transport.atOnce - underWay.size
    if (most <= 0 || !transport.isOn()) return 0
    const limits = { most, underWay: [...underWay.keys()] }
    if ((await transport.due(database().read, { now: Date.now(), ...limits, most: 1 })).length === 0) return 0
    const rows = await claim(transport, limits)
    for (const row of rows)
      underWay.set(
        row,
        attempt(transport, row).finally(() => underWay.delete(row)),
      )
    return rows.length
  }

  /** Goes on as long as messages are due, beside slow attempts. */
  async function round(): Promise<void> {
    while ((await start()) > 0)
      await Promise.race([...underWay.values(), delay(SECOND, null, { ref: false })])
  }

  return {
    sendDue: async () => {
      while ((await start()) > 0 || underWay.size > 0) await Promise.all(underWay.values())
    },
    keepSending: () => inRounds(SECOND, 'the outbox could not be read', round),
  }
}

/** If the process dies, another one sends the messages when the claim expires. */
const claim = <Row extends Queued>(
  { table, due }: Transport<Row>,
  limits: { most: number; underWay: readonly Row[] },
): Promise<Row[]> =>
  transaction(async (trx) => {
    const now = Date.now()
    const rows = await due(trx, { now, ...limits })
    const ids = rows.map(({ id }) => id)
    // The types of a query are too complex for a variable table name, so they are checked for one table.
    if (ids.length > 0)
      await trx
        .updateTable(table as 'mails')
        .set({ due_at: now + CLAIM })
        .where('id', 'in', ids)
        .execute()
    return rows
  })

async function attempt<Row extends Queued>(transport: Transport<Row>, row: Row): Promise<void> {
  try {
    const record =
      row.expires_at < Date.now() ? (trx: Trx) => transport.expired(trx, row) : await transport.send(row)
    await transaction(record)
  } catch (err) {
    log().warn({ err, [transport.table]: row.id }, 'a message could not be sent')
    await transaction((trx) => transport.failed(trx, row, err)).catch((error) =>
      log().error({ err: error }, 'a failed attempt could not be recorded'),
    )
  }
}
