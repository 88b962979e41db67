import type { ReactNode } from 'react'
import { Waiting } from '#components/base/forms/failure'
import type { Read } from '#components/base/forms/use-resource-form'
import { type resourceQuery, useFresh } from '#lib/client/resources.queries'
import { type Crumb, Page } from './page'

/** The width in pixels at which the lines of a form can be read. */
const readable = 800

type ResourcePageProps<Document> = {
  /** Of the resource to change; 0 for a new one. */
  id: number
  query: (id: number) => ReturnType<typeof resourceQuery<Document>>
  /** The screens above. */
  above: readonly Crumb[]
  /** The title for a new one. */
  create: string
  /** The title with the name of the resource. */
  edit: (name: string) => string
  /** Its name, also before it is read. */
  nameOf: (document: Document | undefined) => string
  href: (id: number) => string
  /** The form. */
  children: (read?: Read<Document>) => ReactNode
}

/** The page of a form that creates a resource, or changes one. */
export const ResourcePage = <Document,>(props: ResourcePageProps<Document>) =>
  props.id === 0 ? (
    <Page title={props.create} breadcrumbs={props.above} maxContentWidth={readable}>
      {props.children()}
    </Page>
  ) : (
    <Editing key={props.id} {...props} />
  )

function Editing<Document>({ id, query, above, edit, nameOf, href, children }: ResourcePageProps<Document>) {
  const read = useFresh(query(id))
  const name = nameOf(read.data?.document)
  return (
    <Page
      title={edit(name)}
      breadcrumbs={[...above, { text: name, href: href(id) }]}
      maxContentWidth={readable}
    >
      {read.data ? children(read) : <Waiting read={read} boxed />}
    </Page>
  )
}
