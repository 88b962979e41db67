import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import { useTranslations } from 'use-intl'

type CopyProps = {
  text: string
  /** The name of the button for screen readers. */
  label: string
  /** Whether the text stands beside the button. */
  inline?: boolean
}

/** Copies a text. If the browser does not allow it, explains how to copy it by hand. */
export function Copy({ text, label, inline = false }: CopyProps) {
  const say = useTranslations('common')
  return (
    <CopyToClipboard
      {...(inline ? { variant: 'inline' } : { copyButtonText: say('copy') })}
      textToCopy={text}
      copyButtonAriaLabel={label}
      copySuccessText={say('copied')}
      copyErrorText={say('noCopy')}
    />
  )
}
