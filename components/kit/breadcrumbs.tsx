import { useAddress } from './address'
import styles from './breadcrumbs.module.css'

type BreadcrumbsProps = {
  label: string
  /** The pages above this one, from the outside in, and this one. */
  items: readonly { text: string; href: string }[]
}

/** Where the page is. On a phone: the page above it alone. */
export function Breadcrumbs({ label, items }: BreadcrumbsProps) {
  const addressOf = useAddress()
  return (
    <nav aria-label={label} className={styles.trail}>
      <ol>
        {items.map(({ text, href }, index) => (
          <li key={href}>
            {index < items.length - 1 ? (
              <a href={addressOf(href)}>{text}</a>
            ) : (
              <span aria-current="page">{text}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
