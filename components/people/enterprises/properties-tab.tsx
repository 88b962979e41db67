import type { FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { ChangeTool } from '#components/base/forms/change-tool'
import { Conflict } from '#components/base/forms/conflict'
import { Failure } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { RequiredPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Card, Stack } from '#components/kit/layout'
import { PairsEditor } from '#components/kit/pairs-editor'
import { Spinner } from '#components/kit/spinner'
import { keyFault, mostProperties, type Property, valueFault } from './properties-draft'
import type { PropertiesForm } from './use-properties'

type PropertiesTabProps = { enterprise: string; form: PropertiesForm }

/** Keys and values of an enterprise, for programs. Read-only for users who may not change the enterprise. */
export function PropertiesTab({ enterprise, form }: PropertiesTabProps) {
  const say = useTranslations('enterprises.properties')
  const label = useTranslations('labels')
  const notify = useFlash()
  const { read } = form
  const saved = () => notify(say('saved', { enterprise }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.save(saved)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={label('properties')}
        about={say('about')}
        counter={read.data ? `(${form.rows.length})` : undefined}
        actions={<Actions form={form} />}
      >
        {read.data ? (
          <Stack gap="l">
            {form.merge && <Conflict merge={form.merge} theirs={read.data} />}
            {form.error && <Failure error={form.error} />}
            <PropertyRows form={form} />
          </Stack>
        ) : read.isError ? (
          <Failure error={read.error} retry={() => void read.refetch()} />
        ) : (
          <Spinner />
        )}
      </Card>
    </form>
  )
}

function Actions({ form }: { form: PropertiesForm }) {
  const say = useTranslations('enterprises.properties')
  const forms = useTranslations('forms')
  const isUndecided = form.merge?.isDecided === false
  if (!useMay(...access.manageEnterprises)) return null
  return (
    <>
      {form.isChanged && <Button onPress={form.discard}>{say('discard')}</Button>}
      <ChangeTool
        look="main"
        refused={isUndecided ? forms('decideFirst') : form.isChanged ? undefined : say('unchanged')}
        busy={form.isSaving}
        type="submit"
      >
        {say('save')}
      </ChangeTool>
    </>
  )
}

function PropertyRows({ form }: { form: PropertiesForm }) {
  const say = useTranslations('enterprises.properties')
  const mayManage = useMay(...access.manageEnterprises)
  const { rows, wasSent } = form
  const left = mostProperties - rows.length
  const faultOfKey = (property: Property) => {
    const fault = keyFault(property, rows)
    return fault && (fault !== 'keyEmpty' || wasSent) ? say(fault) : undefined
  }
  const faultOfValue = (property: Property) => {
    const fault = valueFault(property)
    return fault && say(fault)
  }
  if (!mayManage && rows.length === 0) return <div className="quiet">{say('empty')}</div>
  return (
    <Stack>
      {!mayManage && (
        <div className="quiet">
          <RequiredPrivilege privilege="USERS_MANAGE_ENTERPRISE" />
        </div>
      )}
      <PairsEditor
        pairs={rows.map((property) => ({
          row: property.row,
          name: property.key,
          value: property.value,
          nameError: faultOfKey(property),
          valueError: faultOfValue(property),
        }))}
        words={{
          name: say('key'),
          value: say('value'),
          add: say('add'),
          remove: ({ name }) => say('removeOf', { key: name || say('key') }),
          removed: say('removed'),
          empty: say('empty'),
          about: say('left', { count: left }),
        }}
        readOnly={!mayManage}
        isFull={left <= 0}
        onChange={(row, { name, value }) =>
          form.change(row, {
            ...(name !== undefined && { key: name }),
            ...(value !== undefined && { value }),
          })
        }
        onAdd={form.add}
        onRemove={form.remove}
      />
    </Stack>
  )
}
