import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { Button } from '#components/kit/button'
import { Select } from '#components/kit/select'
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
  return (
    <Dialog
      header={say('about', { name })}
      size="large"
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {common('close')}
        </Button>
      }
    >
      <Select
        label={say('operation')}
        value={operation.id}
        options={operations.map(({ id }) => ({ value: id, text: sayOperation(id) }))}
        onChange={setChosen}
      />
      <WhoMay key={operation.id} call={operation.call} />
    </Dialog>
  )
}
