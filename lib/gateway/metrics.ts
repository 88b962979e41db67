/* Metrics of a gateway for Prometheus, in its text format. */

const failing = ['announce', 'api', 'metrics', 'reading', 'report', 'table'] as const
export type Failing = (typeof failing)[number]

const steps = ['answer', 'reading', 'report'] as const
type Step = (typeof steps)[number]

/** What the gateway holds at the moment of the question. */
export type Figures = { translations: number; refused: number; drift: number; drifts: number }

type Sample = [labels: string, value: number]

const metric = (name: string, [type, help]: [string, string], samples: Sample[]): string =>
  [
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}\n`),
  ].join('')

const one = (value: number): Sample[] => [['', value]]
const seconds = (since: number): number => (Date.now() - since) / 1000

export class Metrics {
  readonly #failures = new Map<Failing, number>(failing.map((about) => [about, 0]))
  /** Unix times (s). */
  readonly #last = new Map<Step, number>(steps.map((step) => [step, 0]))
  readonly #started = Date.now()
  #changes = 0
  #carried = { count: 0, seconds: 0 }
  /** When the API wanted the change that waits, and the one that is being carried. */
  #waiting: number | undefined
  #carrying: number | undefined

  noteFailure(about: Failing): void {
    this.#failures.set(about, (this.#failures.get(about) ?? 0) + 1)
  }

  noteDone(step: Step): void {
    this.#last.set(step, Date.now() / 1000)
  }

  /** The table was changed by one transaction. */
  noteChange(): void {
    this.#changes += 1
  }

  /** The API wants other translations. */
  want(): void {
    this.#waiting ??= Date.now()
  }

  /** What the API wants is being carried. It counts as carried at `endCarrying`, which a failure never reaches. */
  beginCarrying(): void {
    this.#carrying ??= this.#waiting
    this.#waiting = undefined
  }

  endCarrying(): void {
    if (this.#carrying === undefined) return
    this.#carried.count += 1
    this.#carried.seconds += seconds(this.#carrying)
    this.#carrying = undefined
  }

  /** Seconds that the oldest change has waited which is not in force. */
  get lag(): number {
    const oldest = this.#carrying ?? this.#waiting
    return oldest === undefined ? 0 : seconds(oldest)
  }

  text({ translations, refused, drift, drifts }: Figures, info: Record<string, string>): string {
    const labels = Object.entries(info).map(([name, value]) => `${name}="${value}"`)
    return [
      metric('build_info', ['gauge', 'The version of the program, and its task'], [[`{${labels}}`, 1]]),
      ...steps.map((step) =>
        metric(
          `gateway_last_${step}_timestamp_seconds`,
          ['gauge', `Unix time of the last ${stepNames[step]}; 0 before the first`],
          one(this.#last.get(step) ?? 0),
        ),
      ),
      metric('gateway_changes_total', ['counter', 'Transactions that changed the table'], one(this.#changes)),
      metric(
        'gateway_carried_seconds',
        ['summary', 'Time from an answer of the API until its translations were in force'],
        [],
      ),
      `gateway_carried_seconds_sum ${this.#carried.seconds}\n`,
      `gateway_carried_seconds_count ${this.#carried.count}\n`,
      metric(
        'gateway_lag_seconds',
        ['gauge', 'Age of the oldest change that is not in force'],
        one(this.lag),
      ),
      metric('gateway_translations', ['gauge', 'Translations in force'], one(translations)),
      metric('gateway_refused', ['gauge', 'Translations that are refused'], one(refused)),
      metric('gateway_drift', ['gauge', 'Differences in the last report'], one(drift)),
      metric('gateway_drift_total', ['counter', 'Foreign changes that were found and repaired'], one(drifts)),
      metric(
        'gateway_failures_total',
        ['counter', 'Failed attempts, by their task'],
        failing.map((about) => [`{task="${about}"}`, this.#failures.get(about) ?? 0]),
      ),
      this.#ofProcess(),
    ].join('')
  }

  #ofProcess(): string {
    const { user, system } = process.cpuUsage()
    return [
      metric('process_start_time_seconds', ['gauge', 'Start of the process'], one(this.#started / 1000)),
      metric('process_cpu_seconds_total', ['counter', 'Processor time'], one((user + system) / 1e6)),
      metric('process_resident_memory_bytes', ['gauge', 'Resident memory'], one(process.memoryUsage.rss())),
    ].join('')
  }
}

const stepNames: Record<Step, string> = {
  answer: 'answer of the API',
  reading: "reading of the kernel's table",
  report: 'report that the API accepted',
}
