import Alert, { type AlertProps } from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '#lib/client/api'
import type { Tagged } from '#lib/client/resources.queries'

export const isStaleWrite = (error: unknown): boolean => error instanceof ApiFailure && error.status === 412

/** Whether a save was refused because somebody else has saved `current` since `base`. */
export const isConflict = (
  error: unknown,
  base: Tagged<unknown> | undefined,
  current: Tagged<unknown> | undefined,
) => isStaleWrite(error) && current !== undefined && current.etag !== base?.etag

type ConflictProps = {
  /** The saved values. */
  theirs: readonly { label: string; value: string }[]
  isSaving: boolean
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Two people changed the same resource: the user decides whose version stays. */
export function Conflict({ theirs, isSaving, onKeepMine, onTakeTheirs }: ConflictProps) {
  const say = useTranslations('forms.conflict')
  const sayForms = useTranslations('forms')
  const alert = useRef<AlertProps.Ref>(null)
  // The alert may be far above the button that saves. The focus scrolls to it.
  useEffect(() => alert.current?.focus(), [])
  return (
    <Alert
      ref={alert}
      type="warning"
      header={say('title')}
      action={
        <SpaceBetween direction="horizontal" size="xs">
          <Button formAction="none" onClick={onTakeTheirs}>
            {say('takeTheirs')}
          </Button>
          <Button formAction="none" loading={isSaving} loadingText={sayForms('saving')} onClick={onKeepMine}>
            {say('keepMine')}
          </Button>
        </SpaceBetween>
      }
    >
      <SpaceBetween size="s">
        <Box color="inherit">{say('about')}</Box>
        <KeyValuePairs columns={theirs.length} items={theirs} />
      </SpaceBetween>
    </Alert>
  )
}
