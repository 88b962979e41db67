import AttributeEditor from '@cloudscape-design/components/attribute-editor'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import type { FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Conflict } from '#components/base/forms/conflict'
import { Failure } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { RequiredPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { keyFault, mostProperties, type Property, valueFault } from './properties-draft'
import type { PropertiesForm } from './use-properties'

type PropertiesTabProps = { enterprise: string; form: PropertiesForm }

/** Keys and values of an enterprise, for programs. Read-only for users who may not change the enterprise. */
export function PropertiesTab({ enterprise, form }: PropertiesTabProps) {
  const say = useTranslations('enterprises.properties')
  const notify = useFlash()
  const { read } = form
  const saved = () => notify(say('saved', { enterprise }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.save(saved)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Container header={<PropertiesHeader form={form} />}>
        {read.data ? (
          <SpaceBetween size="l">
            {form.merge && <Conflict merge={form.merge} />}
            {form.error && <Failure error={form.error} />}
            <PropertyRows form={form} />
          </SpaceBetween>
        ) : read.isError ? (
          <Failure error={read.error} retry={() => void read.refetch()} />
        ) : (
          <Spinner size="large" />
        )}
      </Container>
    </form>
  )
}

function PropertiesHeader({ form }: { form: PropertiesForm }) {
  const say = useTranslations('enterprises.properties')
  const label = useTranslations('labels')
  const forms = useTranslations('forms')
  const mayManage = useMay(...access.manageEnterprises)
  const isUndecided = form.merge?.isDecided === false
  return (
    <Header
      variant="h2"
      description={say('about')}
      {...(form.read.data && { counter: `(${form.rows.length})` })}
      actions={
        mayManage && (
          <SpaceBetween direction="horizontal" size="xs">
            {form.isChanged && (
              <Button formAction="none" onClick={form.discard}>
                {say('discard')}
              </Button>
            )}
            <Button
              variant="primary"
              loading={form.isSaving}
              disabled={isUndecided || !form.isChanged}
              disabledReason={isUndecided ? forms('decideFirst') : say('unchanged')}
            >
              {say('save')}
            </Button>
          </SpaceBetween>
        )
      }
    >
      {label('properties')}
    </Header>
  )
}

function PropertyInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Input
      value={value}
      readOnly={!useMay(...access.manageEnterprises)}
      autoComplete={false}
      spellcheck={false}
      onChange={({ detail }) => onChange(detail.value)}
    />
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
  if (!mayManage && rows.length === 0) return <Box color="text-body-secondary">{say('empty')}</Box>
  return (
    <SpaceBetween size="m">
      {!mayManage && (
        <Box color="text-body-secondary">
          <RequiredPrivilege privilege="USERS_MANAGE_ENTERPRISE" />
        </Box>
      )}
      <AttributeEditor<Property>
        items={rows}
        definition={[
          {
            label: say('key'),
            control: ({ row, key }) => (
              <PropertyInput value={key} onChange={(changed) => form.change(row, { key: changed })} />
            ),
            errorText: faultOfKey,
          },
          {
            label: say('value'),
            control: ({ row, value }) => (
              <PropertyInput value={value} onChange={(changed) => form.change(row, { value: changed })} />
            ),
            errorText: faultOfValue,
          },
        ]}
        isItemRemovable={() => mayManage}
        hideAddButton={!mayManage}
        addButtonText={say('add')}
        removeButtonText={say('remove')}
        removeButtonAriaLabel={({ key }) => say('removeOf', { key: key || say('key') })}
        disableAddButton={left <= 0}
        additionalInfo={mayManage && say('left', { count: left })}
        empty={say('empty')}
        i18nStrings={{ itemRemovedAriaLive: say('removed') }}
        onAddButtonClick={form.add}
        onRemoveButtonClick={({ detail }) => form.remove(detail.itemIndex)}
      />
    </SpaceBetween>
  )
}
