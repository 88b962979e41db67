import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ReactNode, useEffect, useRef, useState } from 'react'

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
  const button = useRef<ButtonProps.Ref>(null)
  useEffect(() => {
    if (state === 'closed') button.current?.focus()
  }, [state])
  if (!mayCreate) return children
  return (
    <SpaceBetween size="xxs">
      {children}
      <Button
        ref={button}
        variant="inline-link"
        formAction="none"
        iconName="add-plus"
        onClick={() => setState('open')}
      >
        {label}
      </Button>
      {state === 'open' && dialog(() => setState('closed'))}
    </SpaceBetween>
  )
}
