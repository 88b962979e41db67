import type { ReactNode } from 'react'
import { AppLink } from '#components/base/screens/app-link'
import { screenIcons } from '#components/kit/screen-icons'
import type { LinkDocument } from '#lib/ground/http/view'
import { useScreenOf } from './session'

type ScreenLinkProps = {
  link: LinkDocument | undefined
  /** Opens another tab, and says so in these words. */
  newTab?: string
  /** In place of the link's title. */
  children?: ReactNode
}

/** The target of an API link: a link to its screen, or its title alone if the user may not open a screen for it. */
export function ScreenLink({ link, newTab, children = link?.title ?? '–' }: ScreenLinkProps) {
  const screen = useScreenOf()(link)
  if (!screen) return children
  if (newTab === undefined) return <AppLink to={screen}>{children}</AppLink>
  return (
    <AppLink to={screen} target="_blank">
      {children} {screenIcons.external}
      <span className="unseen"> {newTab}</span>
    </AppLink>
  )
}
