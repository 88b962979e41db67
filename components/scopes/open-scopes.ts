import { useSearchParams } from 'react-router'

/** The open scopes of the tree, with the number of shown pages of their children; 0 is the key of the roots. */
export type OpenScopes = ReadonlyMap<number, number>

const rootsOnly: [number, number] = [0, 1]

/** Limits the requests that a hand-made address can start. */
const mostPages = 400

/** `0-1-7.2`: the roots, scope 1, and scope 7 with two pages. Other text is ignored. */
export function parseOpen(text: string | null): OpenScopes | undefined {
  if (text === null) return undefined
  const open = new Map([rootsOnly])
  let pagesInAll = 0
  for (const part of text.split('-')) {
    const [, id, pages = '1'] = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(part) ?? []
    pagesInAll += Number(pages)
    if (id !== undefined && pagesInAll <= mostPages) open.set(Number(id), Math.max(1, Number(pages)))
  }
  return open
}

export const formatOpen = (open: OpenScopes): string =>
  [...open].map(([id, pages]) => (pages > 1 ? `${id}.${pages}` : `${id}`)).join('-')

export function toggled(open: OpenScopes, id: number): OpenScopes {
  const next = new Map(open)
  if (!next.delete(id)) next.set(id, 1)
  return next
}

export const withMore = (open: OpenScopes, id: number): OpenScopes =>
  new Map(open).set(id, (open.get(id) ?? 1) + 1)

/** The most open scopes that fit into an address. */
const mostInAddress = 40

const inStorage = 'session'

/** The open scopes of a tree: in the address, or in this tab's storage if there are many. */
export function useOpenScopes(storageKey: string) {
  const [search, setSearch] = useSearchParams()
  const text = search.get('open')

  const change = (next: OpenScopes) => {
    const isLong = next.size > mostInAddress
    if (isLong) sessionStorage.setItem(storageKey, formatOpen(next))
    setSearch(
      (current) => {
        current.set('open', isLong ? inStorage : formatOpen(next))
        return current
      },
      { replace: true, preventScrollReset: true, flushSync: true },
    )
  }

  return { open: parseOpen(text === inStorage ? sessionStorage.getItem(storageKey) : text), change }
}
