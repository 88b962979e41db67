import { useLocale, useTranslations } from 'use-intl'
import type { DateWords } from '#components/kit/date-field'

/** The locale and the words of a field for dates. */
export function useDates(): { locale: string; words: DateWords } {
  const say = useTranslations('forms.dates')
  return {
    locale: useLocale(),
    words: {
      openCalendar: say('openCalendar'),
      previousMonth: say('previousMonth'),
      nextMonth: say('nextMonth'),
      noDay: say('noDay'),
      noTime: say('noTime'),
    },
  }
}
