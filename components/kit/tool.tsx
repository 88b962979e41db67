import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { Button, type ButtonProps } from './button'
import styles from './tool.module.css'

/** A button with a line about it, on hover and on focus: its name if it shows an icon alone, or why it does nothing now. */
export function Tool(props: ButtonProps) {
  const text = props.refused ?? (props.children === undefined ? props.label : undefined)
  const button = <Button {...props} />
  if (text === undefined) return button
  return (
    <TooltipTrigger delay={400} closeDelay={80}>
      {button}
      <Tooltip offset={6} className={styles.tip ?? ''}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  )
}
