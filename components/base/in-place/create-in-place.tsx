import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'

type CreateInPlaceProps = {
  label: string
  mayCreate: boolean
  /** The dialog over the form. Its `onDone` selects the new resource. */
  dialog: (onClose: () => void) => ReactNode
  /** The picker. */
  children: ReactNode
}

/** A picker, with a button that creates a missing item. */
export function CreateInPlace({ label, mayCreate, dialog, children }: CreateInPlaceProps) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (state === 'closed') button.current?.focus()
  }, [state])
  if (!mayCreate) return children
  return (
    <Stack gap="xs">
      {children}
      <Button look="link" icon={screenIcons.plus} onPress={() => setState('open')} ref={button}>
        {label}
      </Button>
      {state === 'open' && dialog(() => setState('closed'))}
    </Stack>
  )
}
