import { type Context, Messages, type Settings } from '#lib/gateway/context'
import { Counters } from '#lib/gateway/counters'
import { Drift } from '#lib/gateway/drift'
import { LiveTable } from '#lib/gateway/live-table'
import { listen } from '#lib/gateway/monitor'
import { requireTables } from '#lib/gateway/nft'
import { Pulling } from '#lib/gateway/pulling'
import { Reporting } from '#lib/gateway/reporting'
import { Upkeep } from '#lib/gateway/upkeep'

/**
 * Applies the translations of a device on this machine, and reports the state (docs/gateway.md), until the signal comes. The gateway pulls, so
 * no address of this machine need be reachable. The table stays after the end, so packets still pass. Throws if this process may not change the
 * kernel's tables.
 */
export async function runGateway(settings: Settings): Promise<void> {
  const { place, signal } = settings
  const context: Context = { ...settings, messages: new Messages(settings.log) }
  const counters = new Counters()
  const drift = new Drift(settings.isWatching)
  const table = new LiveTable(context, { counters, drift, wake: () => upkeep.wake() })
  const pulling = new Pulling(context, {
    counters,
    want: (...translations) => {
      table.want(...translations)
      upkeep.wake()
    },
  })
  const reporting = new Reporting(context, { counters, drift, pulling, table })
  const upkeep = new Upkeep(context, { pulling, reporting, table })

  await requireTables(place)
  const heard = () => {
    table.expireReading()
    upkeep.wake()
  }
  await Promise.all([listen(place, { heard, signal }), pulling.run(), upkeep.run()])
}
