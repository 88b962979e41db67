import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { State } from '#lib/gateway/api'
import type { Translation } from '#lib/gateway/elements'

/* The two operations that the gateway uses, on a socket that each network namespace reaches. */

/** Milliseconds that a question may wait. The real API waits for seconds. */
const WAIT = 2000

/** The members of `to` that are not in `from`. */
function lacking(from: readonly Translation[], to: readonly Translation[]): Translation[] {
  const known = new Set(from.map((each) => JSON.stringify(each)))
  return to.filter((each) => !known.has(JSON.stringify(each)))
}

/** A program that does not say `formatVersion=2` gets no rules with ranges and sources, as from the real API. */
const understood = (entries: readonly Translation[], formatVersion: string | null): Translation[] =>
  entries.filter(
    ({ natPortEnd, sources }) => formatVersion === '2' || (natPortEnd === undefined && !sources?.length),
  )

export class FakeApi {
  readonly states: State[] = []
  /** Counters by rule. A report has only those that have changed. */
  readonly counters = new Map<number, State['counters'][number]>()
  #revision = 1
  /** By revision. */
  readonly #entries = new Map<number, Translation[]>()
  /** From this revision on changes wait to be confirmed. */
  #unconfirmed: { revision: number; seconds: number } | undefined
  #isAway = false
  #changed: (() => void)[] = []
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  /** Where a relay of this name reaches each API that is started for it, one after the other. */
  static socketOf(name: string): string {
    return join(tmpdir(), `api-${name}.sock`)
  }

  static async start(entries: Translation[], socket: string): Promise<FakeApi> {
    const api = new FakeApi()
    api.#entries.set(api.#revision, entries)
    api.#server.listen(socket)
    await once(api.#server, 'listening')
    return api
  }

  get revision(): number {
    return this.#revision
  }

  get last(): State | undefined {
    return this.states.at(-1)
  }

  /** From now on this should be. Returns the new revision. */
  say(entries: Translation[]): number {
    this.#revision += 1
    this.#entries.set(this.#revision, entries)
    for (const go of this.#changed.splice(0)) go()
    return this.#revision
  }

  /** Changes from now on are undone after so many seconds unless they are confirmed. */
  beginChange(seconds: number): void {
    this.#unconfirmed = { revision: this.#revision, seconds }
  }

  confirm(): void {
    this.#unconfirmed = undefined
    this.say(this.#entries.get(this.#revision) ?? [])
  }

  /** While away it answers 503. */
  set isAway(isAway: boolean) {
    this.#isAway = isAway
    for (const go of this.#changed.splice(0)) go()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api')
    const send = (status: number, document?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(document === undefined ? undefined : JSON.stringify(document))
    }
    if (this.#isAway) return send(503)
    if (request.headers.authorization !== 'Token sat_test') return send(401)
    if (pathname.endsWith('/state')) return send(...(await this.#state(request)))
    if (pathname === '/api/cloud/locations') return send(200, { collection: [{ id: 3 }] })
    if (!pathname.endsWith('/translations')) return send(200, {})
    const since = searchParams.get('since')
    if (since === String(this.#revision)) await this.#wait()
    if (this.#isAway) return send(503)
    if (since === String(this.#revision)) return send(304)
    const known = (all: readonly Translation[]) => understood(all, searchParams.get('formatVersion'))
    const entries = known(this.#entries.get(this.#revision) ?? [])
    const head = { revision: this.#revision, ...this.#waiting(entries) }
    if (since === null) return send(200, { ...head, entries })
    const before = this.#entries.get(Number(since))
    if (!before) return send(410)
    const old = known(before)
    send(200, { ...head, added: lacking(old, entries), removed: lacking(entries, old) })
  }

  #waiting(entries: readonly Translation[]) {
    const { revision, seconds } = this.#unconfirmed ?? {}
    if (revision === undefined) return {}
    const before = this.#entries.get(revision) ?? []
    return { unconfirmed: { seconds, added: lacking(before, entries), removed: lacking(entries, before) } }
  }

  async #state(request: IncomingMessage): Promise<[number, unknown?]> {
    if (request.method === 'GET') return [200, { ...this.last, counters: [...this.counters.values()] }]
    let text = ''
    for await (const piece of request) text += piece
    const state = JSON.parse(text) as State
    this.states.push(state)
    for (const each of state.counters) this.counters.set(each.rule, each)
    if (this.states.length > 1000) this.states.shift()
    return [204]
  }

  async #wait(): Promise<void> {
    const stop = new AbortController()
    await Promise.race([
      new Promise<void>((resolve) => this.#changed.push(resolve)),
      delay(WAIT, undefined, { signal: stop.signal }).catch(() => {}),
    ])
    stop.abort()
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}
