import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './two-factor.module.css'

const steps = [
  { id: 'provider', title: 'Choose how' },
  { id: 'app', title: 'Add the key to your app' },
  { id: 'codes', title: 'Keep the scratch codes' },
  { id: 'proof', title: 'Try a code' },
] as const

type StepId = (typeof steps)[number]['id']

type StepFrameProps = {
  step: StepId
  /** The heading takes the focus when the step opens: for steps without a field that does. */
  focusHeading?: boolean
  description: ReactNode
  actions: ReactNode
  children: ReactNode
}

/** One step of the enrolment: where it stands among the others, what to do, and the way on. */
export function StepFrame({ step, focusHeading = false, description, actions, children }: StepFrameProps) {
  const index = steps.findIndex(({ id }) => id === step)
  return (
    <SpaceBetween size="l">
      <div>
        <p className={styles.position}>
          Step {index + 1} of {steps.length}
        </p>
        <div className={styles.steps}>
          <Steps
            ariaLabel="Steps"
            orientation="horizontal"
            steps={steps.map(({ title }, at) => mark(title, at - index))}
          />
        </div>
      </div>
      <Container
        header={
          <Header variant="h2" description={description}>
            <StepHeading takesFocus={focusHeading}>{steps[index]?.title}</StepHeading>
          </Header>
        }
        footer={
          <Box float="right">
            <SpaceBetween direction="horizontal" size="xs">
              {actions}
            </SpaceBetween>
          </Box>
        }
      >
        {children}
      </Container>
    </SpaceBetween>
  )
}

/** `distance` to the step that is open: before it all is done, after it all is to do. */
function mark(title: string, distance: number): StepsProps.Step {
  if (distance < 0) return { header: title, status: 'success', statusIconAriaLabel: 'Done' }
  if (distance > 0) return { header: title, status: 'not-started', statusIconAriaLabel: 'To do' }
  const header = (
    <Box variant="strong" color="text-label">
      {title}
    </Box>
  )
  return { header, status: 'in-progress', statusIconAriaLabel: 'Now' }
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
