/* When the listed events happened. In the URL either a span that ends now, `last` as an ISO 8601 duration, or `from` and `to`. */

export const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
type Unit = (typeof units)[number]
type Span = { amount: number; unit: Unit }

export type Period = { kind: 'last'; span: Span } | { kind: 'between'; from?: string; to?: string }

const letters: Record<Unit, string> = {
  minute: 'TM',
  hour: 'TH',
  day: 'D',
  week: 'W',
  month: 'M',
  year: 'Y',
}

/** `P7D`, `PT1H`. */
export function textOf({ amount, unit }: Span): string {
  const [time, letter = time] = letters[unit]
  return `P${letters[unit].length > 1 ? time : ''}${amount}${letter}`
}

function spanOf(text: string): Span | undefined {
  const [, time = '', digits, letter] = /^P(T?)([1-9]\d{0,4})([MHDWY])$/.exec(text) ?? []
  const unit = units.find((name) => letters[name] === `${time}${letter}`)
  return unit && { amount: Number(digits), unit }
}

const isTime = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(text))

type InUrl = { last?: string; from?: string; to?: string }

/** The period in the URL. Malformed values count as absent. */
export function periodOf({ last, from, to }: InUrl): Period | undefined {
  const span = last === undefined ? undefined : spanOf(last)
  if (span) return { kind: 'last', span }
  if (!isTime(from) && !isTime(to)) return undefined
  return { kind: 'between', ...(isTime(from) && { from }), ...(isTime(to) && { to }) }
}

export function inUrl(period: Period | undefined): InUrl {
  if (!period) return {}
  if (period.kind === 'last') return { last: textOf(period.span) }
  const { from, to } = period
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

const lengths: Partial<Record<Unit, number>> = {
  minute: 60_000,
  hour: 3_600_000,
}

/** The time one span before `now`, in calendar days, months and years. */
function before(now: Date, { amount, unit }: Span): Date {
  const length = lengths[unit]
  if (length) return new Date(now.getTime() - amount * length)
  const then = new Date(now)
  if (unit === 'day' || unit === 'week') then.setDate(then.getDate() - amount * (unit === 'week' ? 7 : 1))
  else if (unit === 'month') then.setMonth(then.getMonth() - amount)
  else then.setFullYear(then.getFullYear() - amount)
  return then
}

/** The filters for the API. A span starts on a full minute, so that the query key stays the same for a minute. */
export function askedFor(period: Period | undefined, now: Date): { from?: string; to?: string } {
  if (period?.kind !== 'last') return inUrl(period)
  const from = before(now, period.span)
  from.setSeconds(0, 0)
  return { from: from.toISOString() }
}
