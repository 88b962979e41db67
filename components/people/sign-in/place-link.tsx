import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { paths } from '#components/base/screens/paths'
import { icons } from '#components/kit/icons'
import { follow, type Handed, usePlace } from './place'
import styles from './sign-in.module.css'

type PlaceLinkProps = { to: string; handing?: Handed; children: ReactNode }

/** A link between the screens before the sign-in. */
export const PlaceLink = ({ to, handing, children }: PlaceLinkProps) => (
  <a href={to} className={styles.link} onClick={follow(to, handing)}>
    {children}
  </a>
)

/** Back to the address that asked for the sign-in, so that the sign-in leads there. */
export function BackToSignIn() {
  const { handed } = usePlace()
  const say = useTranslations('signIn')
  return (
    <div className={styles.ways}>
      <PlaceLink to={handed.from ?? paths.signIn()}>
        {icons.before}
        {say('back')}
      </PlaceLink>
    </div>
  )
}
