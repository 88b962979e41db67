/*
 * Reading past data (docs/api/as-of.md, "As of a moment"). The queries of a client for the past have the moment in their `meta`, which each GET
 * has to pass on (api.ts). There the moment is added, and a request that cannot be asked as of a moment is refused.
 */

/** The paths that the API can show as they were. */
const covered = [
  /^\/api\/admin\/(scopes|roles|enterprises|datacenters)(\/\d+)?$/,
  /^\/api\/admin\/datacenters\/\d+\/setasides\/\d+$/,
  /^\/api\/admin\/scopes\/action\/tree$/,
  /^\/api\/admin\/roles\/\d+\/action\/privileges$/,
  /^\/api\/admin\/enterprises\/(\d+|_)\/users(\/\d+(\/action\/virtualmachines)?)?$/,
  /^\/api\/admin\/enterprises\/\d+\/datacenterrepositories\/\d+\/virtualmachinetemplates(\/\d+)?$/,
  /^\/api\/admin(\/datacenters\/\d+)?\/natnetworks(\/action\/(allips|allrules|ipstates|ipposition))?$/,
  /^\/api\/admin\/natnetworks\/action\/use$/,
  /^\/api\/admin\/datacenters\/\d+\/natnetworks\/\d+(\/rules|\/action\/addressmap|\/ips(\/\d+(\/rules)?)?)?$/,
  /^\/api\/cloud\/(devices|virtualmachines|natips)$/,
  /^\/api\/cloud\/locations(\/\d+(\/devices(\/\d+)?)?)?$/,
  /^\/api\/cloud\/virtualdatacenters(\/\d+(\/(privateips|virtualappliances)(\/\d+)?)?)?$/,
  /^\/api\/cloud\/virtualdatacenters\/\d+\/natips(\/\d+(\/rules)?|\/purchased|\/topurchase)?$/,
  /^\/api\/cloud\/virtualdatacenters\/\d+\/virtualappliances\/\d+\/virtualmachines(\/\d+(\/natrules(\/\d+)?)?)?$/,
]

/** Events never change once they have happened, and neither does what one of them touched. */
const lasting = /^\/api\/events\/\d+(\/(before|after|rows))?$/

const EVENTS = '/api/events'

/** `meta` of a query (TanStack Query), which has the moment of its client; undefined: the request is about the present. */
export type Meta = Readonly<Record<string, unknown>> | undefined

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export const isCovered = (path: string): boolean => covered.some((pattern) => pattern.test(path))

/** The earlier of two moments. */
const earlier = (one: unknown, other: string): string =>
  typeof one === 'string' && Date.parse(one) < Date.parse(other) ? one : other

/** The query of a request of this path as of the moment of its client; undefined if the API cannot answer it as of a moment. */
export function queryAsOf(meta: Meta, path: string, query: Query | undefined): Query | undefined {
  const asof = meta?.asof
  if (typeof asof !== 'string') return query ?? {}
  if (isCovered(path)) return { ...query, asof }
  if (path === EVENTS) return { ...query, to: earlier(query?.to, asof) }
  return lasting.test(path) ? (query ?? {}) : undefined
}

/** The address of a screen or of a list of the API as of a moment. */
export function addressAsOf(address: string, asof: string | undefined): string {
  if (asof === undefined || !/^[/?]/.test(address)) return address
  const { pathname, search, hash } = new URL(address, 'http://console')
  const sent = new URLSearchParams(search)
  const kept = pathname.startsWith('/api/')
    ? queryAsOf({ asof }, pathname, Object.fromEntries(sent))
    : { asof }
  for (const [name, value] of Object.entries(kept ?? {}))
    if (name !== 'asof' || !sent.has(name)) sent.set(name, String(value))
  return `${address.startsWith('?') ? '' : pathname}?${sent}${hash}`
}

type Reading = { now: number; isUtc: boolean }

/** The moment of a date and time of day, local or in UTC, in RFC 3339; undefined if they are invalid or in the future. */
export function momentOf(date: string, time: string, { now, isUtc }: Reading): string | undefined {
  const at = Date.parse(`${date}T${time === '' ? '00:00' : time}${isUtc ? 'Z' : ''}`)
  return Number.isNaN(at) || at > now ? undefined : new Date(at).toISOString()
}
