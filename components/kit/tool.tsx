import { useId } from 'react'
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { Button, type ButtonProps } from './button'
import styles from './tool.module.css'

/** A button with a line about it, on hover and on focus: its name if it shows an icon alone, or why it does nothing now. */
export function Tool(props: ButtonProps) {
  const id = useId()
  const { refused } = props
  const text = refused ?? (props.children === undefined ? props.label : undefined)
  if (text === undefined) return <Button {...props} />
  return (
    <>
      <TooltipTrigger delay={400} closeDelay={80}>
        <Button {...props} {...(refused !== undefined && { 'aria-describedby': id })} />
        <Tooltip offset={6} className={styles.tip ?? ''}>
          {text}
        </Tooltip>
      </TooltipTrigger>
      {refused !== undefined && (
        <span id={id} hidden>
          {refused}
        </span>
      )}
    </>
  )
}
