export const themes = ['system', 'light', 'dark'] as const
export const densities = ['comfortable', 'compact'] as const

export type Theme = (typeof themes)[number]
export type Density = (typeof densities)[number]

const changes = new EventTarget()

/**
 * Puts the kept choice on the body. Its text also runs by itself in the document, before the first paint:
 * it must not reach for anything outside of itself.
 */
export function applyAppearance(): void {
  const kept = (name: string): string | null => {
    try {
      return localStorage.getItem(name)
    } catch {
      // A browser that keeps nothing for this site.
      return null
    }
  }
  const theme = kept('console.theme')
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.body.classList.toggle('awsui-dark-mode', dark)
  document.body.classList.toggle('awsui-compact-mode', kept('console.density') === 'compact')
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

const isKept = (name: string): boolean => {
  try {
    return localStorage.getItem(name) !== null
  } catch {
    return false
  }
}

/** A browser in which nothing was chosen yet begins with what the user has chosen elsewhere. */
export function adoptAppearance({ theme, density }: { theme?: string; density?: string }): void {
  const knownTheme = themes.find((known) => known === theme)
  const knownDensity = densities.find((known) => known === density)
  if (knownTheme && !isKept('console.theme')) chooseTheme(knownTheme)
  if (knownDensity && !isKept('console.density')) chooseDensity(knownDensity)
}

const keptIn = <T extends string>(name: string, values: readonly [T, ...T[]]): T => {
  try {
    const value = localStorage.getItem(name)
    return values.find((known) => known === value) ?? values[0]
  } catch {
    return values[0]
  }
}

export const keptTheme = (): Theme => keptIn('console.theme', themes)
export const keptDensity = (): Density => keptIn('console.density', densities)

const keep = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value)
  } catch {
    return
  }
  applyAppearance()
  changes.dispatchEvent(new Event('change'))
}

export const chooseTheme = (theme: Theme): void => keep('console.theme', theme)
export const chooseDensity = (density: Density): void => keep('console.density', density)
