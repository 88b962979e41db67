import type { LinkDocument } from '#lib/ground/http/view'

/* Documents on their way back to the operations that change them. */

export type Fields = Record<string, unknown> & { links?: LinkDocument[] }

/** The document as a client sends it: links below /api, maps as objects, and no id. */
export function asSent({ id: _id, ...fields }: Fields): Fields {
  return sent(fields) as Fields
}

function sent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sent)
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, each]) => [name, sent(each)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'href' && typeof each === 'string' ? `/api${each}` : sent(each),
    ]),
  )
}
