import { useLocation, useSearchParams } from 'react-router'

type Changes = Readonly<Record<string, string | undefined>>

/** The parameters after changes; an empty or undefined value removes its parameter. */
export function searchWith(search: URLSearchParams | string, changes: Changes): URLSearchParams {
  const changed = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value) changed.set(name, value)
    else changed.delete(name)
  }
  return changed
}

/** Changes parameters in the query of the URL. */
export function useSearchChange(): (changes: Changes, options?: { replace?: boolean }) => void {
  const [, setSearch] = useSearchParams()
  return (changes, options) =>
    setSearch((now) => searchWith(now, changes), { ...options, preventScrollReset: true })
}

/** The path of this screen after changes of its parameters. */
export function useSearchPath(): (changes: Changes) => string {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  return (changes) => `${pathname}?${searchWith(search, changes)}`
}
