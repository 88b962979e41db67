import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { sentEnd } from '#components/base/forms/ends-text'
import { FailureText } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useMay } from '#components/base/session/session'
import { deferred } from '#components/kit/deferred'
import { deferredOver } from '#components/kit/deferred-over'
import type { MenuEntry } from '#components/kit/menu'
import type { BulkAction, BulkSubject } from '#components/table/bulk'
import { useTagAction } from '#components/table/tag-action'
import { centerPath } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import {
  changeNatIp,
  deleteNatIp,
  type NatIpsAction,
  natIpsCall,
  setNatIpEnd,
  useNatChanged,
} from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { linkOf, type Named } from '#lib/ground/http/view'
import { allChanges, changesFor, type IpChange, ipChanges, isHeld, oppositeOf, refusalOf } from './ip-state'
import { datacenterOf } from './use-datacenter'

type NatIpsChange = IpChange | 'attach' | 'release' | 'delete'

const SetEnd = deferredOver(async () => (await import('./set-end')).SetEnd)
const AttachTo = deferred(async () => (await import('./attach-to')).AttachTo)

type Change = { ip: NatIpDocument; change: IpChange }

/** The actions for one IP, in its row and in its details. `onRemoved` is called after a deletion. */
export function useIpActions(datacenter: number | undefined, onRemoved?: () => void) {
  const say = useTranslations('nat.ip')
  const notify = useFlash()
  const changed = useNatChanged(datacenter)
  const [removing, setRemoving] = useState<NatIpDocument>()
  const [ending, setEnding] = useState<NatIpDocument>()
  const mayEnd = useMay('MANAGE_NATIPS')
  // Not `useAction`: while one row is changing, the actions of the others keep working.
  const guard = useOneAtATime()
  const changing = useMutation({
    mutationFn: ({ ip, change }: Change) => changeNatIp(ip, ipChanges[change]),
    onSuccess: (_, { ip, change }) =>
      notify({
        type: 'success',
        content: say(`done.${change}`, { subject: ip.ip, count: 1 }),
        undo: () => guard(() => undoing.mutateAsync({ ip, change: oppositeOf[change] })),
      }),
    onError: (error, { ip: { ip }, change }) =>
      notify({
        type: 'error',
        header: say(`refused.${change}`, { ip }),
        content: <FailureText error={error} />,
      }),
    onSettled: changed,
  })

  const undoing = useMutation({
    mutationFn: ({ ip, change }: Change) => changeNatIp(ip, ipChanges[change]),
    onSuccess: (_, { ip: { ip } }) => notify(say('undone', { ip })),
    onError: (error) => notify({ type: 'error', content: <FailureText error={error} /> }),
    onSettled: changed,
  })

  return {
    /** The actions for an IP in its current state. `rules` is the number of its rules, where the screen knows it. */
    actionsFor: (ip: NatIpDocument, rules?: number): MenuEntry[] => [
      ...(mayEnd && linkOf(ip, 'virtualdatacenter')
        ? [{ id: 'setEnd', text: say('actions.setEnd'), run: () => setEnding(ip) }]
        : []),
      ...[...changesFor(ip), 'delete' as const].map((id) => {
        const refusal = refusalOf(id, ip, rules)
        return {
          id,
          text: say(`actions.${id}`),
          refused: refusal && say(refusal),
          run: () =>
            id === 'delete' ? setRemoving(ip) : guard(() => changing.mutateAsync({ ip, change: id })),
        }
      }),
    ],
    isChanging: changing.isPending,
    /** The form for the end, or the question before an IP is deleted. */
    dialog: ending ? (
      <SetEnd
        kind="natip"
        name={ending.ip}
        ends={ending.ends}
        save={(ends) => setNatIpEnd(ending, ends)}
        onClose={() => setEnding(undefined)}
        onDone={() => {
          setEnding(undefined)
          changed()
        }}
      />
    ) : (
      removing && (
        <RemoveIp
          ip={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => {
            setRemoving(undefined)
            onRemoved?.()
            changed()
          }}
        />
      )
    ),
  }
}

type IpBulkOptions = {
  /** The datacenter of all matching rows, if it is known. */
  datacenter: number | undefined
  selected: readonly NatIpDocument[]
}

