import { readFile } from 'node:fs/promises'
import { announce } from '#lib/gateway/addresses'
import { pause } from '#lib/gateway/api'
import type { Context } from '#lib/gateway/context'
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
  #woken: Promise<void> = Promise.resolve()
  #wake = () => {}

  constructor(context: Context, parts: Parts) {
    this.#context = context
    this.#parts = parts
    this.#rearm()
  }

  /** Starts the next round at once. */
  wake(): void {
    this.#wake()
  }

  /** What wakes from now on is for the next round. */
  #rearm(): void {
    this.#woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  async run(): Promise<void> {
    const { signal, interval, messages } = this.#context
    while (!signal.aborted) {
      const late = pause(interval * 1000, signal).then(() => 'late' as const)
      try {
        await this.#round(late)
        messages.clear('table')
      } catch (error) {
        if (signal.aborted) return
        this.#parts.table.expireReading()
        messages.fail('table', error)
        await pause(1000, signal)
      }
      this.#isLate = (await Promise.race([this.#woken, late])) === 'late'
    }
  }

  async #round(late: Promise<unknown>): Promise<void> {
    const { isWatching, metrics } = this.#context
    const { pulling, reporting, table } = this.#parts
    // Before the API's first answer, the machine stays unchanged.
    if (pulling.revision === undefined) return this.#rearm()
    await this.#warnOfForwarding()
    await table.prepare()
    try {
      // A change does not wait for the end of a reading.
      await Promise.race([table.refresh(this.#isLate), ...(table.hasRead ? [this.#woken, late] : [])])
      this.#rearm()
      if (!table.hasRead) return
      await table.prepare()
      const { revision } = pulling
      metrics.beginCarrying()
      if (isWatching) table.compare()
      else {
        await table.change()
        await this.#announce()
      }
      table.noteApplied(revision)
      metrics.endCarrying()
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
      messages.fail('announce', error)
    }
  }

  async #warnOfForwarding(): Promise<void> {
    const { messages } = this.#context
    const keys = new Set<string>()
    for (const { natIp } of this.#parts.pulling.translations.values())
      keys.add(natIp.includes(':') ? 'net.ipv6.conf.all.forwarding' : 'net.ipv4.ip_forward')
    for (const key of keys) {
      const value = await readFile(`/proc/sys/${key.replaceAll('.', '/')}`, 'utf8').catch(() => '')
      if (value.trim() === '0') messages.report(key, `this machine forwards no packets: sysctl -w ${key}=1`)
      else messages.clear(key)
    }
  }
}
