import { useSyncExternalStore } from 'react'
import {
  type Density,
  keptDensity,
  keptTheme,
  subscribeToAppearance,
  type Theme,
} from '#lib/client/appearance'

/** The theme and density that the user chose in this browser. */
export const useAppearance = (): { theme: Theme; density: Density } => ({
  theme: useSyncExternalStore(subscribeToAppearance, keptTheme),
  density: useSyncExternalStore(subscribeToAppearance, keptDensity),
})
