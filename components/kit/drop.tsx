import type { ReactNode } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import styles from './drop.module.css'
import menu from './menu.module.css'
import { Tool } from './tool'

type DropProps = {
  label: string
  icon: ReactNode
  children: (close: () => void) => ReactNode
}

/** A button with a small form of its own: it opens at its first field, and Escape returns to the button. */
export const Drop = ({ label, icon, children }: DropProps) => (
  <DialogTrigger>
    <Tool look="quiet" icon={icon} label={label} />
    <Popover offset={4} placement="bottom end" className={menu.popover ?? ''}>
      <Dialog aria-label={label} className={`kit ${styles.drop}`}>
        {({ close }) => children(close)}
      </Dialog>
    </Popover>
  </DialogTrigger>
)
