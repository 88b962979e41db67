import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Copy } from './copy'

type SecretOnceProps = {
  secret: string
  /** What the secret is, and the name of the copy button. */
  label: string
  copyLabel: string
  /** What to do with the secret. */
  children: string
}

/** The one place where the console shows a secret: this once, with copy. Nobody can look the secret up later. */
export function SecretOnce({ secret, label, copyLabel, children }: SecretOnceProps) {
  const say = useTranslations('forms')
  return (
    <Alert type="warning" header={label}>
      <SpaceBetween size="xs">
        <Copy inline text={secret} label={copyLabel} />
        <div>
          {children} {say('shownOnce')}
        </div>
      </SpaceBetween>
    </Alert>
  )
}
