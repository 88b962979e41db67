import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/base/forms/flash'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Button } from '#components/kit/button'
import { type Fact, Facts } from '#components/kit/facts'
import { Card, Row, Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import type { Say } from '#lib/words/words'
import { DisableDialog, NewCodesDialog, NewPhoneDialog } from './two-factor-dialogs'
import { Unfinished } from './unproved'

type Dialog = 'none' | 'disable' | 'renew' | 'phone'

/** The state of two factor, and the dialogs that change it. */
export function TwoFactorCard({ session }: { session: SessionDocument }) {
  const say = useTranslations('account')
  const [search] = useSearchParams()
  const asksForPhone = search.get('phone') === 'new' && session.twoFactorProvider !== undefined
  const [dialog, setDialog] = useState<Dialog>(asksForPhone ? 'phone' : 'none')
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
      about={say('twoFactor.about')}
      actions={
        session.isEnrolling ? undefined : session.twoFactorProvider ? (
          <Row>
            <Button onPress={() => setDialog('disable')}>{say('twoFactor.turnOff')}</Button>
            <Button onPress={() => setDialog('renew')}>{say('twoFactor.newCodes')}</Button>
            <Button onPress={() => setDialog('phone')}>{say('twoFactor.newPhone')}</Button>
          </Row>
        ) : (
          <SetUp takesFocus={wasTurnedOff} />
        )
      }
    >
      <Stack gap="l">
        {session.isEnrolling && <Unfinished session={session} isElsewhere onTakenBack={turnedBack} />}
        <Facts columns={4} items={twoFactorFacts(say, session)} />
      </Stack>
      <DisableDialog session={session} visible={dialog === 'disable'} onCancel={close} onDone={turnedOff} />
      <NewCodesDialog session={session} visible={dialog === 'renew'} onCancel={close} onDone={close} />
      <NewPhoneDialog session={session} visible={dialog === 'phone'} onCancel={close} onDone={close} />
    </Card>
  )
}

/** Takes the focus when it replaces the button that had opened the dialog. */
function SetUp({ takesFocus }: { takesFocus: boolean }) {
  const say = useTranslations('account.twoFactor')
  const button = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return (
    <AppButton look="main" ref={button} to={paths.twoFactor()}>
      {say('setUp')}
    </AppButton>
  )
}

const fewCodes = 3

function twoFactorFacts(say: Say<'account'>, session: SessionDocument): Fact[] {
  const { twoFactorProvider, scratchCodesLeft, email } = session
  if (!twoFactorProvider || session.isEnrolling) return [{ label: say('twoFactor.state'), value: <Off /> }]
  return [
    {
      label: say('twoFactor.state'),
      value: <Status kind="good">{say('twoFactor.on')}</Status>,
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

const Hint = ({ children }: { children: string }) => <div className="small">{children}</div>

function Off() {
  const say = useTranslations('account.twoFactor')
  return (
    <>
      <Status kind="off">{say('off')}</Status>
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
      <Status kind="warn">{count === 0 ? label('none') : count}</Status>
      <Hint>{say('fewCodes')}</Hint>
    </>
  )
}
