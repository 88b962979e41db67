import type { Api } from '#lib/gateway/api'
import type { TableLocation } from '#lib/gateway/nft'

/* The settings of a gateway, and the log that its loops share. */

export type Settings = {
  api: Api
  place: TableLocation
  /** Reads and reports, and writes nothing. */
  isWatching: boolean
  /** Seconds. */
  interval: number
  /** The network device that gets the NAT IPs as addresses, if they are not routed to this machine. */
  announced: string | undefined
  version: string
  log: (line: string) => void
  signal: AbortSignal
}

export type Context = Settings & { messages: Messages }

/** Logs each message once, although the loops repeat it. */
export class Messages {
  readonly #log: (line: string) => void
  readonly #last = new Map<string, string>()

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  /** Logs the line unless it is the last one about this subject. */
  report(about: string, line: string): void {
    if (line !== '' && this.#last.get(about) !== line) this.#log(line)
    this.#last.set(about, line)
  }

  /** The next line about this subject is logged, even if it is the same. */
  clear(about: string): void {
    this.#last.set(about, '')
  }
}

export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // The message of fetch says only that it failed. Its cause has the reason.
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
