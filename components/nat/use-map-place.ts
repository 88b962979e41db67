import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** Which block is shown, and how: the URL remembers both. */
export function useMapPlace() {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const pathWith = (name: 'block' | 'view', value: string | undefined): string => {
    const changed = new URLSearchParams(search)
    if (value === undefined) changed.delete(name)
    else changed.set(name, value)
    return `${pathname}?${changed}`
  }
  const go = (path: string) => void navigate(path, { preventScrollReset: true })
  return {
    block: search.get('block') ?? undefined,
    isTable: search.get('view') === 'table',
    pathOf: (block: string | undefined) => pathWith('block', block),
    open: (block: string | undefined) => go(pathWith('block', block)),
    show: (view: 'map' | 'table') => go(pathWith('view', view === 'table' ? view : undefined)),
  }
}
