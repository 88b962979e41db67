/** Which scopes are open in the tree and how many pages of their children are shown; 0 stands for the roots. */
export type OpenScopes = ReadonlyMap<number, number>

const rootsOnly: [number, number] = [0, 1]

/** `0-1-7.2`: the roots, scope 1, and scope 7 with two pages. Reads nothing else, so that an address cannot do harm. */
export function parseOpen(text: string | null): OpenScopes | undefined {
  if (text === null) return undefined
  const parts = text.split('-').map((part) => /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(part))
  const entries = parts.flatMap((part): [number, number][] =>
    part ? [[Number(part[1]), Math.max(1, Number(part[2] ?? 1))]] : [],
  )
  return new Map([rootsOnly, ...entries])
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
