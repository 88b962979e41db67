'use client'

import { useSyncExternalStore } from 'react'
import { Console } from '#components/console'

const never = () => () => undefined

/** The server sends an empty page; the console starts in the browser, once the page is hydrated. */
export default function Page() {
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return inBrowser ? <Console /> : null
}
