import { usePreference } from '#lib/caller/preferences/preferences.queries'

/**
 * True if keys without Ctrl are active. Users can turn them off, for example for speech input (WCAG 2.1.4). The preference is named after
 * `?`, once the only such key.
 */
export function useSingleKeys(): [areOn: boolean, choose: (on: boolean) => void] {
  const [stored, store] = usePreference('console:question-key')
  return [stored !== 'off', (on) => store(on ? '' : 'off')]
}
