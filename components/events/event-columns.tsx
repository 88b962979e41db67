import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useFieldWords } from '#components/frame/undo/use-field-words'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import type { EventDocument } from '#lib/record/events/events.schema'
import type { Say } from '#lib/words/words'
import { EventSentence } from './event-sentence'
import styles from './events.module.css'
import { Moment } from './moment'

type Column = TableColumn<EventDocument>

type Look = {
  /** Links the time to the event. */
  opened: (event: EventDocument, moment: ReactNode) => ReactNode
}

/** The columns of every list of events. */
export const eventFacts = (say: Say<'events'>, { opened }: Look): Column[] => [
  {
    id: 'when',
    header: say('columns.when'),
    by: 'timestamp',
    small: 'below',
    isWhole: true,
    cell: (event) => <div className={styles.moment}>{opened(event, <Moment at={event.timestamp} />)}</div>,
  },
  {
    id: 'what',
    header: say('columns.what'),
    isRowHeader: true,
    isWhole: true,
    small: 'first',
    cell: (event) => (
      <div className={`${styles.whole} ${styles.sentence}`}>
        <EventSentence event={event} />
      </div>
    ),
  },
  {
    id: 'changes',
    header: say('columns.changes'),
    cell: ({ changes }) => <ChangesInShort changes={changes} />,
  },
]

/** The address `*` stands for several: one event can sum up attempts from many addresses. */
export const addressIn = (say: Say<'events'>, ip = ''): string =>
  ip === '*' ? say('columns.severalAddresses') : ip

/** Further columns of the list of all events. */
export const eventOrigin = (say: Say<'events'>): Column[] => [
  {
    id: 'enterprise',
    small: 'below',
    isWhole: true,
    cell: ({ enterprise }) => enterprise ?? '–',
  },
  { id: 'ip', header: say('columns.ip'), hidden: true, cell: ({ ip }) => addressIn(say, ip) },
  { id: 'action', header: say('columns.action'), hidden: true, cell: ({ action }) => action },
  {
    id: 'requestId',
    header: say('columns.requestId'),
    hidden: true,
    cell: ({ requestId }) => requestId,
  },
  idColumn,
]

const namedFields = 2

/** The names of the fields that changed. */
function ChangesInShort({ changes }: Pick<EventDocument, 'changes'>) {
  const say = useTranslations('events.changed')
  const label = useTranslations('labels')
  const { nameOf } = useFieldWords()
  const fields = Object.keys(changes).map(nameOf)
  if (fields.length === 0) return <div className="quiet">{label('none')}</div>
  const names = fields.slice(0, namedFields).join(', ')
  const more = fields.length - namedFields
  return more > 0 ? say('andMore', { names, count: more }) : names
}
