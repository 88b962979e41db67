import styles from './spinner.module.css'

/** A sign that something is under way. The text beside it says what. */
export const Spinner = ({ className = '' }: { className?: string | undefined }) => (
  <i className={`${styles.spinner} ${className}`} aria-hidden="true" />
)