/** The actions for the selected IPs. */
export function useIpBulk({ datacenter, selected }: IpBulkOptions): BulkAction<NatIpDocument>[] {
  const say = useTranslations('nat.ip')
  const changed = useNatChanged(datacenter)
  const mayAttach = useMay('MANAGE_NATIPS')
  const [chosen, setCenter] = useState<{ in: number | undefined; center: Named }>()
  // A count of selected rows ignores the filter, which may have changed since. "All matching rows" is not a selection.
  const [one = datacenter] = datacentersOf(selected)
  const center = chosen?.in === one ? chosen?.center : undefined
  const [ends, setEnds] = useState('')
  const counted = (count: number) => say('counted', { count })
  const asking = (id: Exclude<NatIpsChange, 'attach'>) => (rows: BulkSubject) => ({
    title: say(`ask.${id}`, rows),
    text: say(`askText.${id}`, rows),
  })
  const call = (action: NatIpsAction, change = {}) => natIpsCall(datacenter, action, change)
  const changes = allChanges.map(
    (change): BulkAction<NatIpDocument> => ({
      id: change,
      label: say(`actions.${change}`),
      needs: (ips) =>
        ips.some((ip) => changesFor(ip).includes(change)) ? undefined : say(`already.${change}`),
      call: call('changeips', ipChanges[change]),
      undo: call('changeips', ipChanges[oppositeOf[change]]),
      counted,
      done: (rows) => say(`done.${change}`, rows),
      changed,
      asks: change === 'quarantine' || change === 'makeUnavailable' ? 'inUse' : 'never',
      confirm: asking(change),
    }),
  )
  const release: BulkAction<NatIpDocument> = {
    id: 'release',
    label: say('actions.release'),
    needs: (ips) => (ips.some(isHeld) ? undefined : say('noneHeld')),
    call: call('releaseips'),
    counted,
    done: (rows) => say('done.release', rows),
    changed,
    asks: 'always',
    confirm: asking('release'),
  }
  const attach: BulkAction<NatIpDocument> = {
    id: 'attach',
    label: say('actions.attach'),
    needs: (ips) => {
      if (datacentersOf(ips).length > 1) return say('attachInOne')
      return ips.every(isHeld) ? say('allHeld') : undefined
    },
    call: call('attachips', {
      links: center ? [{ rel: 'virtualdatacenter', href: centerPath(center.id) }] : [],
      ends: sentEnd(ends),
    }),
    undo: call('releaseips'),
    counted,
    done: (rows) => say('done.attach', { ...rows, center: center?.name ?? '' }),
    changed,
    asks: 'always',
    confirm: (rows) => ({
      title: say('ask.attach', rows),
      text: (
        <AttachTo
          key={one}
          datacenter={one}
          value={center}
          onChange={(chosen) => setCenter({ in: one, center: chosen })}
          ends={ends}
          onEnds={setEnds}
        />
      ),
      isReady: center !== undefined,
    }),
  }
  const tags = useTagAction<NatIpDocument>({
    selected,
    callWith: (change) => call('changeips', change),
    counted,
    changed,
  })
  return [
    ...changes,
    ...(mayAttach ? [attach, release] : []),
    tags,
    {
      id: 'delete',
      label: say('actions.delete'),
      needs: (ips) => (ips.every(isHeld) ? say('heldNoDelete') : undefined),
      call: call('deleteips'),
      counted,
      done: (rows) => say('done.delete', rows),
      changed,
      asks: 'always',
      confirm: asking('delete'),
    },
  ]
}

const datacentersOf = (ips: readonly NatIpDocument[]): number[] => [...new Set(ips.map(datacenterOf))]

type RemoveIpProps = {
  ip: NatIpDocument
  onClose: () => void
  onRemoved: () => void
}

function RemoveIp({ ip, onClose, onRemoved }: RemoveIpProps) {
  const say = useTranslations('nat.ip')
  return (
    <Confirm
      title={say('ask.delete', { subject: ip.ip })}
      input={ip}
      mutation={useMutation({ mutationFn: deleteNatIp })}
      done={() => say('done.delete', { subject: ip.ip, count: 1 })}
      advice={{ 'NAT-IP-3': say('deleteRulesFirst'), 'NAT-IP-12': say('heldNoDelete') }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say.rich('deleteText', {
        ip: ip.ip,
        network: ip.networkName,
        strong: (inside) => <strong>{inside}</strong>,
      })}
    </Confirm>
  )
}
