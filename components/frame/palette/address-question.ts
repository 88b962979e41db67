import { formatAddress, parseAddress } from '#lib/ground/net/addresses'

/* "who held 198.19.32.90 on 3 November at 14:05": an address and a moment, in English, Spanish or ISO 8601. */

export type AddressQuestion = { ip: string /** RFC 3339. */; at?: string }

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

const MONTHS = 12

/** The names of the months, long and short, in both languages. */
const months = new Map<string, number>()
for (const locale of ['en', 'es'])
  for (const style of ['long', 'short'] as const)
    for (let month = 0; month < MONTHS; month += 1) {
      const name = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' }).format(
        Date.UTC(2026, month, 15),
      )
      months.set(fold(name).replaceAll('.', ''), month)
    }

type Day = { year: number | undefined; month: number; day: number }

/** `isDayFirst`: how the language writes a day in figures. */
export type Reading = { isDayFirst: boolean; now: number }

const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)

function dayOf(text: string, isDayFirst: boolean): Day | undefined {
  const iso = /\b(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]) - 1, day: Number(iso[3]) }
  const figures = /\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/.exec(text)
  if (figures) {
    const [first, second] = [Number(figures[1]), Number(figures[2])]
    const [day, month] = isDayFirst ? [first, second] : [second, first]
    return { year: Number(figures[3]), month: month - 1, day }
  }
  const words = text.split(/[\s,]+/)
  const at = words.findIndex((word) => months.has(word.replaceAll('.', '')))
  const month = months.get(words[at]?.replaceAll('.', '') ?? '')
  if (month === undefined) return undefined
  const isDay = (word: string | undefined) => /^\d{1,2}(st|nd|rd|th)?$/.test(word ?? '')
  const around = [words[at - 1], words[at - 2], words[at + 1]]
  const day = around.find(isDay)
  const year = words.slice(at + 1).find((word) => /^\d{4}$/.test(word))
  return day === undefined ? undefined : { year: number(year), month, day: Number.parseInt(day, 10) }
}

type Time = { hours: number; minutes: number; seconds: number }

function timeOf(text: string): Time | undefined {
  const [, hours, minutes, seconds = '0', half] =
    /(?:^|[\st])(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])?\.?\s?(?:m\b)?/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const read = Number(hours)
  const whole = half === undefined ? read : (read % 12) + (half === 'p' ? 12 : 0)
  const isTime = whole < 24 && Number(minutes) < 60 && Number(seconds) < 60
  return isTime ? { hours: whole, minutes: Number(minutes), seconds: Number(seconds) } : undefined
}

/** Minutes east of Greenwich, if the text says a zone. */
function zoneOf(text: string): number | undefined {
  if (/\b(utc|gmt)\b|\d{2}z\b/.test(text)) return 0
  const [, sign, hours, minutes = '0'] = /:\d{2}\s?([+-])(\d{2}):?(\d{2})?(?!\S)/.exec(text) ?? []
  if (hours === undefined) return undefined
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

const MINUTE = 60_000

function momentOf(
  { year, month, day }: Required<Day> & { year: number },
  time: Time,
  zone: number | undefined,
) {
  const { hours, minutes, seconds } = time
  if (zone === undefined) return new Date(year, month, day, hours, minutes, seconds).getTime()
  return Date.UTC(year, month, day, hours, minutes, seconds) - zone * MINUTE
}

/** The moment of a text. Without a year it is the last such day, without a day today, without a zone in that of the browser. */
function momentIn(text: string, { isDayFirst, now }: Reading): string | undefined {
  const time = timeOf(text)
  const found = dayOf(text, isDayFirst)
  if (!found && !time) return undefined
  const today = new Date(now)
  const day = found ?? { year: today.getFullYear(), month: today.getMonth(), day: today.getDate() }
  const at = (year: number) =>
    momentOf({ ...day, year }, time ?? { hours: 0, minutes: 0, seconds: 0 }, zoneOf(text))
  const thisYear = day.year ?? today.getFullYear()
  const moment = at(thisYear) > now && day.year === undefined ? at(thisYear - 1) : at(thisYear)
  return Number.isNaN(moment) || moment > now ? undefined : new Date(moment).toISOString()
}

/** The address in a text, and the moment in the rest of it. */
export function questionIn(typed: string, reading: Reading): AddressQuestion | undefined {
  const words = typed.split(/[\s?¿,]+/)
  const word = words.find((each) => (each.includes('.') || each.includes(':')) && parseAddress(each))
  const parsed = word && parseAddress(word)
  if (!word || !parsed) return undefined
  const ip = formatAddress(parsed.version, parsed.value)
  const at = momentIn(fold(typed.replace(word, ' ')), reading)
  return at === undefined ? { ip } : { ip, at }
}
