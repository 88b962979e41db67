import { useTranslations } from 'use-intl'
import { CopyButton } from '#components/kit/copy'
import { Row } from '#components/kit/layout'

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
  const words = { text, label, copied: say('copied'), failed: say('noCopy') }
  if (!inline) return <CopyButton {...words}>{say('copy')}</CopyButton>
  return (
    <Row gap="xs">
      {text}
      <CopyButton {...words} />
    </Row>
  )
}
