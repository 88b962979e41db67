import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { Button as Pressable } from 'react-aria-components/Button'
import styles from './button.module.css'
import { Spinner } from './spinner'

type Looks = {
  /** `main`: the one action of a screen or dialog. `quiet`: without a frame, in bars. `danger`: destroys something. `link`: in a text. */
  look?: 'main' | 'plain' | 'quiet' | 'danger' | 'link'
  icon?: ReactNode
  wide?: boolean
  children?: ReactNode
}

export type ButtonProps = Looks & {
  /** The name of a button that shows only its icon. */
  label?: string
  /** Why the button does nothing now: it stands beside the button, or `Tool` shows it. The button keeps the focus. */
  refused?: string | undefined
  /** It does nothing now, and all around it says why. */
  disabled?: boolean
  /** What the button does is under way. It does nothing meanwhile; a status on the screen or `busyText` says so. */
  busy?: boolean
  /** For screen readers. */
  busyText?: string | undefined
  type?: 'button' | 'submit'
  /** The form that it submits, if it stands outside. */
  form?: string
  onPress?: (() => void) | undefined
  ref?: Ref<HTMLButtonElement>
  slot?: string | null
  autoFocus?: boolean
  'aria-pressed'?: boolean
  'aria-expanded'?: boolean
  'aria-describedby'?: string
  /** The key that presses it. */
  'data-key'?: string
}

const classOf = ({ look = 'plain', wide, children }: Looks) =>
  `${styles.button} ${styles[look]} ${wide ? styles.wide : ''} ${children === undefined ? styles.bare : ''}`

export function Button({
  look,
  icon,
  label,
  refused,
  disabled = false,
  busy = false,
  busyText,
  wide,
  children,
  onPress,
  ...rest
}: ButtonProps) {
  const isOff = refused !== undefined || disabled || busy
  return (
    <Pressable
      {...rest}
      className={`${classOf({ look, wide, children })} ${busy ? styles.busy : ''}`}
      {...(label !== undefined && { 'aria-label': label })}
      {...(isOff ? { 'aria-disabled': true } : onPress && { onPress })}
      // The browser would submit the form.
      onClick={(event) => isOff && event.preventDefault()}
    >
      {icon}
      {children !== undefined && <span>{children}</span>}
      {busy && <Spinner className={styles.spin} />}
      {busy && busyText && (
        <span role="status" className="unseen">
          {busyText}
        </span>
      )}
    </Pressable>
  )
}

export type LinkButtonProps = Looks &
  Pick<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'download' | 'onClick'> &
  Pick<ButtonProps, 'label' | 'data-key'> & { ref?: Ref<HTMLAnchorElement> }

/** A link that looks like a button: the next step is another page. */
export const LinkButton = ({ look, icon, wide, label, children, ...link }: LinkButtonProps) => (
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has an address.
  <a {...link} aria-label={label} className={classOf({ look, wide, children })}>
    {icon}
    {children !== undefined && <span>{children}</span>}
  </a>
)
