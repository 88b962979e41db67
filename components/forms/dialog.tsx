import Modal, { type ModalProps } from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Buttons } from './buttons'

type DialogProps = {
  /** A dialog that stays mounted while it is hidden gives the focus back to where it was. */
  visible?: boolean
  header: string
  /** The buttons below, the main one last. */
  actions: ReactNode
  size?: ModalProps.Size
  /** What the cross in the corner does, where it is more than to close. */
  closeLabel?: string
  /** `reason` says whether it was the cross, the Esc key or a click beside the dialog. */
  onDismiss: (reason: string) => void
  children: ReactNode
}

/** The one frame of dialogs. What it shows begins anew each time that it opens. */
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
      {visible && <SpaceBetween size="l">{children}</SpaceBetween>}
    </Modal>
  )
}
