import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { useAsOf } from '#components/base/screens/as-of'
import { FieldChanges } from '#components/frame/undo/field-changes'
import { UndoEvent } from '#components/frame/undo/undo-event'
import { Panel } from '#components/kit/frame'
import { icons } from '#components/kit/icons'
import { Placeholder, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { linkOf } from '#lib/ground/http/view'
import { EventDocuments } from './event-documents'
import { EventFacts } from './event-facts'
import { EventRows } from './event-rows'
import { actOf } from './sentence'
import type { OpenEvent } from './use-open-event'

type EventPanelProps = {
  id: number
  opened: OpenEvent
  /** Users who opened the event by its link or by a key continue in the panel. */
  takesFocus: boolean
  onClose: () => void
}

/** One event beside the list: its facts, and each changed field before and after. */
export function EventPanel({ id, opened, takesFocus, onClose }: EventPanelProps) {
  const say = useTranslations('events.detail')
  const sayEvents = useTranslations('events')
  const panel = useRef<HTMLElement>(null)
  const { event, error } = opened
  const asof = useAsOf()
  useEffect(() => {
    if (takesFocus) panel.current?.focus()
  }, [takesFocus])
  const title = say('title', { id: String(id) })
  return (
    <Panel
      ref={panel}
      title={title}
      label={title}
      about={say('keys')}
      closeLabel={say('close')}
      tools={<Ways opened={opened} />}
      onClose={onClose}
      onKeyDown={(pressed) => {
        const step = stepOf(pressed)
        if (!step || opened.isTurning || !opened.may(step)) return
        pressed.preventDefault()
        void opened.go(step)
      }}
    >
      {event && asof !== undefined && Date.parse(event.timestamp) > Date.parse(asof) ? (
        <Notice>{say('later')}</Notice>
      ) : event ? (
        <Stack gap="l">
          <EventFacts event={event} />
          <FieldChanges changes={event.changes} />
          {linkOf(event, 'rows') && <EventRows key={`rows ${event.id}`} event={event} />}
          <EventDocuments key={`documents ${event.id}`} event={event} />
          {asof === undefined && (
            <UndoEvent
              key={`undo ${event.id}`}
              event={event}
              name={actOf(event, sayEvents)}
              nameOf={(other) => actOf(other, sayEvents)}
            />
          )}
        </Stack>
      ) : error ? (
        <Failure error={error} retry={opened.retry} />
      ) : (
        <div role="status" aria-label={say('loading')}>
          <Placeholder height={240} />
        </div>
      )}
    </Panel>
  )
}

/** The arrows move through the list. */
function stepOf({ key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent) {
  if (ctrlKey || altKey || metaKey || shiftKey) return undefined
  return ({ ArrowLeft: 'previous', ArrowRight: 'next' } as const)[key]
}

function Ways({ opened }: { opened: OpenEvent }) {
  const say = useTranslations('events.detail')
  const reason = (step: 'previous' | 'next') => {
    if (opened.may(step)) return undefined
    if (!opened.isListed) return say('notListed')
    return say(step === 'previous' ? 'first' : 'last')
  }
  const way = (step: 'previous' | 'next') => {
    const refused = reason(step)
    return (
      <Tool
        look="quiet"
        icon={step === 'previous' ? icons.before : screenIcons.after}
        label={say(step)}
        refused={refused}
        busy={opened.isTurning}
        onPress={() => void opened.go(step)}
      />
    )
  }
  return (
    <>
      {way('previous')}
      {way('next')}
    </>
  )
}
