import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import { ParentDialog } from './parent-dialog'
import styles from './scopes.module.css'

type ParentFieldProps = {
  /** The scope being edited; a new one is not there yet. */
  scope: ScopeName | undefined
  parent: ScopeName | undefined
  /** Why it cannot be chosen. */
  refusal: string | undefined
  error: string | undefined
  onChange: (parent: ScopeName | undefined) => void
}

/** The parent of a scope, chosen in the tree. */
export function ParentField({ scope, parent, refusal, error, onChange }: ParentFieldProps) {
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <FormField label="Parent scope" description={refusal} errorText={error} stretch>
        <div className={styles.parentField}>
          <Input
            readOnly
            value={refusal ? '' : (parent?.name ?? '')}
            placeholder="No parent"
            disabled={refusal !== undefined}
          />
          <Button
            formAction="none"
            disabled={refusal !== undefined}
            disabledReason={refusal}
            ariaLabel="Choose the parent scope"
            onClick={() => setChoosing(true)}
          >
            Choose
          </Button>
        </div>
      </FormField>
      {choosing && (
        <ParentDialog
          title="Parent scope"
          description="Users of the parent scope see this scope too."
          confirmLabel="Choose"
          scope={scope}
          current={{ parent }}
          busy={false}
          error={null}
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
