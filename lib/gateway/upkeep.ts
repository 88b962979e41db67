import { readFile } from 'node:fs/promises'
import { announce } from '#lib/gateway/addresses'
import { pause } from '#lib/gateway/api'
import { type Context, errorText } from '#lib/gateway/context'
import type { LiveTable } from '#lib/gateway/live-table'
import type { Pulling } from '#lib/gateway/pulling'
import type { Reporting } from '#lib/gateway/reporting'

/* The loop that keeps the kernel's table as the API wants it, and reports: at once after a change, and each interval. */

type Parts = { pulling: Pulling; reporting: Reporting; table: LiveTable }

export class Upkeep {
  readonly #context: Context
  readonly #parts: Parts
  /** The last pause ended because the interval was over. */
  #isLate = false
  #wake = () => {}

  constructor(context: Context, parts: Parts) {
    this.#context = context
    this.#parts = parts
  }

  /** Starts the next round at once. */
  wake(): void {
    this.#wake()
  }

  async run(): Promise<void> {
    const { signal, interval, messages } = this.#context
    while (!signal.aborted) {
      const began = Date.now()
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      try {
        await this.#round()
        messages.clear('table')
      } catch (error) {
        if (signal.aborted) return
        this.#parts.table.expireReading()
        messages.report('table', errorText(error))
        await pause(1000, signal)
      }
      const rest = interval * 1000 - (Date.now() - began)
      const ended = await Promise.race([woken, pause(Math.max(0, rest), signal).then(() => 'late')])
      this.#isLate = ended === 'late'
    }
  }

  async #round(): Promise<void> {
    const { isWatching } = this.#context
    const { pulling, reporting, table } = this.#parts
    // Before the API's first answer, the machine stays unchanged.
    if (pulling.revision === undefined) return
    await this.#warnOfForwarding()
    await table.prepare()
    try {
      if (table.isReadingDue(this.#isLate)) await table.read()
      const { revision } = pulling
      if (isWatching) table.compare()
      else {
        await table.change()
        await this.#announce()
      }
      table.noteApplied(revision)
    } finally {
      reporting.start()
    }
  }

  async #announce(): Promise<void> {
    const { place, announced, messages } = this.#context
    if (announced === undefined) return
    try {
      await announce(place, announced, this.#parts.table.elements)
      messages.clear('announce')
    } catch (error) {
      messages.report('announce', errorText(error))
    }
  }

  async #warnOfForwarding(): Promise<void> {
    const { messages } = this.#context
    const natIps = [...this.#parts.pulling.translations.values()].map(({ natIp }) => natIp)
    const keys = [...new Set(natIps.map((natIp) => natIp.includes(':')))].map((isSix) =>
      isSix ? 'net.ipv6.conf.all.forwarding' : 'net.ipv4.ip_forward',
    )
    for (const key of keys) {
      const value = await readFile(`/proc/sys/${key.replaceAll('.', '/')}`, 'utf8').catch(() => '')
      if (value.trim() === '0') messages.report(key, `this machine forwards no packets: sysctl -w ${key}=1`)
      else messages.clear(key)
    }
  }
}
