import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { FieldChanges } from '#components/frame/undo/field-changes'
import { UndoEvent } from '#components/frame/undo/undo-event'
import { icons } from '#components/kit/icons'
import { Card, Placeholder, Row, Stack } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { EventDocuments } from './event-documents'
import { EventFacts } from './event-facts'
import styles from './events.module.css'
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
  usePanelKeys(panel, opened, onClose)
  useEffect(() => {
    if (takesFocus) panel.current?.focus()
  }, [takesFocus])
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={say('title', { id: String(id) })}
      aria-description={say('keys')}
      className={styles.panel}
    >
      <Card title={say('title', { id: String(id) })} actions={<Ways opened={opened} onClose={onClose} />}>
        {event ? (
          <Stack gap="l">
            <EventFacts event={event} />
            <FieldChanges event={event} />
            <EventDocuments key={`documents ${event.id}`} event={event} />
            <UndoEvent key={`undo ${event.id}`} event={event} name={actOf(event, sayEvents)} />
          </Stack>
        ) : error ? (
          <Failure error={error} retry={opened.retry} />
        ) : (
          <div role="status" aria-label={say('loading')}>
            <Placeholder height={240} />
          </div>
        )}
      </Card>
    </section>
  )
}

function Ways({ opened, onClose }: { opened: OpenEvent; onClose: () => void }) {
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
        disabled={refused !== undefined}
        busy={opened.isTurning}
        onPress={() => void opened.go(step)}
        {...(refused !== undefined && { disabledReason: refused })}
      />
    )
  }
  return (
    <Row gap="xs">
      {way('previous')}
      {way('next')}
      <Tool look="quiet" icon={screenIcons.close} label={say('close')} onPress={onClose} />
    </Row>
  )
}

/** Keys while the focus is in the panel: the arrows move through the list, Esc closes. */
function usePanelKeys(panel: { current: HTMLElement | null }, opened: OpenEvent, onClose: () => void) {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented) return
    if (event.key === 'Escape') return onClose()
    const step = ({ ArrowLeft: 'previous', ArrowRight: 'next' } as const)[event.key]
    if (!step || opened.isTurning || !opened.may(step)) return
    event.preventDefault()
    void opened.go(step)
  })
  useEffect(() => {
    const element = panel.current
    const onKey = (event: KeyboardEvent) => hear(event)
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [panel])
}
