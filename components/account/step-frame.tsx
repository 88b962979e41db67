import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Buttons } from '#components/forms/buttons'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
import type { Say } from '#lib/words/words'
import styles from './two-factor.module.css'

type StepId = 'provider' | 'app' | 'codes' | 'proof'

const stepsOf: Record<TwoFactorProvider, readonly StepId[]> = {
  APP_AUTHENTICATOR: ['provider', 'app', 'codes', 'proof'],
  EMAIL: ['provider', 'codes', 'proof'],
}

type StepFrameProps = {
  /** Where the codes are to come from: it decides what steps there are. */
  provider: TwoFactorProvider
  step: StepId
  /** The heading, where it is not the title of the step. */
  heading?: string
  /** The heading takes the focus when the step opens: for steps without a field that does. */
  focusHeading?: boolean
  description: ReactNode
  actions: ReactNode
  children: ReactNode
}

/** One step of the enrolment: where it stands among the others, what to do, and the way on. */
export function StepFrame(props: StepFrameProps) {
  const { provider, step, focusHeading = false } = props
  const say = useTranslations('account.enrolment')
  const heading = props.heading ?? say(`titles.${step}`)
  const steps = stepsOf[provider]
  const index = steps.indexOf(step)
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
      <Container
        header={
          <Header variant="h2" description={props.description}>
            <StepHeading takesFocus={focusHeading}>{heading}</StepHeading>
          </Header>
        }
        footer={<Buttons>{props.actions}</Buttons>}
      >
        {props.children}
      </Container>
    </SpaceBetween>
  )
}

/** `distance` to the step that is open: before it all is done, after it all is to do. */
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

/** What had the focus is gone with the step before; a screen reader says where the user is now. */
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
