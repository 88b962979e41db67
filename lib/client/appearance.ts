export const themes = ['system', 'light', 'dark'] as const
export const densities = ['comfortable', 'compact'] as const

export type Theme = (typeof themes)[number]
export type Density = (typeof densities)[number]

const changes = new EventTarget()

/**
 * Sets the stored choice on the document. The document also runs the text of this function before the first paint, so it
 * uses nothing from outside.
 */
export function applyAppearance(): void {
  const stored = (name: string): string | null => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const theme = stored('console.theme')
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const { dataset } = document.documentElement
  dataset.theme = dark ? 'dark' : 'light'
  dataset.density = stored('console.density') === 'compact' ? 'compact' : 'comfortable'
}

/** Follows the system's theme, and choices made in another tab. */
export function watchAppearance(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => {
    applyAppearance()
    changes.dispatchEvent(new Event('change'))
  }
  system.addEventListener('change', follow)
  window.addEventListener('storage', follow)
  return () => {
    system.removeEventListener('change', follow)
    window.removeEventListener('storage', follow)
  }
}

export function subscribeToAppearance(listener: () => void): () => void {
  changes.addEventListener('change', listener)
  return () => changes.removeEventListener('change', listener)
}

const stored = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    // The browser stores nothing for this site.
    return null
  }
}

/** Applies the preferences stored for the user, unless this browser has its own. */
export function adoptAppearance({ theme, density }: { theme?: string; density?: string }): void {
  const knownTheme = themes.find((known) => known === theme)
  const knownDensity = densities.find((known) => known === density)
  if (knownTheme && stored('console.theme') === null) chooseTheme(knownTheme)
  if (knownDensity && stored('console.density') === null) chooseDensity(knownDensity)
}

const chosen = <T extends string>(name: string, values: readonly [T, ...T[]]): T =>
  values.find((known) => known === stored(name)) ?? values[0]

export const chosenTheme = (): Theme => chosen('console.theme', themes)
export const chosenDensity = (): Density => chosen('console.density', densities)

const store = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value)
  } catch {
    return
  }
  applyAppearance()
  changes.dispatchEvent(new Event('change'))
}

export const chooseTheme = (theme: Theme): void => store('console.theme', theme)
export const chooseDensity = (density: Density): void => store('console.density', density)
