import { useSearchParams } from 'react-router'
import { formatOpen, type OpenScopes, parseOpen } from './open-scopes'

const fewEnough = 40
const kept = 'session'

const read = (search: URLSearchParams, storageKey: string): OpenScopes | undefined => {
  const text = search.get('open')
  return parseOpen(text === kept ? sessionStorage.getItem(storageKey) : text)
}

/** The open scopes of a tree: in the address while they are few, else in this tab's storage. */
export function useOpenScopes(storageKey: string) {
  const [search, setSearch] = useSearchParams()

  const change = (next: OpenScopes) => {
    const text = formatOpen(next)
    if (next.size > fewEnough) sessionStorage.setItem(storageKey, text)
    setSearch(
      (current) => {
        current.set('open', next.size > fewEnough ? kept : text)
        return current
      },
      { replace: true, preventScrollReset: true, flushSync: true },
    )
  }

  return { open: read(search, storageKey), change }
}
