import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useTranslations } from 'use-intl'
import { carryKeys } from './carry-keys'

/** Says that a scope is picked up, and how the move goes on. */
export function Carried({ name, onPutBack }: { name: string; onPutBack: () => void }) {
  const say = useTranslations('scopes.tree')
  const words = useTranslations('common')
  return (
    <div role="status">
      <Alert
        type="info"
        i18nStrings={{ infoIconAriaLabel: words('infoIcon') }}
        action={<Button onClick={onPutBack}>{say('putBack')}</Button>}
      >
        {say('carried', { name, keys: carryKeys().putDown })}
      </Alert>
    </div>
  )
}
