import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { hasPasskeys } from '#components/base/session/passkeys'
import { Button } from '#components/kit/button'
import { icons } from '#components/kit/icons'
import { Notice } from '#components/kit/notice'
import { signInWaysQuery } from '#lib/caller/auth/session.queries'
import type { Attempt } from './use-sign-in'

type PasskeyButtonProps = { attempt: Attempt; text: 'use' | 'instead' }

/** Signs in with a passkey; renders nothing if the installation or the browser supports none. */
export function PasskeyButton({ attempt: { passkey, isSending, wait }, text }: PasskeyButtonProps) {
  const say = useTranslations('signIn')
  const sayPasskey = useTranslations('signIn.passkey')
  const { data: ways } = useQuery(signInWaysQuery)
  if (!ways?.passkey || !hasPasskeys()) return null
  const refused = wait > 0 ? say('tooManyFailures') : isSending ? say('busy') : undefined
  return (
    <>
      <Button wide icon={icons.key} busy={passkey.isAsking} refused={refused} onPress={passkey.use}>
        {sayPasskey(text)}
      </Button>
      {passkey.problem && <Notice role="status">{sayPasskey(passkey.problem)}</Notice>}
    </>
  )
}
