import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ChangeProgress } from '#components/base/forms/change-progress'
import { FailureText } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useAction } from '#components/base/forms/use-action'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Button } from '#components/kit/button'
import { Placeholder, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { screenIcons } from '#components/kit/screen-icons'
import type { Progress } from '#lib/ground/http/event-stream'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { eventQuery, undoQuery } from '#lib/record/events/events.queries'
import type { EventDocument } from '#lib/record/events/events.schema'
import { useUndo } from '#lib/record/jobs/jobs.queries'
import { FieldChanges } from './field-changes'

type UndoProps = {
  event: EventDocument
  /** What was done, for example "attach 198.51.100.1". */
  name: string
  /** The same of another event. */
  nameOf?: ((event: EventDocument) => string) | undefined
  /** One of several on the screen: the button has a name of its own, and no key. */
  isOneOfMany?: boolean
}

/** The links to the event's undo or to the event that it undid, and the button that undoes it. */
export function UndoEvent({ event, name, nameOf, isOneOfMany = false }: UndoProps) {
  const say = useTranslations('events.undo')
  const [isOpen, setOpen] = useState(false)
  const related = (['undoes', 'undoneby'] as const).flatMap((rel) => {
    const id = idOfLink(linkOf(event, rel))
    return id === undefined ? [] : [{ rel, id }]
  })
  const canUndo = linkOf(event, 'undo') !== undefined
  const open = () => setOpen(true)
  if (related.length === 0 && !canUndo) return null
  return (
    <Stack gap="s">
      {related.map(({ rel, id }) => (
        <div key={rel}>
          {say(rel === 'undoes' ? 'undid' : 'undoneBy')} <RelatedEvent id={id} nameOf={nameOf} />
        </div>
      ))}
      {canUndo && isOneOfMany && (
        <Button icon={screenIcons.undo} label={say('title', { what: name })} onPress={open}>
          {say('button')}
        </Button>
      )}
      {canUndo && !isOneOfMany && (
        <Button icon={screenIcons.undo} data-key="z" onPress={open}>
          {say('button')}
        </Button>
      )}
      {isOpen && <UndoDialog event={event} name={name} onClose={() => setOpen(false)} />}
    </Stack>
  )
}

type RelatedProps = Pick<UndoProps, 'nameOf'> & { id: number }

function RelatedEvent({ id, nameOf }: RelatedProps) {
  const say = useTranslations('events.undo')
  const { data } = useQuery({ ...eventQuery(id), enabled: nameOf !== undefined, retry: false })
  return (
    <AppLink to={paths.events({ event: id })}>
      {nameOf && data ? nameOf(data.document) : say('event', { id: String(id) })}
    </AppLink>
  )
}

/** Shows a preview of the undo, or the reasons against it by field. */
function UndoDialog({
  event,
  name,
  onClose,
}: Omit<UndoProps, 'nameOf' | 'isOneOfMany'> & { onClose: () => void }) {
  const say = useTranslations('events.undo')
  const [progress, setProgress] = useState<Progress>()
  const dry = useQuery(undoQuery(event.id, setProgress))
  const undoing = useUndo(setProgress)
  const undo = useAction(undoing, {
    done: (made) => ({
      type: 'success',
      content: say('undone', { what: name }),
      open: made && { text: say('seeNew'), to: paths.events({ event: made.id }) },
    }),
    onDone: onClose,
  })
  const error = undoing.error ?? dry.error
  return (
    <FormDialog
      visible
      header={say('title', { what: name })}
      submit={{
        label: say('submit'),
        busyLabel: say('busy'),
        isBusy: undoing.isPending || dry.isPending,
        refused: dry.error ? say('cannot') : undefined,
      }}
      onSubmit={() => undo(event.id)}
      onClose={onClose}
    >
      <Stack>
        <p>{say('about')}</p>
        {dry.isPending && (
          <div role="status" aria-label={say('reading')}>
            <Placeholder height={120} />
          </div>
        )}
        <ChangeProgress progress={dry.isPending || undoing.isPending ? progress : undefined} />
        {dry.data && <FieldChanges changes={dry.data.changes} />}
        {error && (
          <Notice kind="bad" title={say('cannot')}>
            <FailureText error={error} />
          </Notice>
        )}
      </Stack>
    </FormDialog>
  )
}
