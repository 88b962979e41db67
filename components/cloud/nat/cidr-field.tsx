import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Button } from '#components/kit/button'
import { TextField } from '#components/kit/field'
import { useSettled } from '#lib/client/use-settled'
import { freeRange, natNetworksQuery, overlapsNetwork } from '#lib/cloud/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { idOfLink } from '#lib/ground/http/view'
import { type CidrFacts, cidrFacts, countText } from './cidr-facts'

type CidrFieldProps = {
  value: string
  /** Why the last save was refused. */
  error: ReactNode
  /** Why the CIDR cannot be changed. */
  locked: ReactNode
  /** Whether an example may fill the empty field. */
  takesExample?: boolean
  onChange: (cidr: string) => void
}

/** The field of a CIDR: while the user types, it shows the size of the network or the fault. */
export function CidrField({ value, error, locked, takesExample, onChange }: CidrFieldProps) {
  const say = useTranslations('nat.cidr')
  const label = useTranslations('labels')
  const [wasLeft, setWasLeft] = useState(false)
  const facts = cidrFacts(value)
  const proposal = facts.kind === 'host-bits' && (
    <HostBits value={value} network={facts.network} onUse={() => onChange(facts.network)} />
  )
  const wrong = facts.kind === 'wrong' && (wasLeft || error) ? say(facts.problem, facts) : undefined
  const errorText = wrong ?? (error && (proposal || error))
  return (
    <TextField
      label={label('cidr')}
      hint={
        <>
          {locked || say('description')} <NetworkFacts facts={facts} />{' '}
          {takesExample && <ExampleRange value={value} onFound={onChange} />}
        </>
      }
      error={errorText}
      warning={proposal}
      value={value}
      disabled={Boolean(locked)}
      required
      spellCheck={false}
      autoComplete="off"
      placeholder="203.0.113.0/24"
      onChange={onChange}
      onBlur={() => setWasLeft(true)}
      onFocus={() => setWasLeft(false)}
    />
  )
}

/** The size of the network, or examples of a CIDR. */
function NetworkFacts({ facts }: { facts: CidrFacts }) {
  const say = useTranslations('nat.cidr')
  const format = useFormatter()
  const write = (number: bigint) => format.number(number)
  if (facts.kind !== 'network') return say('examples')
  const { version, network, first, last } = facts
  const counts = {
    network,
    version: String(version),
    size: countText(facts.size, write),
    given: countText(facts.assignable, write),
  }
  return first === last ? say('one', { ...counts, first }) : say('facts', { ...counts, first, last })
}

const HostBits = ({ value, network, onUse }: { value: string; network: string; onUse: () => void }) => {
  const say = useTranslations('nat.cidr')
  return (
    <>
      {say('within', { address: value.trim() })}{' '}
      <Button look="link" onPress={onUse}>
        {say('use', { network })}
      </Button>
    </>
  )
}

/** Fills in a range for documentation, or a private one, that overlaps no NAT network. */
function ExampleRange({ value, onFound }: { value: string; onFound: (cidr: string) => void }) {
  const say = useTranslations('nat.cidr')
  const client = useQueryClient()
  const guard = useOneAtATime()
  const finding = useMutation({
    mutationFn: () => freeRange((cidr) => overlapsNetwork(client, cidr)),
    onSuccess: (found) => found !== null && onFound(found),
  })
  if (finding.data === null) return say('noExample')
  // The button keeps the focus while its range is in the field.
  if (value !== '' && value !== finding.data) return null
  return (
    <Button
      look="link"
      busy={finding.isPending}
      busyText={say('finding')}
      onPress={() => guard(() => finding.mutateAsync())}
    >
      {say(finding.isError ? 'exampleFailed' : 'example')}
    </Button>
  )
}

const pauseInTyping = 300

/** A network on the chosen device that overlaps the typed CIDR, other than `self`, the network to change. */
export function useOverlapping(
  datacenter: number,
  draft: { cidr: string; device: { href: string } | undefined },
  self: number | undefined,
) {
  const facts = cidrFacts(draft.cidr)
  const cidr = facts.kind === 'network' ? facts.network : undefined
  const overlaps = useSettled(cidr, pauseInTyping)
  const device = draft.device && idOfLink(draft.device)
  const { data } = useQuery({
    // One of the two may be `self`.
    ...natNetworksQuery(datacenter, { device, overlaps, limit: 2 }),
    placeholderData: undefined,
    enabled: overlaps !== undefined && device !== undefined,
  })
  return overlaps === cidr ? data?.collection.find(({ id }) => id !== self) : undefined
}

export function Overlapping({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }) {
  const say = useTranslations('nat.cidr')
  return say.rich('overlaps', {
    name: network.name,
    cidr: network.cidr,
    link: (name) => (
      <AppLink to={paths.natNetwork(datacenter, network.id)} target="_blank">
        {name}
      </AppLink>
    ),
  })
}
