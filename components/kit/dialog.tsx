import { type ReactNode, useEffect, useRef } from 'react'
import { Dialog as Box } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './dialog.module.css'
import { useReturnFocus } from './return-focus'
import { screenIcons } from './screen-icons'
import { Tool } from './tool'

/** The button at its corner, the Escape key, or a click beside it. */
export type Closing = 'button' | 'key' | 'outside'

type DialogProps = {
  title: ReactNode
  actions: ReactNode
  isAlert?: boolean
  /** 480, 820 pixels, or nearly all of the screen. */
  size?: 'medium' | 'large' | 'max' | undefined
  /** The name of the button at its corner. */
  closeLabel?: string
  onClose: (by: Closing) => void
  children: ReactNode
}

/** A question in the way. It opens at its first field, or at its first action. */
export function Dialog({
  title,
  actions,
  isAlert = false,
  size = 'medium',
  closeLabel,
  onClose,
  children,
}: DialogProps) {
  const by = useRef<Closing>('key')
  return (
    <ModalOverlay
      isOpen
      isDismissable
      data-veil
      className={styles.veil ?? ''}
      // A list or a message over the dialog is not beside it.
      shouldCloseOnInteractOutside={(element) => {
        const isVeil = element.hasAttribute('data-veil')
        if (isVeil) by.current = 'outside'
        return isVeil
      }}
      onOpenChange={() => {
        onClose(by.current)
        by.current = 'key'
      }}
    >
      <Modal className={`${styles.modal} ${styles[size]}`}>
        <Box className={styles.box ?? ''} role={isAlert ? 'alertdialog' : 'dialog'}>
          <Inside>
            <div className={styles.head}>
              <Heading slot="title" className={styles.title ?? ''}>
                {title}
              </Heading>
              {closeLabel !== undefined && (
                <Tool
                  look="quiet"
                  icon={screenIcons.close}
                  label={closeLabel}
                  onPress={() => onClose('button')}
                />
              )}
            </div>
            <div className={styles.body}>{children}</div>
            <div className={styles.actions}>{actions}</div>
          </Inside>
        </Box>
      </Modal>
    </ModalOverlay>
  )
}

const fields = [
  'input:not(:disabled)',
  'textarea:not(:disabled)',
  'select:not(:disabled)',
  '[aria-haspopup="listbox"]',
  '[aria-haspopup="dialog"]',
]

/** Its effect comes before that of React Aria, which would focus the dialog itself. */
function Inside({ children }: { children: ReactNode }) {
  const inside = useRef<HTMLDivElement>(null)
  useReturnFocus()
  useEffect(() => {
    const find = (selector: string) => inside.current?.querySelector<HTMLElement>(selector)
    const first = find(`.${styles.body} :is(${fields})`) ?? find(`.${styles.actions} button:not(:disabled)`)
    // A part of the content may have taken it already.
    if (!inside.current?.contains(document.activeElement)) first?.focus()
  }, [])
  return (
    <div ref={inside} className={`kit ${styles.inside}`}>
      {children}
    </div>
  )
}
