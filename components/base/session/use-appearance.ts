import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { keepPreferences, preferencesQuery } from '#lib/caller/preferences/preferences.queries'
import {
  adoptAppearance,
  chooseDensity,
  chooseTheme,
  chosenDensity,
  chosenTheme,
  type Density,
  subscribeToAppearance,
  type Theme,
} from '#lib/client/appearance'
import { presentOf } from '#lib/client/past-client'

const themeName = 'console:theme'
const densityName = 'console:density'

/** The theme and density that the user chose in this browser. */
export const useAppearance = (): { theme: Theme; density: Density } => ({
  theme: useSyncExternalStore(subscribeToAppearance, chosenTheme),
  density: useSyncExternalStore(subscribeToAppearance, chosenDensity),
})

type Choice = { theme: Theme | undefined; density: Density | undefined }

/** Stores the choice in this browser, and for browsers without a choice of their own. */
export function useChooseAppearance(): (choice: Choice) => void {
  const client = presentOf(useQueryClient())
  return ({ theme, density }) => {
    if (theme) chooseTheme(theme)
    if (density) chooseDensity(density)
    keepPreferences(client, {
      ...(theme && { [themeName]: theme }),
      ...(density && { [densityName]: density }),
    })
  }
}

/** Applies the user's preferences before the first screen shows; without them it has the default look. */
export async function readPreferences(client: QueryClient): Promise<void> {
  const preferences = await client.ensureQueryData(preferencesQuery).catch(() => undefined)
  adoptAppearance({ theme: preferences?.[themeName], density: preferences?.[densityName] })
}
