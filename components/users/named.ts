import { idOfLink, type LinkDocument, linkOf } from '#lib/http/view'
import type { Named } from '#lib/identity/pickers.queries'

/** What a link of a document leads to, by its id and name. */
export function namedBy(document: { links: readonly LinkDocument[] }, rel: string): Named | undefined {
  const link = linkOf(document, rel)
  const id = idOfLink(link)
  return id === undefined ? undefined : { id, name: link?.title ?? String(id) }
}
