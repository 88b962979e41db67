import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { hasPasskeys } from '#components/base/session/passkeys'
import { signInWaysQuery } from '#lib/caller/auth/session.queries'
import type { Attempt } from './use-sign-in'

type PasskeyButtonProps = { attempt: Attempt; text: 'use' | 'instead' }

/** Signs in with a passkey; renders nothing if the installation or the browser supports none. */
export function PasskeyButton({ attempt: { passkey, isSending, wait }, text }: PasskeyButtonProps) {
  const say = useTranslations('signIn.passkey')
  const sayCommon = useTranslations('common')
  const { data: ways } = useQuery(signInWaysQuery)
  if (!ways?.passkey || !hasPasskeys()) return null
  return (
    <SpaceBetween size="s">
      <Button
        formAction="none"
        fullWidth
        loading={passkey.isAsking}
        disabled={isSending || wait > 0}
        onClick={passkey.use}
      >
        {say(text)}
      </Button>
      {passkey.problem && (
        <div role="status">
          <Alert type="info" i18nStrings={{ infoIconAriaLabel: sayCommon('infoIcon') }}>
            {say(passkey.problem)}
          </Alert>
        </div>
      )}
    </SpaceBetween>
  )
}
