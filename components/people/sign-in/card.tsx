import type { ReactNode } from 'react'
import { brandMark, productName } from '#components/frame/layout/product'
import styles from './sign-in.module.css'

/** The frame of every screen before the sign-in. */
export function Card({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.brand}>
        <img src={brandMark} width={36} height={36} alt="" />
        {productName()}
      </header>
      <main className={styles.card}>{children}</main>
    </div>
  )
}

export const Heading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div>
    <h1 className={styles.title}>{title}</h1>
    {children && <p className={styles.lead}>{children}</p>}
  </div>
)

const focus = (heading: HTMLElement | null) => heading?.focus()

/** The result in place of a form. It takes the focus, so that screen readers start here. */
export const Outcome = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <h1 ref={focus} tabIndex={-1} className={styles.title}>
      {title}
    </h1>
    <p className={styles.lead}>{children}</p>
  </div>
)
