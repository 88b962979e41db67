import { Choice, type ChoiceProps } from './choice'

/** Chosen or not, with effect when the form is saved. */
export const Checkbox = (props: ChoiceProps) => <Choice {...props} type="checkbox" />
