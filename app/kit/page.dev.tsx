'use client'

import '#components/kit/tokens.css'
import '#components/globals.css'
import { InBrowser } from '#components/in-browser'
import { Showcase } from '#components/showcase/showcase'

/** Every part of the kit. `next.config.js` makes a page of this file in development alone, so no build has it. */
export default function Page() {
  return (
    <InBrowser>
      <Showcase />
    </InBrowser>
  )
}
