import { useSearchParams } from 'react-router'

/** The past moment that the URL names. Undefined: the screen shows the present. */
export const useAsOf = (): string | undefined => useSearchParams()[0].get('asof') || undefined

export const useIsPast = (): boolean => useAsOf() !== undefined
