import type { Api } from '#lib/gateway/api'
import { errorText, type Level, type Log } from '#lib/gateway/log'
import type { Failing, Metrics } from '#lib/gateway/metrics'
import type { TableLocation } from '#lib/gateway/nft'

/* The settings of a gateway, and the log and the metrics that its loops share. */

export type Settings = {
  api: Api
  place: TableLocation
  /** Reads and reports, and writes nothing. */
  isWatching: boolean
  /** Seconds. */
  interval: number
  /** The network device that gets the NAT IPs as addresses, if they are not routed to this machine. */
  announced: string | undefined
  /** Where this machine can read the metrics. */
  metricsPort: number | undefined
  version: string
  log: Log
  signal: AbortSignal
}

export type Context = Settings & { messages: Messages; metrics: Metrics }

/** Logs each message once, although the loops repeat it. */
export class Messages {
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #last = new Map<string, string>()

  constructor(log: Log, metrics: Metrics) {
    this.#log = log
    this.#metrics = metrics
  }

  /** Logs the line unless it is the last one about this subject. */
  report(about: string, line: string, level: Level = 'warn'): void {
    if (line !== '' && this.#last.get(about) !== line) this.#log(level, line, { about })
    this.#last.set(about, line)
  }

  /** Counts the failure, and reports its reason. */
  fail(about: Failing, error: unknown, what = ''): void {
    this.#metrics.noteFailure(about)
    this.report(about, `${what}${errorText(error)}`)
  }

  /** The next line about this subject is logged, even if it is the same. */
  clear(about: string): void {
    this.#last.set(about, '')
  }
}
