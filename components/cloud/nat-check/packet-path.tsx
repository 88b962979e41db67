import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { Status } from '#components/kit/status'
import { virtualMachineQuery } from '#lib/cloud/machines/machines.queries'
import type { NatExplanation, NatPacket, NatStep } from '#lib/cloud/nat/explain.schema'
import { pathOf } from '#lib/cloud/nat/ips.queries'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import styles from './nat-check.module.css'

type Ends = { source: string | undefined; destination: string | undefined; port: number | undefined }

/** The ends of the packet after each step. */
function endsAfter(ends: Ends, { kind, address, port }: NatStep): Ends {
  return kind === 'dnat'
    ? { ...ends, destination: address, port: address === undefined ? undefined : (port ?? ends.port) }
    : { ...ends, source: address }
}

type PathProps = { datacenter: number; packet: NatPacket; explanation: NatExplanation }

/** The path of a packet: what each translation makes of it. */
export function PacketPath({ datacenter, packet, explanation }: PathProps) {
  const say = useTranslations('natCheck.packet')
  const { steps, reason } = explanation
  const first: Ends = { source: packet.from, destination: packet.to, port: packet.port }
  const stations = [first]
  for (const step of steps) stations.push(endsAfter(stations.at(-1) ?? first, step))
  const machine = linkOf(explanation, 'virtualmachine')
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
                    ? say.rich('arrives', { machine: () => <ScreenLink link={machine} /> })
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
