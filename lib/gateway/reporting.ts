import { FORMAT_VERSION, report } from '#lib/gateway/api'
import type { Context } from '#lib/gateway/context'
import type { Counters } from '#lib/gateway/counters'
import type { Drift } from '#lib/gateway/drift'
import type { Refusal } from '#lib/gateway/elements'
import type { LiveTable } from '#lib/gateway/live-table'
import type { Figures } from '#lib/gateway/metrics'
import type { Pulling } from '#lib/gateway/pulling'

/* Reports of the state to the API, one at a time. */

/** Drift, refusals and counters in one report: the API accepts five times as many. */
const MOST = 1000
/** Characters of a reason in a report. */
const LONGEST = 1000

const shorten = (all: readonly Refusal[]): Refusal[] =>
  all.slice(0, MOST).map(({ reason, ...rest }) => ({ ...rest, reason: reported(reason) }))

/** The API refuses control and bidirectional characters. */
const reported = (reason: string): string =>
  reason
    .slice(0, LONGEST)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_C}]/gu, '\uFFFD')

type Sources = { counters: Counters; drift: Drift; pulling: Pulling; table: LiveTable }

export class Reporting {
  readonly #context: Context
  readonly #sources: Sources
  #current: Promise<void> | undefined
  #isDue = false

  constructor(context: Context, sources: Sources) {
    this.#context = context
    this.#sources = sources
  }

  /** Starts a report, or another one after the current. The caller does not wait for the API, and goes on with the upkeep. */
  start(): void {
    if (this.#current) {
      this.#isDue = true
      return
    }
    this.#isDue = false
    const { signal, messages, metrics } = this.#context
    this.#current = this.#send()
      .then(() => {
        metrics.noteDone('report')
        messages.clear('report')
      })
      .catch((error: unknown) => {
        if (!signal.aborted) messages.fail('report', error, 'no report to the API: ')
      })
      .finally(() => {
        this.#current = undefined
        if (this.#isDue) this.start()
      })
  }

  async #send(): Promise<void> {
    const { api, isWatching, interval, version, signal } = this.#context
    const { drift, pulling, table } = this.#sources
    const refused = table.refused
    const counters = this.#sources.counters.unreported(this.#rules(), MOST)
    const foreign = drift.current
    await report(api, {
      path: pulling.path,
      state: {
        revision: table.applied ?? 0,
        mode: isWatching ? 'watch' : 'enforce',
        interval,
        translations: this.#translated(refused.length),
        drift: shorten(foreign),
        refused: shorten(refused),
        counters,
        agent: { name: 'gateway', version },
        formatVersion: FORMAT_VERSION,
      },
      signal,
    })
    this.#sources.counters.noteReported(counters)
    drift.noteReported(foreign)
    if (counters.length === MOST) this.#isDue = true
  }

  #translated(refused: number): number {
    const { pulling, table } = this.#sources
    return table.isUntranslated ? 0 : Math.max(0, pulling.translations.size - refused)
  }

  get figures(): Figures {
    const { drift, table } = this.#sources
    const refused = table.refused.length
    const translations = table.applied === undefined ? 0 : this.#translated(refused)
    return { translations, refused, drift: drift.current.length, drifts: drift.total }
  }

  #rules(): Set<number> {
    const rules = [...this.#sources.pulling.translations.values()].map(({ rule }) => rule)
    return new Set(rules.filter((rule) => rule !== undefined))
  }
}
