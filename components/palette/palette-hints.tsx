import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import styles from './palette.module.css'

/** What the keys do in the palette. */
export function PaletteHints({ onForget }: { onForget: (() => void) | undefined }) {
  const say = useTranslations('palette')
  return (
    <div className={styles.hints}>
      <span className={styles.keys}>
        {(['move', 'open', 'close'] as const).map((hint) => (
          <span key={hint}>{say.rich(`hints.${hint}`, { key: inKey })}</span>
        ))}
      </span>
      {onForget && (
        <button type="button" className={styles.quietButton} onClick={onForget}>
          {say('forget')}
        </button>
      )}
    </div>
  )
}

const inKey = (name: ReactNode) => <kbd className={styles.key}>{name}</kbd>
