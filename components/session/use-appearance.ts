import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import {
  adoptAppearance,
  chooseDensity,
  chooseTheme,
  type Density,
  keptDensity,
  keptTheme,
  subscribeToAppearance,
  type Theme,
} from '#lib/client/appearance'
import { keepPreferences, preferencesQuery } from '#lib/preferences/preferences.queries'

const themeName = 'console:theme'
const densityName = 'console:density'

/** The theme and density that the user chose in this browser. */
export const useAppearance = (): { theme: Theme; density: Density } => ({
  theme: useSyncExternalStore(subscribeToAppearance, keptTheme),
  density: useSyncExternalStore(subscribeToAppearance, keptDensity),
})

type Choice = { theme: Theme | undefined; density: Density | undefined }

/** Chooses for this browser, and for any other in which nothing was chosen yet. */
export function useChooseAppearance(): (choice: Choice) => void {
  const client = useQueryClient()
  return ({ theme, density }) => {
    if (theme) chooseTheme(theme)
    if (density) chooseDensity(density)
    keepPreferences(client, {
      ...(theme && { [themeName]: theme }),
      ...(density && { [densityName]: density }),
    })
  }
}

/** What the user has chosen, before a screen is shown. Without it the screen has its usual look. */
export async function readPreferences(client: QueryClient): Promise<void> {
  const preferences = await client.ensureQueryData(preferencesQuery).catch(() => undefined)
  adoptAppearance({ theme: preferences?.[themeName], density: preferences?.[densityName] })
}
