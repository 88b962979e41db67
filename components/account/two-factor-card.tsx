import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useRef, useState } from 'react'
import { useFollow } from '#components/layout/app-link'
import { useFlash } from '#components/layout/flash'
import { paths } from '#components/paths'
import type { SessionDocument } from '#lib/auth/session.schema'
import { DisableDialog } from './disable-dialog'
import { NewCodesDialog } from './new-codes-dialog'
import { ProveDialog } from './prove-dialog'
import { takenBack } from './take-back'
import { twoFactorFacts } from './two-factor-facts'
import { UnprovedWarning } from './unproved-warning'

type Dialog = 'none' | 'disable' | 'renew' | 'prove'

/** Is a second proof asked for at sign-in, and how does one change that. */
export function TwoFactorCard({ session }: { session: SessionDocument }) {
  const [dialog, setDialog] = useState<Dialog>('none')
  const [wasTurnedOff, setTurnedOff] = useState(false)
  const notify = useFlash()
  const close = () => setDialog('none')
  const turnedOff = () => {
    close()
    setTurnedOff(true)
  }
  const turnedBack = () => {
    notify(takenBack)
    setTurnedOff(true)
  }
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="After your password, sign-in asks for a code that only you can have."
          actions={
            session.twoFactorProvider ? (
              <SpaceBetween direction="horizontal" size="xs">
                <Button onClick={() => setDialog('disable')}>Turn off</Button>
                <Button onClick={() => setDialog('renew')}>New scratch codes</Button>
              </SpaceBetween>
            ) : (
              <SetUp takesFocus={wasTurnedOff} />
            )
          }
        >
          Two factor authentication
        </Header>
      }
    >
      <SpaceBetween size="l">
        {session.canTakeBack && (
          <UnprovedWarning onProve={() => setDialog('prove')} onTakenBack={turnedBack} />
        )}
        <KeyValuePairs columns={4} minColumnWidth={200} items={twoFactorFacts(session)} />
      </SpaceBetween>
      <DisableDialog session={session} visible={dialog === 'disable'} onCancel={close} onDone={turnedOff} />
      <NewCodesDialog session={session} visible={dialog === 'renew'} onCancel={close} onDone={close} />
      <ProveDialog session={session} visible={dialog === 'prove'} onCancel={close} onDone={close} />
    </Container>
  )
}

/** Takes the focus when it stands in for the button that opened the dialog and is gone. */
function SetUp({ takesFocus }: { takesFocus: boolean }) {
  const button = useRef<ButtonProps.Ref>(null)
  const follow = useFollow()
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    <Button ref={button} variant="primary" href={paths.twoFactor()} onFollow={follow}>
      Set up
    </Button>
  )
}
