import type { ReactNode } from 'react'
import styles from './buttons.module.css'

/** The buttons at the end of a card or dialog, the main one last. They wrap on narrow screens. */
export const Buttons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
)
