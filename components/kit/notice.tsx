import type { ReactNode, Ref } from 'react'
import styles from './notice.module.css'

type NoticeProps = {
  kind?: 'info' | 'good' | 'warn' | 'bad'
  title?: ReactNode
  action?: ReactNode
  role?: 'alert' | 'status'
  /** It can take the focus. */
  ref?: Ref<HTMLDivElement>
  children?: ReactNode
}

/** What one must know here: it stands where it matters and stays while it is true. */
export const Notice = ({ kind = 'info', title, action, role, ref, children }: NoticeProps) => (
  <div className={`${styles.notice} ${styles[kind]}`} role={role} ref={ref} tabIndex={ref ? -1 : undefined}>
    <div>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
    {action}
  </div>
)
