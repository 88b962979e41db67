import type { ReactNode } from 'react'
import styles from './bars.module.css'

export type Bar = {
  id: string | number
  name: ReactNode
  /** From 0 to 1. */
  share: number
  /** The figures at the end of the bar. */
  text: ReactNode
  state?: 'usual' | 'warn' | 'full'
}

type BarsProps = {
  label: string
  bars: readonly Bar[]
  format: (share: number) => string
  /** The share from which on bars are near their end. */
  mark?: { share: number; text: string }
}

const ticks = [0, 0.25, 0.5, 0.75, 1]

/** Shares of a whole, one below the other. A list with its figures, so that it needs no other form for screen readers. */
export const Bars = ({ label, bars, format, mark }: BarsProps) => (
  <div className={styles.chart}>
    <ul aria-label={label}>
      {bars.map(({ id, name, share, text, state = 'usual' }) => (
        <li key={id}>
          <span className={styles.name}>{name}</span>
          <span className={styles.track}>
            <i className={styles[state]} style={{ inlineSize: `${share * 100}%` }} />
            {mark && <b style={{ insetInlineStart: `${mark.share * 100}%` }} />}
          </span>
          <span className={styles.text}>{text}</span>
        </li>
      ))}
    </ul>
    <div className={styles.axis} aria-hidden="true">
      <span>
        {ticks.map((tick) => (
          <i key={tick} style={{ insetInlineStart: `${tick * 100}%` }}>
            {format(tick)}
          </i>
        ))}
      </span>
      {mark && <small>{mark.text}</small>}
    </div>
  </div>
)
