import type { LinkDocument } from '#lib/ground/http/view'

/* Two states of a document, field by field. */

export type Compared = { name: string; before?: string; after?: string; differs: boolean }

export type Document = Record<string, unknown> & { links?: LinkDocument[] }

/** The fields of both documents, in their order, with the names in their links. */
export function comparison(before: Document | undefined, after: Document | undefined): Compared[] {
  const [was, is] = [textsOf(before), textsOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])].map((name) => {
    const [one, other] = [was.get(name), is.get(name)]
    return {
      name,
      ...(one !== undefined && { before: one }),
      ...(other !== undefined && { after: other }),
      differs: one !== other,
    }
  })
}

/** Reported by gateways: a past document lacks them. */
const reported = new Set(['deviceState', 'packets', 'bytes', 'status', 'drifted'])

/** The fields that differ between a past document and the present one, by their names. */
export const differences = (
  then: Document,
  now: Document,
): Record<string, Pick<Compared, 'before' | 'after'>> =>
  Object.fromEntries(
    comparison(then, now).flatMap(({ name, differs, ...sides }) =>
      differs && !reported.has(name) ? [[name, sides]] : [],
    ),
  )

/** Links to the document itself and links without a name are left out. */
function textsOf(document: Document | undefined): Map<string, string> {
  const { links = [], ...fields } = document ?? {}
  const named = links.filter(({ rel, title }) => rel !== 'edit' && rel !== 'self' && title)
  return new Map([
    ...Object.entries(fields).map(([name, value]): [string, string] => [name, textOf(value)]),
    ...named.map(({ rel, title = '' }): [string, string] => [rel, title]),
  ])
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  if (typeof value !== 'object' || value === null) return String(value)
  const { links: _links, id: _id, ...fields } = value as Document
  return Object.entries(fields)
    .map(([name, each]) => `${name}: ${textOf(each)}`)
    .join(', ')
}
