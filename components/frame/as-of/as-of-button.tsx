import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useAsOf } from '#components/base/screens/as-of'
import { hasPast } from '#components/base/screens/screens'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { useOpenTimeBar } from './past'

/** At the head of a screen that can be seen as it was: opens the time bar. */
export function AsOfButton({ isBare }: { isBare: boolean }) {
  const say = useTranslations('layout.asOf')
  const { pathname } = useLocation()
  const moment = useAsOf()
  const open = useOpenTimeBar()
  if (moment !== undefined || !hasPast(pathname)) return null
  return (
    <Tool look="quiet" icon={screenIcons.events} label={say('button')} onPress={open}>
      {isBare ? undefined : say('button')}
    </Tool>
  )
}
