import { useId } from 'react'
import { Button, type ButtonProps } from './button'
import { tipOf } from './tip'

/** A button with a line about it, on hover and on focus: its name if it shows an icon alone, or why it does nothing now. */
export function Tool(props: ButtonProps) {
  const id = useId()
  const { refused } = props
  const text = refused ?? (props.children === undefined ? props.label : undefined)
  if (text === undefined) return <Button {...props} />
  if (refused === undefined) return <Button {...props} {...tipOf(text)} />
  return (
    <>
      <Button {...props} {...tipOf(text)} aria-describedby={id} />
      <span id={id} hidden>
        {refused}
      </span>
    </>
  )
}
