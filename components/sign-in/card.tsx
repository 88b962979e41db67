import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { BrandMark } from '#components/layout/brand-mark'
import styles from './sign-in.module.css'

/** The frame of every screen before the sign-in. */
export function Card({ children }: { children: ReactNode }) {
  const say = useTranslations('common')
  return (
    <div className={styles.page}>
      <header className={styles.brand}>
        <BrandMark size={36} />
        {say('product')}
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

/** What has come of a form, in its place: a screen reader begins to read here. */
export const Outcome = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <h1 ref={focus} tabIndex={-1} className={styles.title}>
      {title}
    </h1>
    <p className={styles.lead}>{children}</p>
  </div>
)
