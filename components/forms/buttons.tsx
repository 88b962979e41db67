import type { ReactNode } from 'react'
import styles from './buttons.module.css'

/** The buttons at the end of something, the main one last. They may come in a fragment, and wrap where there is no room. */
export const Buttons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
)
