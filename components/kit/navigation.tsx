import type { ReactNode } from 'react'
import styles from './navigation.module.css'

export type NavigationGroup = {
  title?: string
  links: readonly { text: string; href: string; icon?: ReactNode; isCurrent?: boolean }[]
}

type NavigationProps = { label: string; groups: readonly NavigationGroup[] }

/** The links at the left of the frame, in small groups. */
export const Navigation = ({ label, groups }: NavigationProps) => (
  <nav aria-label={label} className={styles.navigation}>
    {groups.map(({ title, links }) => (
      <div key={title ?? links[0]?.href}>
        {title && <h2>{title}</h2>}
        <ul>
          {links.map(({ text, href, icon, isCurrent = false }) => (
            <li key={href}>
              <a href={href} aria-current={isCurrent ? 'page' : undefined}>
                {icon}
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
)
