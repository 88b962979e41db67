import DateRangePicker, { type DateRangePickerProps } from '@cloudscape-design/components/date-range-picker'
import { useLocale, useTranslations } from 'use-intl'
import { type Period, textOf, units } from './period'

type PeriodPickerProps = { period: Period | undefined; onChange: (period: Period | undefined) => void }

const usual = [
  { amount: 1, unit: 'hour' },
  { amount: 1, unit: 'day' },
  { amount: 7, unit: 'day' },
  { amount: 30, unit: 'day' },
] as const

/** Filters events by time: the last hours or days, or from one time to another. */
export function PeriodPicker({ period, onChange }: PeriodPickerProps) {
  const say = useTranslations('events.period')
  const locale = useLocale()
  const isValidRange: DateRangePickerProps.ValidationFunction = (range) => {
    if (range?.type !== 'absolute') return { valid: true }
    const { startDate, endDate } = range
    if (!startDate.includes('T') || !endDate.includes('T')) {
      return { valid: false, errorMessage: say('incomplete') }
    }
    return Date.parse(endDate) < Date.parse(startDate)
      ? { valid: false, errorMessage: say('backwards') }
      : { valid: true }
  }
  return (
    <DateRangePicker
      value={shownFor(period)}
      onChange={({ detail }) => onChange(chosen(detail.value))}
      relativeOptions={usual.map((span) => ({ ...span, key: textOf(span), type: 'relative' }))}
      customRelativeRangeUnits={[...units]}
      isValidRange={isValidRange}
      locale={locale}
      absoluteFormat="long-localized"
      hideTimeOffset
      timeInputFormat="hh:mm"
      placeholder={say('any')}
      ariaLabel={say('label')}
      i18nStrings={{
        ariaLabel: say('label'),
        modeSelectionLabel: say('mode'),
        relativeModeTitle: say('upToNow'),
        absoluteModeTitle: say('fromTo'),
        formatRelativeRange: ({ amount, unit }) => {
          const known = units.find((name) => name === unit)
          return known ? say(`last.${known}`, { amount }) : ''
        },
      }}
      expandToViewport
    />
  )
}

/** An open end shows as now, an open start as 1 January 1970. */
function shownFor(period: Period | undefined): DateRangePickerProps.Value | null {
  if (!period) return null
  if (period.kind === 'last') return { ...period.span, key: textOf(period.span), type: 'relative' }
  const { from = new Date(0).toISOString(), to = new Date().toISOString() } = period
  return { type: 'absolute', startDate: from, endDate: to }
}

function chosen(value: DateRangePickerProps.Value | null): Period | undefined {
  if (!value) return undefined
  if (value.type === 'absolute') return { kind: 'between', from: value.startDate, to: value.endDate }
  const unit = units.find((name) => name === value.unit)
  return unit && { kind: 'last', span: { amount: value.amount, unit } }
}
