import { icons } from './icons'
import styles from './steps.module.css'

type StepState = 'done' | 'now' | 'later'

type StepsProps = {
  label: string
  steps: readonly { text: string; state: StepState }[]
  /** The states as words, for screen readers. */
  words: Record<StepState, string>
}

/** The way through several screens, and where on it the person is. */
export const Steps = ({ label, steps, words }: StepsProps) => (
  <ol className={styles.steps} aria-label={label}>
    {steps.map(({ text, state }, index) => (
      <li key={text} className={styles[state]} aria-current={state === 'now' ? 'step' : undefined}>
        <i aria-hidden="true">{state === 'done' ? icons.check : index + 1}</i>
        <span className="unseen">{words[state]} </span>
        <span>{text}</span>
      </li>
    ))}
  </ol>
)
