import type { ReactNode } from 'react'
import type { Table } from '#components/base/forms/declared-form'
import { FormOnPage, type FormOnPageProps } from '#components/base/forms/declared-screens'
import { Waiting } from '#components/base/forms/failure'
import type { Read } from '#components/base/forms/use-resource-form'
import { type resourceQuery, useFresh } from '#lib/client/resources.queries'
import { type Crumb, Page } from './page'

/** The width in pixels at which the lines of a form can be read. */
const readable = 800

type ReadNow<Document> = Read<Document> & { error: Error | null }

type EditPageProps<Document> = {
  /** Of the resource to change. */
  id: number
  /** The screens above. */
  above: readonly Crumb[]
  /** The title with the name of the resource. */
  edit: (name: string) => string
  /** Its name, also before it is read. */
  nameOf: (document: Document | undefined) => string
  href: (id: number) => string
  /** For a form with columns. */
  isWide?: boolean
  /** The form. */
  children: (read: Read<Document>) => ReactNode
}

type ResourcePageProps<Document> = Omit<EditPageProps<Document>, 'children'> & {
  query: (id: number) => ReturnType<typeof resourceQuery<Document>>
  /** The title for a new one, which has the id 0. */
  create: string
  /** Where it will be. */
  about?: string | undefined
  children: (read?: Read<Document>) => ReactNode
}

/** The page of a form that creates a resource, or changes one. */
export const ResourcePage = <Document,>(props: ResourcePageProps<Document>) =>
  props.id === 0 ? (
    <Page title={props.create} description={props.about} breadcrumbs={props.above} maxContentWidth={readable}>
      {props.children()}
    </Page>
  ) : (
    <Editing key={props.id} {...props} />
  )

function Editing<Document>({ query, ...page }: ResourcePageProps<Document>) {
  return <EditPage {...page} read={useFresh(query(page.id))} />
}

type FormPageProps<T extends Table, Document extends Identified, Saved extends Identified> = Omit<
  ResourcePageProps<Document>,
  'children'
> &
  Omit<FormOnPageProps<T, Document, Saved>, 'href' | 'back' | 'label' | 'read'>

type Identified = { id: number }

/** The same of a declared form. */
export function FormPage<T extends Table, Document extends Identified, Saved extends Identified = Document>(
  props: FormPageProps<T, Document, Saved>,
) {
  const { id, query, above, create, about, edit, nameOf, href, isWide, ...form } = props
  const page = { id, query, above, create, about, edit, nameOf, href, isWide }
  const back = id === 0 ? (above.at(-1)?.href ?? '/') : href(id)
  return (
    <ResourcePage<Document> {...page}>
      {(read) => (
        <FormOnPage {...form} read={read} label={create} back={back} href={(saved) => href(saved.id)} />
      )}
    </ResourcePage>
  )
}

/** The page of a form that changes a resource which is read in its own way. */
export function EditPage<Document>(props: EditPageProps<Document> & { read: ReadNow<Document> }) {
  const { id, above, edit, nameOf, href, isWide = false, read, children } = props
  const name = nameOf(read.data?.document)
  return (
    <Page
      title={edit(name)}
      breadcrumbs={[...above, { text: name, href: href(id) }]}
      maxContentWidth={isWide ? undefined : readable}
    >
      {read.data ? children(read) : <Waiting read={read} boxed />}
    </Page>
  )
}
