import { type ReactNode, useState } from 'react'
import { Button } from './button'
import { Calendar, type CalendarWords } from './calendar'
import styles from './date-field.module.css'
import { dayOf, formatDay, readDay, readTime, showDay } from './days'
import { Field } from './field'
import field from './field.module.css'
import { Opening } from './opening'
import { screenIcons } from './screen-icons'

export type DateWords = CalendarWords & {
  openCalendar: string
  /** The fault of a text that is no day, or no time. */
  noDay: string
  noTime: string
}

type DateFieldProps = {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** 2026-11-25, or empty. */
  value: string
  locale: string
  words: DateWords
  isPossible?: (day: string) => boolean
  /** A time of day beside it: 14:05, or empty. */
  time?: { label: string; value: string; onChange: (time: string) => void }
  /** Empty while the text is no day. */
  onChange: (day: string) => void
}

/** A day, typed as the locale writes it or as ISO 8601, or chosen in a calendar. */
export function DateField({
  label,
  hint,
  error,
  value,
  locale,
  words,
  isPossible,
  time,
  onChange,
}: DateFieldProps) {
  const day = useTyped(value, (text) => readDay(text, locale), onChange)
  const hours = useTyped(time?.value ?? '', readTime, (text) => time?.onChange(text))
  const fault = error || (day.isWrong ? words.noDay : hours.isWrong && words.noTime)
  return (
    <Field label={label} hint={hint} error={fault}>
      {(ties) => (
        <div className={styles.line}>
          <div className={field.box}>
            <input
              {...ties}
              {...day.input(showDay(value || dayOf(new Date()), locale))}
              value={day.typed ?? (value && showDay(value, locale))}
            />
            <Opening
              label={words.openCalendar}
              className={styles.dialog}
              button={
                <Button
                  look="inner"
                  icon={screenIcons.calendar}
                  label={
                    value
                      ? `${words.openCalendar}: ${formatDay(value, locale, { dateStyle: 'full' })}`
                      : words.openCalendar
                  }
                />
              }
            >
              {(close) => (
                <Calendar
                  day={value || undefined}
                  locale={locale}
                  words={words}
                  isPossible={isPossible}
                  onChoose={(chosen) => {
                    day.forget()
                    onChange(chosen)
                    close()
                  }}
                />
              )}
            </Opening>
          </div>
          {time && (
            <div className={`${field.box} ${styles.time}`}>
              <input
                {...hours.input('00:00')}
                aria-label={time.label}
                value={hours.typed ?? time.value}
                aria-invalid={hours.isWrong || undefined}
              />
            </div>
          )}
        </div>
      )}
    </Field>
  )
}

/** A text that stays as it is typed, until the field is left. */
function useTyped(
  value: string,
  read: (text: string) => string | undefined,
  onChange: (value: string) => void,
) {
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const isReadable = typed === undefined || typed === '' || read(typed) !== undefined
  return {
    typed: isLeft && isReadable ? undefined : typed,
    isWrong: isLeft && !isReadable && value === '',
    forget: () => setTyped(undefined),
    input: (placeholder: string) => ({
      className: field.input,
      placeholder,
      autoComplete: 'off',
      spellCheck: false,
      onFocus: () => setLeft(false),
      onBlur: () => setLeft(true),
      onChange: ({ target }: { target: HTMLInputElement }) => {
        setTyped(target.value)
        onChange(read(target.value) ?? '')
      },
    }),
  }
}
