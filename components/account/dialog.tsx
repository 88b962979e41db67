import Box from '@cloudscape-design/components/box'
import Modal, { type ModalProps } from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'

type DialogProps = {
  visible: boolean
  header: string
  actions: ReactNode
  onDismiss: NonNullable<ModalProps['onDismiss']>
  children: ReactNode
}

/** A dialog that stays mounted, so that the focus returns to where it was; what it shows begins anew each time. */
export const Dialog = ({ visible, header, actions, onDismiss, children }: DialogProps) => (
  <Modal
    visible={visible}
    header={header}
    closeAriaLabel="Close"
    onDismiss={onDismiss}
    footer={
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          {actions}
        </SpaceBetween>
      </Box>
    }
  >
    {visible && <SpaceBetween size="l">{children}</SpaceBetween>}
  </Modal>
)
