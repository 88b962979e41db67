import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { type Compared, comparison } from '#components/frame/undo/comparison'
import { useFieldWords } from '#components/frame/undo/use-field-words'
import { Disclosure } from '#components/kit/disclosure'
import { Placeholder } from '#components/kit/layout'
import { Badge } from '#components/kit/status'
import { linkOf } from '#lib/ground/http/view'
import { eventDocumentQuery } from '#lib/record/events/events.queries'
import type { EventDocument } from '#lib/record/events/events.schema'
import styles from './events.module.css'

/** The whole object before and after the event, side by side. It is read once it is opened. */
export function EventDocuments({ event }: { event: EventDocument }) {
  const say = useTranslations('events.detail')
  const [isOpen, setOpen] = useState(false)
  if (!linkOf(event, 'before') && !linkOf(event, 'after')) return null
  return (
    <Disclosure title={say('whole')} isOpen={isOpen} onToggle={setOpen}>
      {isOpen && <Documents event={event} />}
    </Disclosure>
  )
}

function Documents({ event }: { event: EventDocument }) {
  const say = useTranslations('events.detail')
  const sides = { before: linkOf(event, 'before') !== undefined, after: linkOf(event, 'after') !== undefined }
  const before = useQuery({ ...eventDocumentQuery(event.id, 'before'), enabled: sides.before })
  const after = useQuery({ ...eventDocumentQuery(event.id, 'after'), enabled: sides.after })
  const error = before.error ?? after.error
  if (error) return <Failure error={error} />
  const isRead = (!sides.before || before.data) && (!sides.after || after.data)
  if (!isRead)
    return (
      <div role="status" aria-label={say('wholeLoading')}>
        <Placeholder height={160} />
      </div>
    )
  const shown = (['before', 'after'] as const).filter((side) => sides[side])
  return (
    <table className={styles.document}>
      <thead>
        <tr>
          <th scope="col">{say('wholeField')}</th>
          {shown.map((side) => (
            <th key={side} scope="col">
              {say(side)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {comparison(before.data, after.data).map((field) => (
          <Row key={field.name} field={field} sides={shown} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { field: Compared; sides: readonly ('before' | 'after')[] }

function Row({ field, sides }: RowProps) {
  const say = useTranslations('events.detail')
  const { nameOf, textOf } = useFieldWords()
  const isMarked = field.differs && sides.length === 2
  return (
    <tr className={isMarked ? styles.marked : undefined}>
      <th scope="row">
        {nameOf(field.name)} {isMarked && <Badge>{say('changedField')}</Badge>}
      </th>
      {sides.map((side) => (
        <td key={side} className={styles.value}>
          {field[side] === undefined ? (
            <span className={styles.quiet}>{say('noValue')}</span>
          ) : (
            textOf(field[side])
          )}
        </td>
      ))}
    </tr>
  )
}
