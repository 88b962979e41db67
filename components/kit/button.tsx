import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { useAddress } from './address'
import styles from './button.module.css'
import { Spinner } from './spinner'

type Looks = {
  /** `main`: the one action of a screen or dialog. `quiet`: without a frame, in bars. `danger`: destroys something. `link`: in a text. `inner`: in a field. */
  look?: 'main' | 'plain' | 'quiet' | 'danger' | 'link' | 'inner'
  icon?: ReactNode
  wide?: boolean
  /** A key that does the same, shown beside the text. */
  keyHint?: string | undefined
  children?: ReactNode
}

type Handlers = Pick<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur' | 'onKeyDown'
>

export type ButtonProps = Looks &
  Handlers & {
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
    autoFocus?: boolean
    'aria-pressed'?: boolean
    'aria-expanded'?: boolean
    'aria-haspopup'?: 'menu' | 'dialog'
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
  keyHint,
  children,
  type = 'button',
  onPress,
  ...rest
}: ButtonProps) {
  const isOff = refused !== undefined || disabled || busy
  return (
    <button
      {...rest}
      type={type}
      className={`${classOf({ look, wide, children })} ${busy ? styles.busy : ''}`}
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={(event) => {
        // The browser would submit the form.
        if (isOff) event.preventDefault()
        else onPress?.()
      }}
    >
      {icon}
      {children !== undefined && <span>{children}</span>}
      {keyHint && <KeyHint name={keyHint} />}
      {busy && <Spinner className={styles.spin} />}
      {busy && busyText && (
        <span role="status" className="unseen">
          {busyText}
        </span>
      )}
    </button>
  )
}

const KeyHint = ({ name }: { name: string }) => (
  <kbd aria-hidden className={styles.key}>
    {name.toUpperCase()}
  </kbd>
)

export type LinkButtonProps = Looks &
  Pick<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'download' | 'onClick'> &
  Pick<ButtonProps, 'label' | 'data-key'> & { ref?: Ref<HTMLAnchorElement> }

/** A link that looks like a button: the next step is another page. */
export const LinkButton = ({
  look,
  icon,
  wide,
  label,
  keyHint,
  children,
  href = '',
  ...link
}: LinkButtonProps) => (
  <a {...link} href={useAddress()(href)} aria-label={label} className={classOf({ look, wide, children })}>
    {icon}
    {children !== undefined && <span>{children}</span>}
    {keyHint && <KeyHint name={keyHint} />}
  </a>
)
