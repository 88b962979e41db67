import { transaction } from '#lib/db/db.server'

/** Closes an event for sealing, with all before it, as the next round of sealing does. */
export const closeEvent = (id: number): Promise<unknown> =>
  transaction(async (trx) => {
    const event = trx.selectFrom('events').where('id', '=', id)
    await trx
      .updateTable('seal_progress')
      .set({
        closed_transaction: event.select('transaction_number'),
        closed_event: event.select('id'),
      })
      .execute()
  })
