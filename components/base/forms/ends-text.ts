import { dayOf, timeOfDay } from '#components/kit/days'

/* The end of a resource as it is typed. Apart from its field, which lists load only when they need it. */

type Typed = { date: string; time: string }

/** A moment of the API as it is read, or what is typed, `2026-11-30T23:59` in the user's time zone with either part empty. */
export function typedOf(value: string): Typed {
  const then = new Date(value)
  if (value.endsWith('Z')) return { date: dayOf(then), time: timeOfDay(then) }
  const [date = '', time = ''] = value.split('T')
  return { date, time }
}

const LAST_MINUTE = '23:59'

/** A chosen day ends with its last minute, unless another time is typed. */
export const typedEnd = ({ date, time }: Typed, before: string): string => {
  if (date === '' && time === '') return ''
  return `${date}T${time === '' && before === '' ? LAST_MINUTE : time}`
}

/** What is no moment is sent as it is, and refused. */
export function sentEnd(value: string): string {
  const time = Date.parse(value.endsWith('T') ? `${value}${LAST_MINUTE}` : value)
  return value === '' || value.startsWith('T') || Number.isNaN(time) ? value : new Date(time).toISOString()
}
