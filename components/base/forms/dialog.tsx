import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { deferredOver } from '#components/kit/deferred-over'
import type { Closing } from '#components/kit/dialog'

const Framed = deferredOver(async () => (await import('#components/kit/overlays')).Dialog)

export type DialogSize = 'medium' | 'large' | 'max'

type DialogProps = {
  /** A dialog that stays mounted while it is hidden returns the focus to the button that opened it. */
  visible?: boolean
  header: string
  /** The buttons in the footer, the main one last. */
  actions: ReactNode
  size?: DialogSize
  /** The name of the close button, if it does more than close. */
  closeLabel?: string
  onDismiss: (by: Closing) => void
  children: ReactNode
}

/** The frame of every dialog. Its children are mounted each time that it opens. */
export function Dialog({ visible = true, header, size, closeLabel, onDismiss, ...inside }: DialogProps) {
  const say = useTranslations('common')
  if (!visible) return null
  return (
    <Framed
      {...inside}
      title={header}
      size={size}
      closeLabel={closeLabel ?? say('close')}
      onClose={onDismiss}
    />
  )
}
