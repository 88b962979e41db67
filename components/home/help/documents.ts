import { paths } from '#components/base/screens/paths'
import architecture from '#docs/pictures/architecture.svg'
import concepts from '#docs/pictures/concepts.svg'

type Text = { default: string }

/** The documents under "Help", in their order. */
const documents = {
  concepts: () => import('#docs/concepts.md'),
  api: () => import('#docs/api.md'),
  cli: () => import('#docs/cli.md'),
  gateway: () => import('#docs/gateway.md'),
  scim: () => import('#docs/scim.md'),
  operation: () => import('#docs/operation.md'),
  settings: () => import('#docs/settings.md'),
  security: () => import('#docs/security.md'),
  performance: () => import('#docs/performance.md'),
  architecture: () => import('#docs/architecture.md'),
  decisions: () => import('#docs/decisions/index.md'),
} satisfies Record<string, () => Promise<Text>>
export type HelpDocument = keyof typeof documents
export const helpDocuments = Object.keys(documents) as HelpDocument[]

/** The text of a document as Markdown: `concepts`, `decisions` or `decisions/01-…`. null if there is no such document. */
export async function loadDocument(name: string): Promise<string | null> {
  if (Object.hasOwn(documents, name)) return (await documents[name as HelpDocument]()).default
  const [, decision] = /^decisions\/([\w-]+)$/.exec(name) ?? []
  if (!decision) return null
  try {
    // The bundler takes a pattern of files only as a relative path.
    return ((await import(`../../../docs/decisions/${decision}.md`)) as Text).default
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null
    throw error
  }
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
