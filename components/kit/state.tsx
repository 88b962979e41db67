import styles from './state.module.css'

/** The sign of a state is a cell of the map: its pattern needs no colour. */
export type Sign = 'free' | 'held' | 'default' | 'warn' | 'off' | 'unknown'

export const SignOf = ({ sign }: { sign: Sign }) => (
  <i className={`${styles.cell} ${styles[sign]}`} aria-hidden="true" />
)
