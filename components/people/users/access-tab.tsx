import Box from '@cloudscape-design/components/box'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import FormField from '@cloudscape-design/components/form-field'
import Link from '@cloudscape-design/components/link'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { NamedPicker } from '#components/base/pickers/named-picker'
import { ExplainedDialog } from '#components/frame/access/explained'
import { type AskedResource, operationsOn } from '#components/frame/access/operations'
import { Card } from '#components/frame/layout/card'
import { SimpleTable } from '#components/kit/simple-table'
import type { Named } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { type AskedCall, explanationQuery } from '#lib/request/access/access.queries'
import type { AccessExplanation } from '#lib/request/access/access.schema'

const kinds = ['general', 'scope', 'enterprise', 'datacenter'] as const
type Kind = (typeof kinds)[number]

/** The visibility and permissions of a user: all operations on everything, or on one resource. */
export function AccessTab({ user }: { user: UserDocument }) {
  const say = useTranslations('access.user')
  const [kind, setKind] = useState<Kind>('general')
  const [named, setNamed] = useState<Named>()
  const label = useTranslations('labels')
  const labelOf = (one: Kind) => (one === 'general' ? say('general') : label(one))
  const thing: AskedResource | undefined = kind !== 'general' && named ? { kind, id: named.id } : undefined
  return (
    <Card title={say('about', { nick: user.nick })}>
      <SpaceBetween size="l">
        <ColumnLayout columns={2}>
          <FormField label={say('kind')}>
            <Select
              selectedOption={{ value: kind, label: labelOf(kind) }}
              options={kinds.map((one) => ({ value: one, label: labelOf(one) }))}
              onChange={({ detail }) => {
                setKind(kinds.find((one) => one === detail.selectedOption.value) ?? 'general')
                setNamed(undefined)
              }}
            />
          </FormField>
          {kind !== 'general' && (
            <FormField label={label(kind)}>
              <NamedPicker key={kind} kind={kind} value={named} onChange={setNamed} />
            </FormField>
          )}
        </ColumnLayout>
        {kind === 'general' || thing ? (
          <Answers user={user} thing={thing} />
        ) : (
          <Box color="text-body-secondary">{say('choose')}</Box>
        )}
      </SpaceBetween>
    </Card>
  )
}

function Answers({ user, thing }: { user: UserDocument; thing: AskedResource | undefined }) {
  const say = useTranslations('access.user')
  const sayOperation = useTranslations('access.operations')
  const why = useTranslations('access')('why')
  const [asked, setAsked] = useState<AskedCall>()
  const operations = operationsOn(thing)
  const answers = useQueries({ queries: operations.map(({ call }) => explanationQuery(user.id, call)) })
  const rows = operations.map(({ id, call }, index) => ({
    id,
    call,
    answer: answers[index]?.data,
    error: answers[index]?.error,
  }))
  return (
    <>
      <SimpleTable
        label={say('operation')}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'operation',
            header: say('operation'),
            isRowHeader: true,
            cell: ({ id }) => sayOperation(id),
          },
          {
            id: 'answer',
            header: say('answer'),
            cell: ({ answer, error }) => {
              if (error) return <FailureText error={error} />
              return answer ? <Answer granted={answer.granted} /> : <Spinner />
            },
          },
          {
            id: 'because',
            header: say('because'),
            cell: ({ answer }) => answer && <Because answer={answer} />,
          },
          {
            id: 'why',
            header: why,
            cell: ({ id, call }) => (
              <Link
                variant="primary"
                ariaLabel={say('details', { operation: sayOperation(id) })}
                onFollow={() => setAsked(call)}
              >
                {why}
              </Link>
            ),
          },
        ]}
      />
      {asked && <ExplainedDialog user={user.id} call={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Answer({ granted }: { granted: boolean }) {
  const say = useTranslations('access.user')
  return (
    <StatusIndicator type={granted ? 'success' : 'stopped'}>{say(granted ? 'yes' : 'no')}</StatusIndicator>
  )
}

/** The reason of a no in a few words; of a yes the privilege. */
function Because({ answer }: { answer: AccessExplanation }) {
  const say = useTranslations('access.user')
  const { granted, status, held, visible } = answer
  if (granted) return <Box variant="code">{held[0] ?? '–'}</Box>
  if (status === 401) return say('signedOut')
  if (status !== 403) return say('unseen')
  return say(visible ? 'lacks' : 'both')
}
