import { type ReactNode, useEffect, useRef } from 'react'
import { Dialog as Box } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './dialog.module.css'

type DialogProps = {
  title: ReactNode
  actions: ReactNode
  isAlert?: boolean
  onClose: () => void
  children: ReactNode
}

/** A question in the way. It opens at its first field, or at its first action. */
export const Dialog = ({ title, actions, isAlert = false, onClose, children }: DialogProps) => (
  <ModalOverlay
    isOpen
    isDismissable
    className={styles.veil ?? ''}
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    <Modal className={styles.modal ?? ''}>
      <Box className={styles.box ?? ''} role={isAlert ? 'alertdialog' : 'dialog'}>
        <Inside>
          <Heading slot="title" className={styles.title ?? ''}>
            {title}
          </Heading>
          <div className={styles.body}>{children}</div>
          <div className={styles.actions}>{actions}</div>
        </Inside>
      </Box>
    </Modal>
  </ModalOverlay>
)

/** Its effect comes before that of React Aria, which would focus the dialog itself. */
function Inside({ children }: { children: ReactNode }) {
  const inside = useRef<HTMLDivElement>(null)
  useEffect(() => inside.current?.querySelector<HTMLElement>('input, textarea, button')?.focus(), [])
  return (
    <div ref={inside} className={`kit ${styles.inside}`}>
      {children}
    </div>
  )
}
