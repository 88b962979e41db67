import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { type AskedResource, operationsOn } from './operations'
import { WhoMay } from './who-may'

type WhoDialogProps = { thing: AskedResource; name: string; onClose: () => void }

/** The permissions on a resource: one operation, and the users who may call it. */
export function WhoDialog({ thing, name, onClose }: WhoDialogProps) {
  const say = useTranslations('access.who')
  const sayOperation = useTranslations('access.operations')
  const common = useTranslations('common')
  const operations = operationsOn(thing)
  const [chosen, setChosen] = useState<string>()
  const operation = operations.find(({ id }) => id === chosen) ?? operations[0]
  if (!operation) return null
  const optionOf = ({ id }: typeof operation) => ({ value: id, label: sayOperation(id) })
  return (
    <Dialog
      header={say('about', { name })}
      size="large"
      onDismiss={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          {common('close')}
        </Button>
      }
    >
      <FormField label={say('operation')}>
        <Select
          selectedOption={optionOf(operation)}
          options={operations.map(optionOf)}
          onChange={({ detail }) => setChosen(detail.selectedOption.value)}
        />
      </FormField>
      <WhoMay key={operation.id} call={operation.call} />
    </Dialog>
  )
}
