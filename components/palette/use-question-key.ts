import { usePreference } from '#lib/preferences/preferences.queries'

/**
 * Whether `?` opens the list of keys. Users can turn the key off, for example those who use speech input (WCAG 2.1.4).
 */
export function useQuestionKey(): [isOn: boolean, choose: (on: boolean) => void] {
  const [stored, store] = usePreference('console:question-key')
  return [stored !== 'off', (on) => store(on ? '' : 'off')]
}
