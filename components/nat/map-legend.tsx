import { useTranslations } from 'use-intl'
import { cellStates } from './cell-state'
import { useKnownState } from './cell-words'
import styles from './map.module.css'

/** What the colours and patterns mean. */
export function MapLegend() {
  const say = useTranslations('nat.states')
  const sayMap = useTranslations('nat.map')
  const known = useKnownState()
  return (
    <ul className={styles.legend} aria-label={sayMap('legend')}>
      {cellStates.map((state) => (
        <li key={state}>
          <span className={`${styles.swatch} ${styles[state]}`} aria-hidden="true" />
          {say(known(state))}
        </li>
      ))}
    </ul>
  )
}
