import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Buttons } from '#components/base/forms/buttons'
import { useFollow } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Card } from '#components/frame/layout/card'
import type { TwoFactorProvider } from '#lib/caller/auth/session.schema'
import type { Say } from '#lib/words/words'
import styles from './two-factor.module.css'

type StepId = 'provider' | 'app' | 'codes' | 'proof'

const stepsOf: Record<TwoFactorProvider, readonly StepId[]> = {
  APP_AUTHENTICATOR: ['provider', 'app', 'codes', 'proof'],
  EMAIL: ['provider', 'codes', 'proof'],
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
  const follow = useFollow()
  const formId = useId()
  return (
    <SpaceBetween size="l">
      <div>
        <p className={styles.position}>{say('position', { step: index + 1, count: steps.length })}</p>
        <div className={styles.steps}>
          <Steps
            ariaLabel={say('steps')}
            orientation="horizontal"
            steps={steps.map((id, at) => mark(say, id, at - index))}
          />
        </div>
      </div>
      <Card
        title={<StepHeading takesFocus={focusHeading}>{heading}</StepHeading>}
        description={props.description}
        footer={
          <Buttons>
            <Button
              variant="link"
              {...(back.onClick ? { onClick: back.onClick } : { href: paths.account(), onFollow: follow })}
            >
              {back.label}
            </Button>
            <Button
              variant="primary"
              form={formId}
              loading={next.isBusy ?? false}
              loadingText={next.busyLabel}
              disabled={next.isDisabled ?? false}
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
    </SpaceBetween>
  )
}

/** `distance`: how many steps after the open one; negative before it. */
function mark(say: Say<'account.enrolment'>, id: StepId, distance: number): StepsProps.Step {
  const title = say(`titles.${id}`)
  if (distance < 0) return { header: title, status: 'success', statusIconAriaLabel: say('marks.done') }
  if (distance > 0) return { header: title, status: 'not-started', statusIconAriaLabel: say('marks.toDo') }
  const header = (
    <Box variant="strong" color="text-label">
      {title}
    </Box>
  )
  return { header, status: 'in-progress', statusIconAriaLabel: say('marks.now') }
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
