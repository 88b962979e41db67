import Box from '@cloudscape-design/components/box'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/forms/confirm'
import { FailureText } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import type { BulkAction } from '#components/table/bulk'
import type { RowAction } from '#components/table/row-menu'
import { changeNatIp, deleteNatIp, useNatChanged } from '#lib/nat/ips.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { allChanges, changesFor, type IpChange, ipChanges, isHeld, refusalOf } from './ip-state'

type Change = { ip: NatIpDocument; change: IpChange }

/** The actions for one IP, in its row and in its details. `onRemoved` is called after a deletion. */
export function useIpActions(datacenter: number, onRemoved?: () => void) {
  const say = useTranslations('nat.ip')
  const notify = useFlash()
  const changed = useNatChanged(datacenter)
  const [removing, setRemoving] = useState<NatIpDocument>()
  // Not `useAction`: while one row is changing, the actions of the others keep working.
  const changing = useMutation({
    mutationFn: ({ ip, change }: Change) => changeNatIp(datacenter, ip, ipChanges[change]),
    onSuccess: (_, { ip: { ip }, change }) => notify(say(`done.${change}`, { ip })),
    onError: (error, { ip: { ip }, change }) =>
      notify({
        type: 'error',
        header: say(`refused.${change}`, { ip }),
        content: <FailureText error={error} />,
      }),
    onSettled: changed,
  })

  return {
    /** The actions for an IP in its current state. `rules` is the number of its rules, where the screen knows it. */
    actionsFor: (ip: NatIpDocument, rules?: number): RowAction[] =>
      [...changesFor(ip), 'delete' as const].map((id) => {
        const refusal = refusalOf(id, ip, rules)
        return {
          id,
          text: say(`actions.${id}`),
          refused: refusal && say(refusal),
          run: () => (id === 'delete' ? setRemoving(ip) : changing.mutate({ ip, change: id })),
        }
      }),
    isChanging: changing.isPending,
    /** The question before an IP is deleted. */
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

/** The actions for the selected IPs. */
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

type RemoveIpProps = {
  datacenter: number
  ip: NatIpDocument
  onClose: () => void
  onRemoved: () => void
}

function RemoveIp({ datacenter, ip, onClose, onRemoved }: RemoveIpProps) {
  const say = useTranslations('nat.ip')
  return (
    <Confirm
      title={say('deleteTitle')}
      input={ip}
      mutation={useMutation({ mutationFn: (removed: NatIpDocument) => deleteNatIp(datacenter, removed) })}
      done={() => say('done.delete', { ip: ip.ip })}
      advice={{ 'NAT-IP-3': say('deleteRulesFirst'), 'NAT-IP-12': say('heldNoDelete') }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say.rich('deleteText', {
        ip: ip.ip,
        network: ip.networkName,
        strong: (inside) => <Box variant="strong">{inside}</Box>,
      })}
    </Confirm>
  )
}
