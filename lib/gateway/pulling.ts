import { ApiRefusal, findDevice, pastCounters, pause, pull, type Unconfirmed } from '#lib/gateway/api'
import type { Context } from '#lib/gateway/context'
import type { Counters } from '#lib/gateway/counters'
import type { TranslationChange } from '#lib/gateway/desired'
import type { Translation } from '#lib/gateway/elements'

/* The loop that asks the API for the translations of the device. */

/** Two translations with the same identity are versions of one translation. */
const identityOf = ({ kind, rule, privateIp, natIp }: Translation): string =>
  rule === undefined ? `${kind} ${privateIp} ${natIp}` : String(rule)

/** Milliseconds that the API gets to undo unconfirmed changes itself. */
const GRACE = 2000

type Translations = ReadonlyMap<string, Translation>
type Want = (translations: Translations, change?: TranslationChange) => void

const byIdentity = (all: readonly Translation[]): Map<string, Translation> =>
  new Map(all.map((each) => [identityOf(each), each]))

/** Makes the change, and returns it with the translations that were there. The API may repeat a change. */
function changeIn(all: Map<string, Translation>, change: TranslationChange): TranslationChange {
  const added = byIdentity(change.added)
  const removed: Translation[] = []
  for (const identity of new Set([...byIdentity(change.removed).keys(), ...added.keys()])) {
    const old = all.get(identity)
    if (old) removed.push(old)
    all.delete(identity)
  }
  for (const [identity, each] of added) all.set(identity, each)
  return { removed, added: [...added.values()] }
}

export class Pulling {
  readonly #context: Context
  readonly #counters: Counters
  readonly #want: Want
  #path = ''
  #revision: number | undefined
  #translations = new Map<string, Translation>()
  /** Undoes unconfirmed changes. */
  #deadline: NodeJS.Timeout | undefined

  constructor(context: Context, { counters, want }: { counters: Counters; want: Want }) {
    this.#context = context
    this.#counters = counters
    this.#want = want
    context.signal.addEventListener('abort', () => clearTimeout(this.#deadline))
  }

  /** The path of the device below the API. */
  get path(): string {
    return this.#path
  }

  /** The revision of `translations`, or undefined until the API has answered. */
  get revision(): number | undefined {
    return this.#revision
  }

  get translations(): Translations {
    return this.#translations
  }

  /** Without an answer, the last translations stay in force. */
  async run(): Promise<void> {
    const { signal, interval, messages, metrics } = this.#context
    let failures = 0
    while (!signal.aborted) {
      try {
        await this.#pull()
        metrics.noteDone('answer')
        if (failures > 0) messages.report('api', 'the API answers again', 'info')
        messages.clear('api')
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        messages.fail('api', error, 'no translations from the API: ')
        // The device may have moved to another datacenter.
        if (error instanceof ApiRefusal && error.status === 404) this.#path = ''
        await pause(Math.min(2 ** failures * 125, interval * 1000), signal)
      }
    }
  }

  async #pull(): Promise<void> {
    const { api, signal } = this.#context
    if (this.#path === '') {
      const path = await findDevice(api, signal)
      this.#counters.carryOn(await pastCounters(api, { path, signal }))
      this.#path = path
    }
    const began = Date.now()
    const answer = await pull(api, { path: this.#path, since: this.#revision, signal })
    if (answer.kind === 'nothing') {
      // A proxy may answer at once.
      await pause(1000 - (Date.now() - began), signal)
      return
    }
    if (answer.kind === 'unknown') {
      // The table stays unchanged until the complete answer has arrived.
      this.#revision = undefined
      return
    }
    this.#revision = answer.revision
    if (answer.kind === 'whole') {
      this.#translations = byIdentity(answer.entries)
      this.#want(this.#translations)
    } else this.#want(this.#translations, changeIn(this.#translations, answer))
    this.#awaitConfirmation(answer.unconfirmed)
  }

  /** The API undoes unconfirmed changes. If these changes cut the connection to the API, the gateway has to undo them. */
  #awaitConfirmation(unconfirmed: Unconfirmed | undefined): void {
    const { messages } = this.#context
    clearTimeout(this.#deadline)
    const { seconds = 0, added, removed } = unconfirmed ?? {}
    if (!added || !removed) return
    const before = new Map(this.#translations)
    for (const each of added) before.delete(identityOf(each))
    for (const each of removed) before.set(identityOf(each), each)
    const undo = () => {
      messages.report(
        'back',
        `took back what was not confirmed, translations: ${added.length + removed.length}`,
      )
      this.#want(before)
    }
    this.#deadline = setTimeout(undo, seconds * 1000 + GRACE).unref()
    messages.clear('back')
  }
}
