import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Buttons } from '#components/base/forms/buttons'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Button } from '#components/kit/button'
import { Card, Stack } from '#components/kit/layout'
import { Steps } from '#components/kit/steps'
import type { TwoFactorProvider } from '#lib/caller/auth/session.schema'
import styles from './two-factor.module.css'

type StepId = 'provider' | 'app' | 'codes' | 'proof'

const stepsOf: Record<TwoFactorProvider, readonly StepId[]> = {
  APP_AUTHENTICATOR: ['provider', 'app', 'codes'],
  EMAIL: ['provider', 'proof', 'codes'],
}

type StepFrameProps = {
  /** The source of the codes. It decides the steps. */
  provider: TwoFactorProvider
  step: StepId
  /** The heading, if it is not the title of the step. */
  heading?: string
  /** The heading takes the focus when the step opens; for steps in which no field takes it. */
  focusHeading?: boolean
  description: ReactNode
  /** The button beside the main one: to the step before, or without `onClick` to the account. */
  back: { label: string; onClick?: (() => void) | undefined }
  next: { label: string; busyLabel?: string; isBusy?: boolean; isDisabled?: boolean }
  onNext: () => void
  children: ReactNode
}

/** One step of the enrolment: its number, its instructions, and the buttons to the next step and back. */
export function StepFrame(props: StepFrameProps) {
  const { provider, step, focusHeading = false, back, next } = props
  const say = useTranslations('account.enrolment')
  const heading = props.heading ?? say(`titles.${step}`)
  const steps = stepsOf[provider]
  const index = steps.indexOf(step)
  const formId = useId()
  return (
    <Stack gap="l">
      <div>
        <p className={styles.position}>{say('position', { step: index + 1, count: steps.length })}</p>
        <div className={styles.steps}>
          <Steps
            label={say('steps')}
            words={{ done: say('marks.done'), now: say('marks.now'), later: say('marks.toDo') }}
            steps={steps.map((id, at) => ({
              text: say(`titles.${id}`),
              state: at < index ? 'done' : at > index ? 'later' : 'now',
            }))}
          />
        </div>
      </div>
      <Card
        title={<StepHeading takesFocus={focusHeading}>{heading}</StepHeading>}
        about={props.description}
        footer={
          <Buttons>
            {back.onClick ? (
              <Button look="quiet" onPress={back.onClick}>
                {back.label}
              </Button>
            ) : (
              <AppButton look="quiet" to={paths.account()}>
                {back.label}
              </AppButton>
            )}
            <Button
              look="main"
              disabled={next.isDisabled ?? false}
              busy={next.isBusy ?? false}
              busyText={next.busyLabel}
              form={formId}
              type="submit"
            >
              {next.label}
            </Button>
          </Buttons>
        }
      >
        <form
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            props.onNext()
          }}
        >
          {props.children}
        </form>
      </Card>
    </Stack>
  )
}

/** The focused element was part of the previous step. The focused heading announces the new step to a screen reader. */
function StepHeading({ takesFocus, children }: { takesFocus: boolean; children: ReactNode }) {
  const heading = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <span ref={heading} tabIndex={-1} className={styles.heading}>
      {children}
    </span>
  )
}
