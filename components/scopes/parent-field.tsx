import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import { ParentDialog } from './parent-dialog'
import styles from './scopes.module.css'

type ParentFieldProps = {
  /** The scope being edited; a new one is not there yet. */
  scope: ScopeName | undefined
  parent: ScopeName | undefined
  /** Why it cannot be chosen. */
  refusal: string | undefined
  error: ReactNode
  onChange: (parent: ScopeName | undefined) => void
}

/** The parent of a scope, chosen in the tree. */
export function ParentField({ scope, parent, refusal, error, onChange }: ParentFieldProps) {
  const say = useTranslations('scopes.parent')
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <FormField label={say('label')} description={refusal} errorText={error} stretch>
        <div className={styles.parentField}>
          <Input
            readOnly
            value={refusal ? '' : (parent?.name ?? '')}
            placeholder={say('none')}
            disabled={refusal !== undefined}
          />
          <Button
            formAction="none"
            disabled={refusal !== undefined}
            {...(refusal !== undefined && { disabledReason: refusal })}
            ariaLabel={say('chooseLabel')}
            onClick={() => setChoosing(true)}
          >
            {say('choose')}
          </Button>
        </div>
      </FormField>
      {choosing && (
        <ParentDialog
          title={say('label')}
          description={say('about')}
          confirmLabel={say('choose')}
          scope={scope}
          current={{ parent }}
          onChoose={(chosen) => {
            onChange(chosen && { id: chosen.id, name: chosen.name })
            setChoosing(false)
          }}
          onCancel={() => setChoosing(false)}
        />
      )}
    </>
  )
}
