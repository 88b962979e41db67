/* Days as text, 2026-11-25, without a time zone. The sums are done in UTC, where every day has 24 hours. */

const DAY = 86_400_000

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10)

const two = (number: number): string => String(number).padStart(2, '0')

/** The day of a moment on this machine's clock. */
export const dayOf = (moment: Date): string =>
  `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`

/** The time of day of a moment on this machine's clock. */
export const timeOfDay = (moment: Date): string => `${two(moment.getHours())}:${two(moment.getMinutes())}`

export const addDays = (day: string, count: number): string => dayAt(timeOf(day) + count * DAY)

/** The same day of another month, or the last one of a shorter month. */
export function addMonths(day: string, count: number): string {
  const then = new Date(timeOf(day))
  const [year, month, date] = [then.getUTCFullYear(), then.getUTCMonth() + count, then.getUTCDate()]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return dayAt(Date.UTC(year, month, Math.min(date, last)))
}

/** A day in words or digits. */
export const formatDay = (day: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(timeOf(day))

const inDigits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

export const showDay = (day: string, locale: string): string => formatDay(day, locale, inDigits)

/** A day as the locale writes it, or as ISO 8601. */
export function readDay(text: string, locale: string): string | undefined {
  const numbers = text.match(/\d+/g) ?? []
  if (numbers.length !== 3) return undefined
  const order =
    numbers[0]?.length === 4
      ? ['year', 'month', 'day']
      : new Intl.DateTimeFormat(locale, inDigits)
          .formatToParts()
          .flatMap(({ type }) => (type === 'year' || type === 'month' || type === 'day' ? [type] : []))
  const partOf = (type: string) => numbers[order.indexOf(type)] ?? ''
  const year = partOf('year')
  const day = `${year.length === 2 ? `20${year}` : year}-${partOf('month').padStart(2, '0')}-${partOf('day').padStart(2, '0')}`
  // 31 February is read as 3 March.
  const time = timeOf(day)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(time) && dayAt(time) === day ? day : undefined
}

/** A time of day: 9, 930, 9.30 or 09:30. */
export function readTime(text: string): string | undefined {
  const [, hours = '', minutes = '00'] = /^\s*(\d{1,2})(?:[:.h ]?(\d\d))?\s*$/.exec(text) ?? []
  return hours !== '' && Number(hours) < 24 && Number(minutes) < 60
    ? `${hours.padStart(2, '0')}:${minutes}`
    : undefined
}

/** 1 is Monday, 7 is Sunday. Firefox does not know it for every locale. */
function firstWeekday(locale: string): number {
  const known: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(locale)
  return known.getWeekInfo?.().firstDay ?? 1
}

/** The weeks of the month around a day, each whole. */
export function weeksAround(day: string, locale: string): string[][] {
  const month = day.slice(0, 7)
  const first = `${month}-01`
  const weekday = new Date(timeOf(first)).getUTCDay() || 7
  const weeks: string[][] = []
  for (
    let start = addDays(first, -((weekday - firstWeekday(locale) + 7) % 7));
    start.slice(0, 7) <= month;
    start = addDays(start, 7)
  )
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(start, index)))
  return weeks
}
