import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { LeaveGuard } from '#components/forms/leave-guard'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import type { AddDraft, Came } from './add-draft'
import { AddFields } from './add-fields'
import { useAddIps } from './use-add-ips'

type AddIpsProps = {
  datacenter: number
  /** Without it the user chooses one. */
  network: NatNetworkDocument | undefined
  /** The address to begin with. */
  first: string
  /** Leads to an address of the list. */
  onShow?: (ip: string) => Promise<void>
  onClose: () => void
}

/** Adds one IP to a NAT network, or a range of them, and says which addresses came. */
export function AddIps({ datacenter, network, first, onShow, onClose }: AddIpsProps) {
  const say = useTranslations('nat.add')
  const guard = useTranslations('nat.form')
  const common = useTranslations('common')
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const told = useTold(onShow)
  const start: AddDraft = {
    mode: first === '' ? 'lowest' : 'address',
    network: network && { id: network.id, name: network.name, cidr: network.cidr },
    ip: first,
    count: '',
    available: true,
    quarantine: false,
  }
  const add = useAddIps(datacenter, start, (came, draft) => {
    told(came, draft)
    onClose()
  })
  const close = () => !add.isAdding && onClose()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!add.submit())
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <Dialog
      header={network ? say('titleIn', { network: network.name }) : say('title')}
      size="large"
      onDismiss={(reason) => !(reason === 'overlay' && add.loses()) && close()}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" disabled={add.isAdding} onClick={close}>
            {common('cancel')}
          </Button>
          <Button variant="primary" form={formId} loading={add.isAdding} loadingText={say('adding')}>
            {say('submit', { mode: add.draft.mode })}
          </Button>
        </SpaceBetween>
      }
    >
      <LeaveGuard loses={add.loses} header={guard('leave')}>
        {guard('leaveText')}
      </LeaveGuard>
      <form ref={form} id={formId} onSubmit={submit} noValidate>
        <SpaceBetween size="l">
          {add.failure && <Failure error={add.failure} />}
          <AddFields datacenter={datacenter} add={add} isNetworkFixed={network !== undefined} />
          {add.isAdding && <Running count={add.draft.mode === 'range' ? Number(add.draft.count) : 1} />}
        </SpaceBetween>
      </form>
    </Dialog>
  )
}

/** How long it has been going on: thousands of addresses take their time. */
function Running({ count }: { count: number }) {
  const say = useTranslations('nat.add')
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <StatusIndicator type="loading">
      <span role="status">{say('running', { count })}</span>{' '}
      <span aria-hidden="true">{seconds > 0 && say('seconds', { seconds })}</span>
    </StatusIndicator>
  )
}

/** Says which addresses came, and leads to them. */
function useTold(onShow: ((ip: string) => Promise<void>) | undefined) {
  const say = useTranslations('nat.add')
  const notify = useFlash()
  return ({ count, first, last }: Came, { network }: AddDraft) =>
    notify({
      type: 'success',
      content: say('came', { count, first, last, network: network?.name ?? '' }),
      ...(onShow && { action: <Button onClick={() => void onShow(first)}>{say('show', { count })}</Button> }),
    })
}
