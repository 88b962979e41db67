'use client'

import { Console } from '#components/console'
import { InBrowser } from '#components/in-browser'

export default function Page() {
  return (
    <InBrowser>
      <Console />
    </InBrowser>
  )
}
