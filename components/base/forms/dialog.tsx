import Modal, { type ModalProps } from '@cloudscape-design/components/modal'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Stack } from '#components/kit/layout'
import { Buttons } from './buttons'

type DialogProps = {
  /** A dialog that stays mounted while it is hidden returns the focus to the button that opened it. */
  visible?: boolean
  header: string
  /** The buttons in the footer, the main one last. */
  actions: ReactNode
  size?: ModalProps.Size
  /** The name of the close button, if it does more than close. */
  closeLabel?: string
  /** `reason`: the close button, the Esc key or a click beside the dialog. */
  onDismiss: (reason: string) => void
  children: ReactNode
}

/** The frame of every dialog. Its children are mounted each time that it opens. */
export function Dialog({
  visible = true,
  header,
  actions,
  size = 'medium',
  closeLabel,
  onDismiss,
  children,
}: DialogProps) {
  const say = useTranslations('common')
  return (
    <Modal
      visible={visible}
      header={header}
      size={size}
      closeAriaLabel={closeLabel ?? say('close')}
      onDismiss={({ detail }) => onDismiss(detail.reason)}
      footer={<Buttons>{actions}</Buttons>}
    >
      {visible && <Stack gap="l">{children}</Stack>}
    </Modal>
  )
}
