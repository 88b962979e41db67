/** Which scopes are open in the tree and how many pages of their children are shown; 0 stands for the roots. */
export type OpenScopes = ReadonlyMap<number, number>

const rootsOnly: [number, number] = [0, 1]

/** An address that somebody else made must not set off more requests than this. */
const mostPages = 400

/** `0-1-7.2`: the roots, scope 1, and scope 7 with two pages. Anything else is passed over. */
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
