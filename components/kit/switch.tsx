import { Choice, type ChoiceProps } from './choice'

type SwitchProps = Omit<ChoiceProps, 'isChosen'> & { on: boolean }

/** On or off, with effect when the form is saved or at once. */
export const Switch = ({ on, ...props }: SwitchProps) => (
  <Choice {...props} isChosen={on} type="checkbox" role="switch" />
)
