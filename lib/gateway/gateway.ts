import { type Context, Messages, type Settings } from '#lib/gateway/context'
import { Counters } from '#lib/gateway/counters'
import { Drift } from '#lib/gateway/drift'
import { LiveTable } from '#lib/gateway/live-table'
import { Metrics } from '#lib/gateway/metrics'
import { serveMetrics } from '#lib/gateway/metrics-server'
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
  const { api, isWatching, log, metricsPort, place, signal, version } = settings
  const metrics = new Metrics()
  const messages = new Messages(log, metrics)
  const context: Context = { ...settings, messages, metrics }
  const counters = new Counters()
  const drift = new Drift(settings.isWatching)
  const table = new LiveTable(context, { counters, drift, wake: () => upkeep.wake() })
  const pulling = new Pulling(context, {
    counters,
    want: (...translations) => {
      table.want(...translations)
      metrics.want()
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
  const info = { version, device: String(api.device), mode: isWatching ? 'watch' : 'enforce' }
  const measured = async (port: number) =>
    // NAT goes on without them.
    serveMetrics(port, () => metrics.text(reporting.figures, info), signal).catch((error: unknown) =>
      messages.fail('metrics', error, 'no metrics: '),
    )
  await Promise.all([
    listen(place, { heard, signal }),
    pulling.run(),
    upkeep.run(),
    metricsPort === undefined ? undefined : measured(metricsPort),
  ])
}
