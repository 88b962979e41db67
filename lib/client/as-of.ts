/*
 * Reading past data (docs/api.md, "As of a moment"). The queries of a client for the past have the moment in their `meta`, so no query has
 * to be changed for it.
 */

/** The paths that the API can show as they were. */
const covered = [
  /^\/api\/admin\/(scopes|roles|enterprises|datacenters)(\/\d+)?$/,
  /^\/api\/admin\/scopes\/action\/tree$/,
  /^\/api\/admin\/roles\/\d+\/action\/privileges$/,
  /^\/api\/admin\/enterprises\/(\d+|_)\/users(\/\d+(\/action\/virtualmachines)?)?$/,
  /^\/api\/admin\/enterprises\/\d+\/datacenterrepositories\/\d+\/virtualmachinetemplates(\/\d+)?$/,
  /^\/api\/admin(\/datacenters\/\d+)?\/natnetworks(\/action\/(allips|allrules|ipstates|ipposition))?$/,
  /^\/api\/admin\/natnetworks\/action\/use$/,
  /^\/api\/admin\/datacenters\/\d+\/natnetworks\/\d+(\/rules|\/action\/addressmap|\/ips(\/\d+(\/rules)?)?)?$/,
  /^\/api\/cloud\/(devices|virtualmachines)$/,
  /^\/api\/cloud\/locations(\/\d+(\/devices(\/\d+)?)?)?$/,
  /^\/api\/cloud\/virtualdatacenters(\/\d+(\/(privateips|virtualappliances)(\/\d+)?)?)?$/,
  /^\/api\/cloud\/virtualdatacenters\/\d+\/natips(\/\d+|\/purchased|\/topurchase)?$/,
  /^\/api\/cloud\/virtualdatacenters\/\d+\/virtualappliances\/\d+\/virtualmachines(\/\d+(\/natrules(\/\d+)?)?)?$/,
]

type Meta = Record<string, unknown> | undefined

/** The query of a request of this path, with the moment of its client if the path supports the past. */
export const asOf = (meta: Meta, path: string): { asof?: string } =>
  typeof meta?.asof === 'string' && covered.some((pattern) => pattern.test(path)) ? { asof: meta.asof } : {}

type Reading = { now: number; isUtc: boolean }

/** The moment of a date and time of day, local or in UTC, in RFC 3339; undefined if they are invalid or in the future. */
export function momentOf(date: string, time: string, { now, isUtc }: Reading): string | undefined {
  const at = Date.parse(`${date}T${time === '' ? '00:00' : time}${isUtc ? 'Z' : ''}`)
  return Number.isNaN(at) || at > now ? undefined : new Date(at).toISOString()
}
