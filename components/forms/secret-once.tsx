import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Copy } from './copy'

type SecretOnceProps = {
  /** The text that is copied. */
  secret: string
  /** What the secret is, and the name of the copy button. */
  label: string
  copyLabel: string
  /** The secret as it is shown, if not as text beside the copy button. */
  shown?: ReactNode
  /** Further ways to keep the secret, beside the copy button. */
  actions?: ReactNode
  /** What to do with the secret. */
  children: string
}

/** The one place where the console shows a secret: this once, with copy. Nobody can look the secret up later. */
export function SecretOnce({ secret, label, copyLabel, shown, actions, children }: SecretOnceProps) {
  const say = useTranslations('forms')
  return (
    <Alert type="warning" header={label}>
      <SpaceBetween size={shown ? 'm' : 'xs'}>
        {shown}
        <SpaceBetween direction="horizontal" size="xs">
          <Copy inline={!shown} text={secret} label={copyLabel} />
          {actions}
        </SpaceBetween>
        <div>
          {children} {say('shownOnce')}
        </div>
      </SpaceBetween>
    </Alert>
  )
}
