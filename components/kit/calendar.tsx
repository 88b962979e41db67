import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from './button'
import styles from './calendar.module.css'
import { addDays, addMonths, dayOf, formatDay, weeksAround } from './days'
import { icons } from './icons'
import { screenIcons } from './screen-icons'

export type CalendarWords = { previousMonth: string; nextMonth: string }

type CalendarProps = {
  day: string | undefined
  locale: string
  words: CalendarWords
  isPossible?: ((day: string) => boolean) | undefined
  onChoose: (day: string) => void
}

/** The days of a month, with the keys of the date picker of the WAI-ARIA Authoring Practices. */
export function Calendar({ day, locale, words, isPossible = () => true, onChoose }: CalendarProps) {
  const today = dayOf(new Date())
  const [shown, setShown] = useState(day ?? today)
  const grid = useRef<HTMLTableElement>(null)
  const takesFocus = useRef(true)
  useEffect(() => {
    if (takesFocus.current) grid.current?.querySelector<HTMLElement>(`[data-day="${shown}"]`)?.focus()
    takesFocus.current = false
  }, [shown])
  const turn = (months: number) => setShown(addMonths(shown, months))
  const weeks = weeksAround(shown, locale)
  const press = (event: KeyboardEvent) => {
    const [week = []] = weeks.filter((days) => days.includes(shown))
    const next = nextDay(event, shown, week)
    if (next === undefined) return
    event.preventDefault()
    takesFocus.current = true
    setShown(next)
  }
  const month = formatDay(shown, locale, { month: 'long', year: 'numeric' })
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <Button look="quiet" icon={icons.before} label={words.previousMonth} onPress={() => turn(-1)} />
        <strong aria-live="polite">{month}</strong>
        <Button look="quiet" icon={screenIcons.after} label={words.nextMonth} onPress={() => turn(1)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table with one stop for Tab. */}
      <table ref={grid} role="grid" aria-label={month} className={styles.grid} onKeyDown={press}>
        <thead>
          <tr>
            {weeks[0]?.map((one) => (
              <th key={one} scope="col" abbr={formatDay(one, locale, { weekday: 'long' })}>
                {formatDay(one, locale, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((days) => (
            <tr key={days[0]}>
              {days.map((one) => (
                <td key={one}>
                  <button
                    type="button"
                    data-day={one}
                    tabIndex={one === shown ? 0 : -1}
                    className={one.slice(0, 7) === shown.slice(0, 7) ? undefined : styles.other}
                    aria-label={formatDay(one, locale, { dateStyle: 'full' })}
                    aria-pressed={one === day}
                    aria-current={one === today ? 'date' : undefined}
                    aria-disabled={!isPossible(one) || undefined}
                    onClick={() => (isPossible(one) ? onChoose(one) : setShown(one))}
                  >
                    {Number(one.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function nextDay({ key, shiftKey }: KeyboardEvent, day: string, week: readonly string[]): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return week[0]
    case 'End':
      return week.at(-1)
    case 'PageUp':
      return addMonths(day, shiftKey ? -12 : -1)
    case 'PageDown':
      return addMonths(day, shiftKey ? 12 : 1)
    default:
      return undefined
  }
}
