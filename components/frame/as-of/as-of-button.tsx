import { useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { deferredOver } from '#components/kit/deferred-over'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { useAsOf } from './as-of'

const AsOfDialog = deferredOver(async () => (await import('./as-of-dialog')).AsOfDialog)

/** The screens that can be seen as they were. */
const screens = [
  /^\/scopes(\/\d+)?$/,
  /^\/roles(\/\d+)?$/,
  /^\/enterprises\/\d+$/,
  /^\/nat\/networks$/,
  /^\/datacenters\/\d+\/natnetworks(\/\d+)?$/,
]

/** At the head of a screen that can be seen as it was. */
export function AsOfButton({ isBare }: { isBare: boolean }) {
  const say = useTranslations('layout.asOf')
  const { pathname } = useLocation()
  const moment = useAsOf()
  const [isOpen, setOpen] = useState(false)
  if (moment !== undefined || !screens.some((screen) => screen.test(pathname))) return null
  return (
    <>
      <Tool look="quiet" icon={screenIcons.events} label={say('button')} onPress={() => setOpen(true)}>
        {isBare ? undefined : say('button')}
      </Tool>
      {isOpen && <AsOfDialog onClose={() => setOpen(false)} />}
    </>
  )
}
