import Box from '@cloudscape-design/components/box'
import type { KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslations } from 'use-intl'
import type { SessionDocument } from '#lib/auth/session.schema'
import type { Say } from '#lib/words/words'

const fewCodes = 3

/** What the account page says of two factor authentication. */
export function twoFactorFacts(say: Say<'account'>, session: SessionDocument): KeyValuePairsProps.Item[] {
  const { twoFactorProvider, scratchCodesLeft, email } = session
  if (!twoFactorProvider) return [{ label: say('twoFactor.state'), value: <Off /> }]
  return [
    {
      label: say('twoFactor.state'),
      value: <StatusIndicator type="success">{say('twoFactor.on')}</StatusIndicator>,
    },
    {
      label: say('twoFactor.from'),
      value: (
        <>
          {say(`code.names.${twoFactorProvider}`)}
          {twoFactorProvider === 'EMAIL' && <Hint>{email}</Hint>}
        </>
      ),
    },
    { label: say('twoFactor.codesLeft'), value: <ScratchCodesLeft count={scratchCodesLeft} /> },
  ]
}

const Hint = ({ children }: { children: string }) => (
  <Box variant="small" display="block">
    {children}
  </Box>
)

function Off() {
  const say = useTranslations('account.twoFactor')
  return (
    <>
      <StatusIndicator type="stopped">{say('off')}</StatusIndicator>
      <Hint>{say('offWhy')}</Hint>
    </>
  )
}

function ScratchCodesLeft({ count }: { count: number }) {
  const say = useTranslations('account.twoFactor')
  if (count > fewCodes) return count
  return (
    <>
      <StatusIndicator type="warning">{count === 0 ? say('noCodes') : count}</StatusIndicator>
      <Hint>{say('fewCodes')}</Hint>
    </>
  )
}
