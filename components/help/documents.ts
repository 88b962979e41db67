import { paths } from '#components/screens/paths'
import architecture from '#docs/pictures/architecture.svg'
import concepts from '#docs/pictures/concepts.svg'

/** The documents under "Help", in their order. */
export const helpDocuments = [
  'concepts',
  'api',
  'operation',
  'settings',
  'security',
  'performance',
  'architecture',
  'decisions',
] as const
export type HelpDocument = (typeof helpDocuments)[number]

/** The text of a document as Markdown: `concepts`, `decisions` or `decisions/01-…`. Fails if there is no such document. */
export async function loadDocument(name: string): Promise<string> {
  const [folder = '', file] = name.split('/')
  const { default: text } = (await (folder === 'decisions'
    ? import(`#docs/decisions/${file ?? 'index'}.md`)
    : import(`#docs/${folder}.md`))) as { default: string }
  return text
}

export const pictures: Record<string, string> = {
  'pictures/architecture.svg': architecture.src,
  'pictures/concepts.svg': concepts.src,
}

/** The screen for a relative link of a document; undefined if the console does not show its target. */
export function documentBehind(name: string, href: string): string | undefined {
  const base = name === 'decisions' ? 'decisions/index' : name
  const { pathname, hash } = new URL(href, `http://docs/docs/${base}.md`)
  const [, target] = /^\/docs\/(.+?)(?:\/index)?\.md$/.exec(pathname) ?? []
  return target && `${paths.help(target)}${hash}`
}
