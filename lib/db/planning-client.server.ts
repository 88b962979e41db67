import { LRUCache } from 'lru-cache'
import pg from 'pg'

/** How often each text was asked, by whichever connection. */
const asked = new LRUCache<string, number>({ max: 2000 })

/** A query that is asked so often gets a plan that stays. */
const OFTEN = 5

/** Each plan takes memory of the database server, for each connection. */
const MOST_PLANS = 100

/**
 * A pattern needs a plan for its value: how many rows it finds may be none or all. And a query for whatever columns there are ends
 * with an error where another one was added since it was planned.
 */
const isPlanned = (text: string): boolean =>
  /^(select|insert|update|delete|with)\b/.test(text) && !/\blike\b|[ .]\* from/.test(text)

/** To plan a query anew takes PostgreSQL longer than to answer it: what is asked often is planned once for each connection. */
export class PlanningClient extends pg.Client {
  readonly #names = new Map<string, string>()

  /** Whichever of the many forms it is called in. */
  override query(...[text, ...rest]: never[]): never {
    const name = typeof text === 'string' ? this.#nameOf(text) : undefined
    const query = (name === undefined ? text : { text, name }) as never
    return super.query(query, ...rest) as never
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size === MOST_PLANS || !isPlanned(text)) return known
    const times = (asked.get(text) ?? 0) + 1
    asked.set(text, times)
    if (times < OFTEN) return undefined
    const name = `planned ${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
