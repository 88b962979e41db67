import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keepPreferences, preferencesQuery } from '#lib/preferences/preferences.queries'

/** What this user has chosen under that name, and how to choose anew; an empty text takes it back. */
export function usePreference(name: string): [kept: string | undefined, keep: (value: string) => void] {
  const client = useQueryClient()
  const { data } = useQuery({ ...preferencesQuery, select: (preferences) => preferences[name] })
  return [data, (value) => keepPreferences(client, { [name]: value })]
}
