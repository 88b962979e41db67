import Link from '@cloudscape-design/components/link'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useAsOf } from './as-of'

const AsOfDialog = lazy(async () => ({ default: (await import('./as-of-dialog')).AsOfDialog }))

/** The screens that can be seen as they were. */
const screens = [
  /^\/scopes(\/\d+)?$/,
  /^\/roles(\/\d+)?$/,
  /^\/enterprises\/\d+$/,
  /^\/nat\/networks$/,
  /^\/datacenters\/\d+\/natnetworks(\/\d+)?$/,
]

/** Beside the heading of a screen that can be seen as it was. */
export function AsOfButton() {
  const say = useTranslations('layout.asOf')
  const { pathname } = useLocation()
  const moment = useAsOf()
  const [isOpen, setOpen] = useState(false)
  if (moment !== undefined || !screens.some((screen) => screen.test(pathname))) return null
  return (
    <>
      <Link variant="info" onFollow={() => setOpen(true)}>
        {say('button')}
      </Link>
      <Suspense>{isOpen && <AsOfDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
