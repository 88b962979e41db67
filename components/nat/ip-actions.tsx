import Box from '@cloudscape-design/components/box'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { FailureText } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import type { BulkAction } from '#components/table/bulk'
import type { TableColumn } from '#components/table/table-columns'
import { changeNatIp, deleteNatIp, useNatChanged } from '#lib/nat/ips.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { allChanges, changesFor, type IpChange, ipChanges, isHeld, refusalOf } from './ip-state'

type IpAction = {
  id: IpChange | 'delete'
  text: string
  /** Why it cannot be done. */
  refused: string | undefined
  run: () => void
}

type IpActions = {
  /** What can be done with this IP, as it is; `rules`: how many it has, where that is known. */
  actionsFor: (ip: NatIpDocument, rules?: number) => IpAction[]
  /** Whether a change is on its way. */
  isChanging: boolean
  /** The dialog that asks before one is deleted. */
  dialog: ReactNode
}

/** What can be done with one IP, in its row as in its details. `onRemoved` is called once it is gone. */
export function useIpActions(datacenter: number, onRemoved?: () => void): IpActions {
  const say = useTranslations('nat.ip')
  const notify = useFlash()
  const changed = useNatChanged(datacenter)
  const [removing, setRemoving] = useState<NatIpDocument>()
  const [under, setUnder] = useState(0)

  const apply = async (ip: NatIpDocument, change: IpChange) => {
    setUnder((count) => count + 1)
    try {
      await changeNatIp(datacenter, ip, ipChanges[change])
      notify({ type: 'success', content: say(`done.${change}`, { ip: ip.ip }) })
    } catch (error) {
      notify({
        type: 'error',
        header: say(`refused.${change}`, { ip: ip.ip }),
        content: <FailureText error={error} />,
      })
    } finally {
      setUnder((count) => count - 1)
      changed()
    }
  }

  return {
    actionsFor: (ip, rules) =>
      [...changesFor(ip), 'delete' as const].map((id) => {
        const refusal = refusalOf(id, ip, rules)
        return {
          id,
          text: say(`actions.${id}`),
          refused: refusal && say(refusal),
          run: () => (id === 'delete' ? setRemoving(ip) : void apply(ip, id)),
        }
      }),
    isChanging: under > 0,
    dialog: removing && (
      <RemoveIp
        datacenter={datacenter}
        ip={removing}
        onClose={() => setRemoving(undefined)}
        onRemoved={() => {
          setRemoving(undefined)
          onRemoved?.()
          changed()
        }}
      />
    ),
  }
}

/** What can be done with many of them. */
export function useIpBulk(datacenter: number): BulkAction<NatIpDocument>[] {
  const say = useTranslations('nat.ip')
  const changed = useNatChanged(datacenter)
  const changes = allChanges.map((change) => ({
    id: change,
    label: say(`actions.${change}`),
    needs: (ips: readonly NatIpDocument[]) =>
      ips.some((ip) => changesFor(ip).includes(change)) ? undefined : say(`already.${change}`),
    run: (ip: NatIpDocument) => changeNatIp(datacenter, ip, ipChanges[change]).finally(changed),
  }))
  return [
    ...changes,
    {
      id: 'delete',
      label: say('actions.delete'),
      needs: (ips) => (ips.every(isHeld) ? say('heldNoDelete') : undefined),
      run: (ip) => deleteNatIp(datacenter, ip).finally(changed),
      confirm: { title: say('deleteManyTitle'), text: say('deleteManyText') },
    },
  ]
}

/** The menu at the end of a row. */
export const ipMenuColumn = (
  say: { header: string; menuOf: (ip: string) => string },
  { actionsFor }: IpActions,
): TableColumn<NatIpDocument> => ({
  id: 'actions',
  header: say.header,
  width: 90,
  minWidth: 90,
  cell: (ip) => <IpMenu label={say.menuOf(ip.ip)} actions={actionsFor(ip)} />,
})

const IpMenu = ({ label, actions }: { label: string; actions: readonly IpAction[] }) => (
  <ButtonDropdown
    variant="inline-icon"
    expandToViewport
    ariaLabel={label}
    items={actions.map(({ id, text, refused }) => ({
      id,
      text,
      disabled: refused !== undefined,
      ...(refused !== undefined && { disabledReason: refused }),
    }))}
    onItemClick={({ detail }) => actions.find(({ id }) => id === detail.id)?.run()}
  />
)

type RemoveIpProps = {
  datacenter: number
  ip: NatIpDocument
  onClose: () => void
  onRemoved: () => void
}

function RemoveIp({ datacenter, ip, onClose, onRemoved }: RemoveIpProps) {
  const say = useTranslations('nat.ip')
  const notify = useFlash()
  const remove = useMutation({ mutationFn: () => deleteNatIp(datacenter, ip) })
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify({ type: 'success', content: say('done.delete', { ip: ip.ip }) })
        onRemoved()
      },
    })
  const advice = (code: string) => {
    if (code === 'NAT-IP-3') return say('deleteRulesFirst')
    return code === 'NAT-IP-12' ? say('heldNoDelete') : undefined
  }
  return (
    <ConfirmDelete
      title={say('deleteTitle')}
      busy={remove.isPending}
      error={remove.error}
      advice={advice}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say.rich('deleteText', {
        ip: ip.ip,
        network: ip.networkName,
        strong: (inside) => <Box variant="strong">{inside}</Box>,
      })}
    </ConfirmDelete>
  )
}
