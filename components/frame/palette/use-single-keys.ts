import { usePreference } from '#lib/caller/preferences/preferences.queries'

/**
 * Whether keys without Ctrl do something. Users can turn them off, for example those who use speech input (WCAG 2.1.4). The name of the
 * preference is from the time when `?` was the only such key.
 */
export function useSingleKeys(): [areOn: boolean, choose: (on: boolean) => void] {
  const [stored, store] = usePreference('console:question-key')
  return [stored !== 'off', (on) => store(on ? '' : 'off')]
}
