import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { TextField } from '#components/kit/field'
import { Select } from '#components/kit/select'
import { Status } from '#components/kit/status'
import { virtualMachineQuery } from '#lib/cloud/machines/machines.queries'
import { natExplanationQuery } from '#lib/cloud/nat/check.queries'
import type { NatExplanation, NatPacket, NatStep } from '#lib/cloud/nat/explain.schema'
import { pathOf } from '#lib/cloud/nat/ips.queries'
import { natProtocols } from '#lib/cloud/nat/rules.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { parseAddress } from '#lib/ground/net/addresses'
import styles from './nat-check.module.css'

type Draft = { from: string; to: string; protocol: NatPacket['protocol']; port: string }

const isAddress = (text: string): boolean => parseAddress(text.trim()) !== undefined
const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535

function packetOf({ from, to, protocol, port }: Draft): NatPacket | undefined {
  if (!isAddress(from) || !isAddress(to)) return undefined
  const ends = { from: from.trim(), to: to.trim(), protocol }
  if (protocol === 'ANY') return ends
  return isPort(port) ? { ...ends, port: Number(port) } : undefined
}

/** Asks for a packet and draws its path. */
export function PacketDialog({ datacenter, onClose }: { datacenter: number; onClose: () => void }) {
  const say = useTranslations('natCheck.packet')
  const [draft, setDraft] = useState<Draft>({ from: '', to: '', protocol: 'TCP', port: '443' })
  const [asked, ask] = useState<NatPacket>()
  const [isTried, setTried] = useState(false)
  const read = useQuery(natExplanationQuery(datacenter, asked))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const submit = () => {
    setTried(true)
    const packet = packetOf(draft)
    if (packet) ask(packet)
    if (packet && asked) void read.refetch()
  }
  const addressError = (text: string) => isTried && !isAddress(text) && say('address')
  return (
    <FormDialog
      header={say('title')}
      size="large"
      submit={{ label: say('show'), isBusy: read.isFetching }}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="quiet">{say('about')}</div>
      <div className={styles.fields}>
        <TextField
          label={say('from')}
          value={draft.from}
          placeholder="198.51.100.7"
          error={addressError(draft.from)}
          onChange={(from) => change({ from })}
        />
        <TextField
          label={say('to')}
          value={draft.to}
          placeholder="203.0.113.5"
          error={addressError(draft.to)}
          onChange={(to) => change({ to })}
        />
        <Select
          label={say('protocol')}
          value={draft.protocol}
          options={natProtocols.map((value) => ({
            value,
            text: value,
            about: value === 'ANY' ? say('other') : undefined,
          }))}
          onChange={(protocol) => change({ protocol })}
        />
        {draft.protocol !== 'ANY' && (
          <TextField
            label={say('port')}
            value={draft.port}
            inputMode="numeric"
            error={isTried && !isPort(draft.port) && say('number')}
            onChange={(port) => change({ port })}
          />
        )}
      </div>
      {read.error && <Failure error={read.error} />}
      {asked && read.data && <Path datacenter={datacenter} packet={asked} explanation={read.data} />}
    </FormDialog>
  )
}

type Ends = { source: string | undefined; destination: string | undefined; port: number | undefined }

/** The ends of the packet after each step. */
function endsAfter(ends: Ends, { kind, address, port }: NatStep): Ends {
  return kind === 'dnat'
    ? { ...ends, destination: address, port: address === undefined ? undefined : (port ?? ends.port) }
    : { ...ends, source: address }
}

type PathProps = { datacenter: number; packet: NatPacket; explanation: NatExplanation }

function Path({ datacenter, packet, explanation }: PathProps) {
  const say = useTranslations('natCheck.packet')
  const { steps, reason } = explanation
  const first: Ends = { source: packet.from, destination: packet.to, port: packet.port }
  const stations = [first]
  for (const step of steps) stations.push(endsAfter(stations.at(-1) ?? first, step))
  const machine = linkOf(explanation, 'virtualmachine')?.title
  const device = linkOf(explanation, 'device')
  const isIncoming = steps[0]?.kind === 'dnat'
  return (
    <div aria-live="polite">
      <ol className={styles.path} aria-label={say('path')}>
        <li className={styles.station}>
          <strong>{say('sent')}</strong>
          <EndsText ends={first} step={undefined} />
        </li>
        {steps.map((step, index) => (
          <li key={step.message}>
            <div className={styles.path}>
              <span className={styles.step}>
                ↓ <StepText datacenter={datacenter} step={step} />
              </span>
              <div className={styles.station}>
                <strong>
                  {index === steps.length - 1 && isIncoming && machine
                    ? say('arrives', { name: machine })
                    : say('end')}
                </strong>
                <EndsText ends={stations[index + 1] ?? first} step={step} />
              </div>
            </div>
          </li>
        ))}
      </ol>
      {device && steps.length > 0 && (
        <div>
          {say.rich('on', {
            device: device.title ?? '',
            link: (name) => <AppLink to={paths.device(datacenter, idOfLink(device) ?? 0)}>{name}</AppLink>,
          })}
        </div>
      )}
      {isIncoming && <MachineState explanation={explanation} />}
      {steps.length === 0 && (
        <div>
          <Status kind="off">{say('untouched')}</Status>
          <div className="quiet">{reason}</div>
        </div>
      )}
    </div>
  )
}

/** A machine that is off answers nothing, whatever the rules are. */
function MachineState({ explanation }: { explanation: NatExplanation }) {
  const say = useTranslations('natCheck.packet')
  const link = linkOf(explanation, 'virtualmachine')
  const { data } = useQuery({
    ...virtualMachineQuery(pathOf(link)),
    enabled: link !== undefined,
    retry: false,
  })
  const machine = data?.document
  if (machine?.state !== 'OFF') return null
  return (
    <div>
      <Status kind="warn">{say('off', { name: machine.label || machine.name })}</Status>
    </div>
  )
}

function StepText({ datacenter, step }: { datacenter: number; step: NatStep }) {
  const say = useTranslations('natCheck.packet')
  const { kind, address } = step
  const rule = idOfLink(linkOf(step, 'rule'))
  const machine = idOfLink(linkOf(step, 'virtualmachine'))
  if (kind === 'dnat' && address === undefined) return say('hiddenRule')
  if (kind !== 'dnat' && kind !== 'snat') return say(`kinds.${kind}`)
  return say.rich(`kinds.${kind}`, {
    rule: String(rule ?? ''),
    link: (name) =>
      rule === undefined || machine === undefined ? (
        name
      ) : (
        <AppLink to={paths.natRules(datacenter, { virtualmachine: machine, row: rule })}>{name}</AppLink>
      ),
  })
}

function EndsText({ ends, step }: { ends: Ends; step: NatStep | undefined }) {
  const say = useTranslations('natCheck.packet')
  const { source, destination, port } = ends
  const changed = (isChanged: boolean) => (isChanged ? { className: styles.changed } : {})
  const withPort = destination === undefined || port === undefined ? destination : `${destination} : ${port}`
  return (
    <span className={styles.ends}>
      <span>
        {say('source')}{' '}
        <span {...changed(step !== undefined && step.kind !== 'dnat')}>{source ?? say('own')}</span>
      </span>
      <span>
        {say('destination')} <span {...changed(step?.kind === 'dnat')}>{withPort ?? say('hidden')}</span>
      </span>
    </span>
  )
}
