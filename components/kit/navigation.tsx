import type { ReactNode } from 'react'
import { useAddress } from './address'
import styles from './navigation.module.css'

export type NavigationLink = {
  text: string
  href: string
  icon?: ReactNode
  /** Pages below this one. */
  links?: readonly NavigationLink[]
}

export type NavigationGroup = { title?: string; links: readonly NavigationLink[] }

type NavigationProps = {
  label: string
  groups: readonly NavigationGroup[]
  /** The address of the open page. */
  current?: string | undefined
}

/** The links at the left of the frame, in small groups. */
export const Navigation = ({ label, groups, current }: NavigationProps) => (
  <nav aria-label={label} className={styles.navigation}>
    {groups.map(({ title, links }) => (
      <div key={links[0]?.href}>
        {title && <h2>{title}</h2>}
        <Links links={links} current={current} />
      </div>
    ))}
  </nav>
)

function Links({ links, current }: Pick<NavigationProps, 'current'> & Pick<NavigationGroup, 'links'>) {
  const addressOf = useAddress()
  return (
    <ul>
      {links.map(({ text, href, icon, links: below = [] }) => (
        <li key={href}>
          <a href={addressOf(href)} aria-current={href === current ? 'page' : undefined}>
            {icon}
            <span>{text}</span>
          </a>
          {below.length > 0 && <Links links={below} current={current} />}
        </li>
      ))}
    </ul>
  )
}
