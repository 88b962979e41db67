import { createContext, useContext } from 'react'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { useSearchPath } from '#components/base/screens/use-search-change'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { tagsQuery } from '#lib/state/search/tags.queries'
import { CellBadge } from './cells'
import styles from './notes.module.css'
import type { TableColumn } from './table-columns'
import { lookup, type Token } from './table-tokens'
import { nameIn } from './table-url'

/* The description and the tags of a resource, in lists, panels and pages. */

/** The prefix of the parameters of the list around it. */
export const ListPrefix = createContext<string | undefined>(undefined)

/** Names may have marks that turn the direction of writing, which must not turn what stands beside them. */
type ChipsProps = { tags: readonly string[]; to?: ((tag: string) => string) | undefined }

const Chips = ({ tags, to }: ChipsProps) =>
  tags.length === 0 ? (
    '–'
  ) : (
    <span className={styles.chips}>
      {tags.map((tag) => {
        const chip = (
          <CellBadge key={tag}>
            <bdi>{tag}</bdi>
          </CellBadge>
        )
        return to ? (
          <AppLink key={tag} to={to(tag)}>
            {chip}
          </AppLink>
        ) : (
          chip
        )
      })}
    </span>
  )

/** Each filters the list around it. */
function ListChips({ tags }: Pick<Noted, 'tags'>) {
  const prefix = useContext(ListPrefix)
  const path = useSearchPath()
  const to = (tag: string) =>
    path({
      [nameIn(prefix, 'tag')]: tag,
      [nameIn(prefix, 'from')]: undefined,
      [nameIn(prefix, 'row')]: undefined,
    })
  return <Chips tags={tags} to={to} />
}

export const Lines = ({ text }: { text: string }) =>
  text === '' ? '–' : <span className={styles.lines}>{text}</span>

export const tagsColumn: TableColumn<Pick<Noted, 'tags'>> = {
  id: 'tags',
  hidden: true,
  cell: ({ tags }) => <ListChips tags={tags} />,
}

export const noteColumns: readonly TableColumn<Noted>[] = [
  { id: 'description', hidden: true, maxWidth: 400, cell: ({ description }) => <Lines text={description} /> },
  tagsColumn,
]

/** The facts of a page. A tag leads to the list of what has it, by this parameter. */
export function useNoteFacts(list: string | undefined, parameter = 'tag') {
  const label = useTranslations('labels')
  const to =
    list === undefined
      ? undefined
      : (tag: string) =>
          `${list}${list.includes('?') ? '&' : '?'}${new URLSearchParams({ [parameter]: tag })}`
  const ofTags = ({ tags }: Pick<Noted, 'tags'>) => ({
    label: label('tags'),
    value: <Chips tags={tags} to={to} />,
  })
  return {
    ofTags,
    ofNotes: (document: Noted) => [
      { label: label('description'), value: <Lines text={document.description} /> },
      ofTags(document),
    ],
  }
}

/** A list takes any text: a tag that is in use nowhere finds nothing. */
export function useTagToken(): Token<'tag'> {
  const label = useTranslations('labels')('tag')
  return {
    key: 'tag',
    label,
    search: (text) =>
      lookup(tagsQuery(text), ({ collection }) =>
        collection.map(({ name }) => ({ value: name, label: name })),
      ),
    name: (value) => ({ key: ['tag', value], read: async () => value }),
  }
}
