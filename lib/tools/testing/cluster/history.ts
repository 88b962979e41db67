import { appendFileSync } from 'node:fs'

/* Requests of clients and their outcomes, for the checker (lib/tools/testing/cluster/check.ts). Times are milliseconds since the start. */

/**
 * The unit of one change: requests with one `effect` may take effect once together. Without an Idempotency-Key each request is a change
 * of its own.
 */
type Change = { effect: string }

export type Asked =
  /** Creates a datacenter. */
  | ({ op: 'create'; name: string } & Change)
  /** Creates NAT IPs: the named one, or this many of the lowest free. */
  | ({ op: 'take'; network: string; count: number; ip?: string } & Change)
  /** Puts many NAT IPs into quarantine. */
  | ({ op: 'bulk'; network: string; ips: string[] } & Change)
  /** Replaces the value of a register if it is still the one before. */
  | ({ op: 'write'; register: string; value: number; text: string } & Change)
  | ({ op: 'plan'; plan: number; parts: string[] } & Change)
  | ({ op: 'undo'; event: number } & Change)
  | { op: 'read'; register: string }
  | { op: 'find'; name: string }
  | { op: 'list'; network: string }

/** The part of an answer that a rule needs. */
export type Reply = {
  id?: number
  ips?: string[]
  value?: number
  text?: string
  present?: boolean
  total?: number
}

/** `unknown`: it may have taken effect, or may still. */
export type Outcome = 'ok' | 'fail' | 'unknown'

export type ClientOperation = Asked &
  Reply & {
    client: number
    console: string
    outcome: Outcome
    /** 0: there was no answer. */
    status: number
    /** The codes of a refusal. */
    codes?: string
    began: number
    ended: number
  }

/** The state at the end, read when the database is healthy again. */
export type End = {
  names: string[]
  scopes: string[]
  /** The NAT IPs of each network. */
  networks: Record<string, { ip: string; quarantine: boolean }[]>
  registers: Record<string, { value: number; text: string }>
  /** In the order of commit. */
  journal: JournalEvent[]
  /** The events of the stream, in the order of arrival. */
  feed: Arrival[]
  /** The events that webhooks delivered. */
  hooks: Arrival[]
  /**
   * Times in which commits were visible although no replica had confirmed them, because an administrator cancelled their waits. Values read
   * then may be lost later.
   */
  unsure: (readonly [from: number, to: number])[]
  /** Differences between stored totals and rows, as the product itself reports them. */
  wrongTotals: number
}

export type Arrival = { id: number; at: number }

export type JournalEvent = {
  id: number
  at: number
  action: string
  entity: string
  name: string
  /** The event that this one undoes. */
  undoes?: number
  /** The rows of a bulk change. */
  count?: number
}

/** Records operations, each as two lines: the request and the outcome. */
export class History {
  readonly operations: ClientOperation[] = []
  readonly #file: string
  /** By the clock of events. */
  readonly start = Date.now()
  readonly #start = performance.now()
  #serial = 0

  constructor(file: string) {
    this.#file = file
  }

  now(): number {
    return Math.round((performance.now() - this.#start) * 10) / 10
  }

  #write(line: object): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }

  note(line: object): void {
    this.#write({ at: this.now(), ...line })
  }

  /** Runs `work`, and keeps the operation with its outcome. */
  async keep(
    asked: Asked,
    by: { client: number; console: string },
    work: () => Promise<Reply & { outcome: Outcome; status: number; codes?: string }>,
  ): Promise<ClientOperation> {
    this.#serial += 1
    const id = this.#serial
    const began = this.now()
    this.#write({ id, type: 'invoke', at: began, ...by, ...asked })
    const reply = await work()
    const ended = this.now()
    const { outcome, ...rest } = reply
    this.#write({ id, type: outcome, at: ended, ...by, ...asked, ...rest })
    const operation: ClientOperation = { ...asked, ...reply, ...by, began, ended }
    this.operations.push(operation)
    return operation
  }
}

export const isUnsure = ({ unsure }: Pick<End, 'unsure'>, at: number): boolean =>
  unsure.some(([from, to]) => at >= from && at <= to)
