import { paths } from '#components/base/screens/paths'
import architecture from '#docs/pictures/architecture.svg'
import concepts from '#docs/pictures/concepts.svg'

type Text = { default: string }

/** The documents under "Help", in their order. */
const documents = {
  concepts: () => import('#docs/concepts.md'),
  api: () => import('#docs/api/index.md'),
  cli: () => import('#docs/cli.md'),
  gateway: () => import('#docs/gateway.md'),
  scim: () => import('#docs/scim.md'),
  operation: () => import('#docs/operation.md'),
  upgrade: () => import('#docs/upgrade.md'),
  settings: () => import('#docs/settings.md'),
  security: () => import('#docs/security.md'),
  performance: () => import('#docs/performance.md'),
  principles: () => import('#docs/principles.md'),
  architecture: () => import('#docs/architecture.md'),
  decisions: () => import('#docs/decisions/index.md'),
} satisfies Record<string, () => Promise<Text>>
export type HelpDocument = keyof typeof documents
export const helpDocuments = Object.keys(documents) as HelpDocument[]

/** Documents with pages of their own: their text is the index of these pages. */
const withPages = ['api', 'decisions']

/** The text of a document as Markdown: `concepts`, `api` or `api/lists`. null if there is no such document. */
export async function loadDocument(name: string): Promise<string | null> {
  if (Object.hasOwn(documents, name)) return (await documents[name as HelpDocument]()).default
  const [, folder = '', page = ''] = /^(\w+)\/([\w-]+)$/.exec(name) ?? []
  if (!withPages.includes(folder)) return null
  try {
    return (await loadPage(folder, page)).default
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

/** The bundler takes a pattern of files only as a relative path. */
const loadPage = (folder: string, page: string): Promise<Text> =>
  folder === 'api' ? import(`../../../docs/api/${page}.md`) : import(`../../../docs/decisions/${page}.md`)

/** The pages that the index of the API lists, in its order. */
export const pagesOf = (index: string): { name: string; title: string }[] =>
  [...index.matchAll(/^\| \[(.+?)\]\(([\w-]+)\.md\)/gm)].map(([, title = '', page]) => ({
    name: `api/${page}`,
    title,
  }))

export const pictures: Record<string, string> = {
  'pictures/architecture.svg': architecture.src,
  'pictures/concepts.svg': concepts.src,
}

/** The screen for a relative link of a document; undefined if the console does not show its target. */
export function documentBehind(name: string, href: string): string | undefined {
  const base = withPages.includes(name) ? `${name}/index` : name
  const { pathname, hash } = new URL(href, `http://docs/docs/${base}.md`)
  const [, target] = /^\/docs\/(.+?)(?:\/index)?\.md$/.exec(pathname) ?? []
  return target && `${paths.help(target)}${hash}`
}
