import { usePreference } from '#lib/preferences/preferences.queries'

/**
 * Whether `?` opens the list of keys. A key by itself does nothing for whom it must not: who speaks to the computer, say
 * (WCAG 2.1.4).
 */
export function useQuestionKey(): [isOn: boolean, choose: (on: boolean) => void] {
  const [kept, keep] = usePreference('console:question-key')
  return [kept !== 'off', (on) => keep(on ? '' : 'off')]
}
