import Link from '@cloudscape-design/components/link'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { thingAt } from './operations'

const WhoDialog = lazy(async () => ({ default: (await import('./who-dialog')).WhoDialog }))

/** Beside the heading of a datacenter, enterprise, scope or NAT network. */
export function WhoButton({ title }: { title: string }) {
  const say = useTranslations('access.who')
  const { pathname } = useLocation()
  const mayAsk = useMay(...access.askAccess)
  const [isOpen, setOpen] = useState(false)
  const thing = thingAt(pathname)
  if (!thing || !mayAsk) return null
  return (
    <>
      <Link variant="info" onFollow={() => setOpen(true)}>
        {say('can')}
      </Link>
      <Suspense>{isOpen && <WhoDialog thing={thing} name={title} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
