import type { ReactNode } from 'react'
import type { Call } from '#lib/client/calls'
import { Buttons } from './buttons'
import { CallsButton } from './calls-button'
import styles from './form-actions.module.css'

type FormActionsProps = {
  /** The requests that the form would send now. */
  calls: () => Promise<Call[]>
  children: ReactNode
}

/** The buttons at the end of a form, which stay in sight while a long form is scrolled. */
export const FormActions = ({ calls, children }: FormActionsProps) => (
  <div className={styles.bar}>
    <Buttons>
      <CallsButton look="quiet" find={calls} />
      {children}
    </Buttons>
  </div>
)
