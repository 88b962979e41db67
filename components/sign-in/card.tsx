import type { ReactNode } from 'react'
import { productName } from '#components/layout/product'
import styles from './sign-in.module.css'

/** The frame of every screen before the sign-in. */
export function Card({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.brand}>
        <BrandMark size={36} />
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

/** The drawing of public/favicon.svg, inline to save a request. */
const BrandMark = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" fill="#5246d2" />
    <path d="M10.6 22.5a4.6 4.6 0 0 1-.5-9.17 6.3 6.3 0 0 1 12.02 1.2 4 4 0 0 1-.72 7.97z" fill="#fff" />
  </svg>
)
