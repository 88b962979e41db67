import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button'
import styles from './copy.module.css'
import { icons } from './icons'

type CopyProps = Pick<ButtonProps, 'look'> & {
  text: string
  /** The name of the button, also where it shows only its icon. */
  label: string
  /** The text on the button; without it the icon stands alone. */
  children?: string
  copied: string
  /** How to copy it by hand, where the browser refuses. */
  failed: string
}

/** Copies a text, and says so beside the button. */
export function CopyButton({ text, label, look, children, copied, failed }: CopyProps) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (result !== 'copied') return
    const timer = setTimeout(() => setResult(undefined), 2000)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setResult('copied')
    } catch {
      setResult('failed')
    }
  }
  return (
    <span className={styles.copy}>
      <Button
        label={label}
        look={look ?? (children === undefined ? 'quiet' : 'plain')}
        icon={result === 'copied' ? icons.check : icons.copy}
        onPress={() => void copy()}
      >
        {children}
      </Button>
      <span role="status" className={result && styles.result}>
        {result === 'copied' ? copied : result && failed}
      </span>
    </span>
  )
}
