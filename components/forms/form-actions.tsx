import type { ReactNode } from 'react'
import { Buttons } from './buttons'
import styles from './form-actions.module.css'

/** The buttons at the end of a form, which stay in sight while a long form is scrolled. */
export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.bar}>
    <Buttons>{children}</Buttons>
  </div>
)
