import Box from '@cloudscape-design/components/box'
import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/base/forms/flash'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Card } from '#components/frame/layout/card'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import type { Say } from '#lib/words/words'
import { DisableDialog, NewCodesDialog, ProveDialog } from './two-factor-dialogs'
import { UnprovedWarning } from './unproved'

type Dialog = 'none' | 'disable' | 'renew' | 'prove'

/** The state of two factor, and the dialogs that change it. */
export function TwoFactorCard({ session }: { session: SessionDocument }) {
  const say = useTranslations('account')
  const [dialog, setDialog] = useState<Dialog>('none')
  const [wasTurnedOff, setTurnedOff] = useState(false)
  const notify = useFlash()
  const close = () => setDialog('none')
  const turnedOff = () => {
    close()
    setTurnedOff(true)
  }
  const turnedBack = () => {
    notify(say('twoFactor.takenBack'))
    setTurnedOff(true)
  }
  return (
    <Card
      title={say('twoFactor.title')}
      description={say('twoFactor.about')}
      actions={
        session.twoFactorProvider ? (
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={() => setDialog('disable')}>{say('twoFactor.turnOff')}</Button>
            <Button onClick={() => setDialog('renew')}>{say('twoFactor.newCodes')}</Button>
          </SpaceBetween>
        ) : (
          <SetUp takesFocus={wasTurnedOff} />
        )
      }
    >
      <SpaceBetween size="l">
        {session.canTakeBack && (
          <UnprovedWarning onProve={() => setDialog('prove')} onTakenBack={turnedBack} />
        )}
        <KeyValuePairs columns={4} minColumnWidth={200} items={twoFactorFacts(say, session)} />
      </SpaceBetween>
      <DisableDialog session={session} visible={dialog === 'disable'} onCancel={close} onDone={turnedOff} />
      <NewCodesDialog session={session} visible={dialog === 'renew'} onCancel={close} onDone={close} />
      <ProveDialog session={session} visible={dialog === 'prove'} onCancel={close} onDone={close} />
    </Card>
  )
}

/** Takes the focus when it replaces the button that had opened the dialog. */
function SetUp({ takesFocus }: { takesFocus: boolean }) {
  const say = useTranslations('account.twoFactor')
  const button = useRef<ButtonProps.Ref>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    <AppButton ref={button} variant="primary" to={paths.twoFactor()}>
      {say('setUp')}
    </AppButton>
  )
}

const fewCodes = 3

function twoFactorFacts(say: Say<'account'>, session: SessionDocument): KeyValuePairsProps.Item[] {
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
  const label = useTranslations('labels')
  if (count > fewCodes) return count
  return (
    <>
      <StatusIndicator type="warning">{count === 0 ? label('none') : count}</StatusIndicator>
      <Hint>{say('fewCodes')}</Hint>
    </>
  )
}
