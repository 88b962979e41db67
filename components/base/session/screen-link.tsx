import type { LinkProps } from '@cloudscape-design/components/link'
import type { ReactNode } from 'react'
import { AppLink } from '#components/base/screens/app-link'
import type { LinkDocument } from '#lib/ground/http/view'
import { useScreenOf } from './session'

type ScreenLinkProps = Pick<LinkProps, 'external' | 'externalIconAriaLabel' | 'fontSize' | 'variant'> & {
  link: LinkDocument | undefined
  /** In place of the link's title. */
  children?: ReactNode
}

/** The target of an API link: a link to its screen, or its title alone if the user may not open a screen for it. */
export function ScreenLink({ link, children = link?.title ?? '–', ...props }: ScreenLinkProps) {
  const screen = useScreenOf()(link)
  if (!screen) return children
  return (
    <AppLink {...props} to={screen}>
      {children}
    </AppLink>
  )
}

/** The same in a cell of a table, which follows plain links itself. */
export function CellScreenLink({ link }: Pick<ScreenLinkProps, 'link'>) {
  const screen = useScreenOf()(link)
  const title = link?.title ?? '–'
  return screen ? <AppLink to={screen}>{title}</AppLink> : title
}
