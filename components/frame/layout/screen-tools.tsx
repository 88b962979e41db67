import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { helpFor } from '#components/base/screens/help-topics'
import { paths } from '#components/base/screens/paths'
import { WhoButton } from '#components/frame/access/who-button'
import { AsOfButton } from '#components/frame/as-of/as-of-button'
import { ScreenCalls } from '#components/frame/calls/screen-calls'
import { LinkButton } from '#components/kit/button'
import { screenIcons } from '#components/kit/screen-icons'
import styles from './layout.module.css'

type ScreenToolsProps = {
  title: string
  /** As icons alone: beside a filter there is no room for more. */
  isBare?: boolean
}

/** At the right of every screen's head, before its own actions: what can be asked about the screen. */
export const ScreenTools = ({ title, isBare = false }: ScreenToolsProps) => (
  <div className={styles.tools}>
    <AsOfButton isBare={isBare} />
    <WhoButton title={title} isBare={isBare} />
    <ScreenCalls isBare={isBare} />
    <HelpLink title={title} isBare={isBare} />
  </div>
)

/** Leads to the document that explains the screen. */
function HelpLink({ title, isBare }: Required<ScreenToolsProps>) {
  const { pathname } = useLocation()
  const say = useTranslations('layout.help')
  const document = helpFor(pathname)
  if (!document) return null
  return (
    <LinkButton
      look="quiet"
      icon={screenIcons.help}
      href={paths.help(document)}
      label={say('aboutScreen', { title })}
    >
      {isBare ? undefined : say('title')}
    </LinkButton>
  )
}
