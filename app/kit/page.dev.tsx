'use client'

import '#components/kit/tokens.css'
import '#components/globals.css'
import { useSyncExternalStore } from 'react'
import { Showcase } from '#components/showcase/showcase'

const never = () => () => undefined

/** Every part of the kit. `next.config.js` makes a page of this file in development alone, so no build has it. */
export default function Page() {
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return inBrowser ? <Showcase /> : null
}
