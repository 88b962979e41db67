import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { NamedField } from '#components/base/pickers/named-picker'
import { ExplainedDialog } from '#components/frame/access/explained'
import { type AskedResource, operationsOn } from '#components/frame/access/operations'
import { Button } from '#components/kit/button'
import { Card, Columns, Stack } from '#components/kit/layout'
import { Select } from '#components/kit/select'
import { SimpleTable } from '#components/kit/simple-table'
import { Spinner } from '#components/kit/spinner'
import { Status } from '#components/kit/status'
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
      <Stack gap="l">
        <Columns count={2}>
          <Select
            label={say('kind')}
            value={kind}
            options={kinds.map((one) => ({ value: one, text: labelOf(one) }))}
            onChange={(one) => {
              setKind(one)
              setNamed(undefined)
            }}
          />
          {kind !== 'general' && (
            <NamedField key={kind} kind={kind} label={label(kind)} value={named} onChange={setNamed} />
          )}
        </Columns>
        {kind === 'general' || thing ? (
          <Answers user={user} thing={thing} />
        ) : (
          <div className="quiet">{say('choose')}</div>
        )}
      </Stack>
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
              <Button
                look="link"
                label={say('details', { operation: sayOperation(id) })}
                onPress={() => setAsked(call)}
              >
                {why}
              </Button>
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
  return <Status kind={granted ? 'good' : 'off'}>{say(granted ? 'yes' : 'no')}</Status>
}

/** The reason of a no in a few words; of a yes the privilege. */
function Because({ answer }: { answer: AccessExplanation }) {
  const say = useTranslations('access.user')
  const { granted, status, held, visible } = answer
  if (granted) return <code>{held[0] ?? '–'}</code>
  if (status === 401) return say('signedOut')
  if (status !== 403) return say('unseen')
  return say(visible ? 'lacks' : 'both')
}
