import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/base/forms/flash'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { takeScratchCodeUse } from '#components/base/session/signed-in-with'

/** After a sign-in with a scratch code: the way to set up another phone. */
export function LostPhone() {
  const say = useTranslations('layout.lostPhone')
  const { scratchCodesLeft } = useSession()
  const notify = useFlash()
  const ask = useEffectEvent(() => {
    if (takeScratchCodeUse())
      notify({
        type: 'warning',
        header: say('title'),
        content: say('text', { left: scratchCodesLeft }),
        open: { text: say('setUp'), to: paths.newPhone() },
      })
  })
  // The screen after the sign-in closes messages of the one before.
  const isArriving = useLocation().pathname === paths.signIn()
  useEffect(() => {
    if (!isArriving) ask()
  }, [isArriving])
  return null
}
