import Link from '@cloudscape-design/components/link'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { paths } from '#components/base/screens/paths'
import { go, type Handed, usePlace } from './place'
import styles from './sign-in.module.css'

type PlaceLinkProps = { to: string; handing?: Handed; children: ReactNode }

/** A link between the screens before the sign-in. */
export const PlaceLink = ({ to, handing, children }: PlaceLinkProps) => (
  <Link
    href={to}
    onFollow={(event) => {
      event.preventDefault()
      go(to, handing)
    }}
  >
    {children}
  </Link>
)

/** Back to the address that asked for the sign-in, so that the sign-in leads there. */
export function BackToSignIn() {
  const { handed } = usePlace()
  const say = useTranslations('signIn')
  return (
    <div className={styles.ways}>
      <PlaceLink to={handed.from ?? paths.signIn()}>{say('back')}</PlaceLink>
    </div>
  )
}
