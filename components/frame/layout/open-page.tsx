import type { ReactNode } from 'react'
import styles from './open-page.module.css'
import { brandMark, productName } from './product'

/** The page of every screen without a session, and of the last resorts: the product's name above one task. */
export const OpenPage = ({ children }: { children: ReactNode }) => (
  <div className={`kit ${styles.page}`}>
    <div className={styles.column}>
      <header className={styles.brand}>
        <img src={brandMark} width={28} height={28} alt="" />
        {productName()}
      </header>
      <main>{children}</main>
    </div>
  </div>
)
