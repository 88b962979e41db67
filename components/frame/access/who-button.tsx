import { useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { useIsPast } from '#components/base/screens/as-of'
import { useMay } from '#components/base/session/session'
import { deferredOver } from '#components/kit/deferred-over'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { thingAt } from './operations'

const WhoDialog = deferredOver(async () => (await import('./who-dialog')).WhoDialog)

/** At the head of a datacenter, enterprise, scope or NAT network. */
export function WhoButton({ title, isBare }: { title: string; isBare: boolean }) {
  const say = useTranslations('access.who')
  const { pathname } = useLocation()
  const mayAsk = useMay(...access.askAccess)
  const [isOpen, setOpen] = useState(false)
  const thing = thingAt(pathname)
  const isPast = useIsPast()
  if (!thing || !mayAsk || isPast) return null
  return (
    <>
      <Tool look="quiet" icon={screenIcons.users} label={say('can')} onPress={() => setOpen(true)}>
        {isBare ? undefined : say('can')}
      </Tool>
      {isOpen && <WhoDialog thing={thing} name={title} onClose={() => setOpen(false)} />}
    </>
  )
}
