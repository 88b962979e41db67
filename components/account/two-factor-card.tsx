import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import type { SessionDocument } from '#lib/auth/session.schema'
import { DisableDialog, NewCodesDialog, ProveDialog } from './two-factor-dialogs'
import { twoFactorFacts } from './two-factor-facts'
import { UnprovedWarning } from './unproved-warning'

type Dialog = 'none' | 'disable' | 'renew' | 'prove'

/** Is a second proof asked for at sign-in, and how does one change that. */
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
    notify({ type: 'success', content: say('twoFactor.takenBack') })
    setTurnedOff(true)
  }
  return (
    <Container
      header={
        <Header
          variant="h2"
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
          {say('twoFactor.title')}
        </Header>
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
    </Container>
  )
}

/** Takes the focus when it stands in for the button that opened the dialog and is gone. */
function SetUp({ takesFocus }: { takesFocus: boolean }) {
  const say = useTranslations('account.twoFactor')
  const button = useRef<ButtonProps.Ref>(null)
  const follow = useFollow()
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    <Button ref={button} variant="primary" href={paths.twoFactor()} onFollow={follow}>
      {say('setUp')}
    </Button>
  )
}
