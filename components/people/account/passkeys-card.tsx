import { type UseMutationResult, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { Failure } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { ExactTime, TimeAgo } from '#components/base/screens/moments'
import { paths } from '#components/base/screens/paths'
import { hasPasskeys, isKnownHere, isUnanswered, makePasskey } from '#components/base/session/passkeys'
import { Button, LinkButton } from '#components/kit/button'
import { TextField } from '#components/kit/field'
import { Card, Row } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { Tool } from '#components/kit/tool'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import type { PasskeyDocument } from '#lib/caller/auth/passkey.schema'
import {
  addOwnPasskey,
  ownPasskeysQuery,
  removeOwnPasskey,
  renameOwnPasskey,
} from '#lib/caller/auth/passkeys.queries'
import { signInWaysQuery } from '#lib/caller/auth/session.queries'
import type { Say } from '#lib/words/words'

type Open = 'add' | { rename: PasskeyDocument } | { remove: PasskeyDocument } | undefined

/** The user's passkeys; renders nothing where they are up to an identity provider. */
export function PasskeysCard() {
  const { data: ways } = useQuery(signInWaysQuery)
  if (ways?.passkey) return <Passkeys />
  return ways && !ways.oidc && !ways.saml && isAddress(window.location.hostname) ? <ByName /> : null
}

const isAddress = (host: string): boolean => /^(\[.*\]|\d+(\.\d+){3})$/.test(host)
const isThisMachine = (host: string): boolean => host === '[::1]' || host.startsWith('127.')

/** WebAuthn §5.1.2: there are no passkeys at an IP address. */
function ByName() {
  const say = useTranslations('account.passkeys')
  const { hostname: host, port, protocol } = window.location
  const address = `${protocol}//localhost${port && `:${port}`}`
  return (
    <Card title={say('title')}>
      <Notice
        title={say('byName')}
        action={
          isThisMachine(host) && <LinkButton href={`${address}${paths.account()}`}>{address}</LinkButton>
        }
      >
        {say('byNameText', { host })}
      </Notice>
    </Card>
  )
}

function Passkeys() {
  const say = useTranslations('account.passkeys')
  const table = useTableState({
    name: 'passkeys',
    prefix: 'passkeys',
    by: 'name',
    asc: true,
    orders: ['name', 'lastused', 'created'],
  })
  const list = useList(table, (startwith) => ownPasskeysQuery({ ...table.query, startwith }))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const isHere = hasPasskeys()
  return (
    <>
      <ServerTable
        title={say('title')}
        description={say('about')}
        table={table}
        list={list}
        columns={columnsOf({ say, now: new Date(list.dataUpdatedAt), setOpen })}
        actions={
          <Tool refused={!isHere ? say('notHere') : undefined} onPress={() => setOpen('add')}>
            {say('add')}
          </Tool>
        }
        empty={{ title: say('empty'), hint: say('emptyHint') }}
      />
      {open === 'add' && <Add onClose={close} />}
      {typeof open === 'object' && 'rename' in open && <Rename passkey={open.rename} onClose={close} />}
      {typeof open === 'object' && 'remove' in open && <Remove passkey={open.remove} onClose={close} />}
    </>
  )
}

type Columns = { say: Say<'account.passkeys'>; now: Date; setOpen: (open: Open) => void }

const columnsOf = ({ say, now, setOpen }: Columns): TableColumn<PasskeyDocument>[] => [
  { id: 'name', header: say('name'), by: 'name', isRowHeader: true, cell: ({ name }) => name },
  { id: 'created', header: say('created'), by: 'created', cell: ({ created }) => <ExactTime at={created} /> },
  {
    id: 'lastUsed',
    header: say('lastUsed'),
    by: 'lastused',
    cell: ({ lastUsed }) => (lastUsed ? <TimeAgo at={lastUsed} now={now} /> : say('never')),
  },
  {
    id: 'actions',
    header: say('actions'),
    cell: (passkey) => (
      <Row gap="m">
        <Button
          look="link"
          label={say('renameThis', { name: passkey.name })}
          onPress={() => setOpen({ rename: passkey })}
        >
          {say('rename')}
        </Button>
        <Button
          look="link"
          label={say('removeThis', { name: passkey.name })}
          onPress={() => setOpen({ remove: passkey })}
        >
          {say('remove')}
        </Button>
      </Row>
    ),
  },
]

type NameProps = {
  header: string
  label: string
  about: string
  first: string
  mutation: UseMutationResult<PasskeyDocument, Error, string>
  done: (name: string) => string
  onClose: () => void
}

const LONGEST = 128

/** Asks for the name of a passkey, before it is made or to change it. */
function NameDialog({ header, label, about, first, mutation, done, onClose }: NameProps) {
  const say = useTranslations('account.passkeys')
  const notify = useFlash()
  const guard = useOneAtATime()
  const [name, setName] = useState(first)
  const [isTouched, setTouched] = useState(false)
  const length = [...name.trim()].length
  const isSound = length > 0 && length <= LONGEST
  const submit = () => {
    setTouched(true)
    if (!isSound) return
    const onSuccess = () => {
      notify(done(name.trim()))
      onClose()
    }
    guard(() => mutation.mutateAsync(name.trim(), { onSuccess }))
  }
  return (
    <FormDialog
      header={header}
      submit={{ label, busyLabel: say('busy'), isBusy: mutation.isPending }}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{about}</p>
      <TextField
        label={say('name')}
        error={isTouched && !isSound ? say('nameMissing') : undefined}
        value={name}
        readOnly={mutation.isPending}
        onChange={setName}
      />
      {mutation.error && <Refused error={mutation.error} />}
    </FormDialog>
  )
}

function Refused({ error }: { error: Error }) {
  const say = useTranslations('account.passkeys')
  if (isUnanswered(error)) return <Notice kind="warn">{say('unanswered')}</Notice>
  if (isKnownHere(error)) return <Notice kind="warn">{say('knownHere')}</Notice>
  return <Failure error={error} />
}

function Add({ onClose }: { onClose: () => void }) {
  const say = useTranslations('account.passkeys')
  return (
    <NameDialog
      header={say('addTitle')}
      label={say('add')}
      about={say('addAbout')}
      first=""
      mutation={useMutation(addOwnPasskey(makePasskey))}
      done={(name) => say('added', { name })}
      onClose={onClose}
    />
  )
}

type OneProps = { passkey: PasskeyDocument; onClose: () => void }

function Rename({ passkey, onClose }: OneProps) {
  const say = useTranslations('account.passkeys')
  return (
    <NameDialog
      header={say('renameTitle', { name: passkey.name })}
      label={say('rename')}
      about={say('renameAbout')}
      first={passkey.name}
      mutation={useMutation(renameOwnPasskey(passkey))}
      done={(name) => say('renamed', { name })}
      onClose={onClose}
    />
  )
}

function Remove({ passkey, onClose }: OneProps) {
  const say = useTranslations('account.passkeys')
  return (
    <Confirm
      title={say('removeTitle', { name: passkey.name })}
      label={say('remove')}
      busyLabel={say('busy')}
      mutation={useMutation(removeOwnPasskey())}
      input={passkey}
      done={() => say('removed', { name: passkey.name })}
      onDone={onClose}
      onCancel={onClose}
    >
      <p>{say('removeAbout')}</p>
    </Confirm>
  )
}
