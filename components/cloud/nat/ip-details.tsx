import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { Waiting } from '#components/base/forms/failure'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { useIsPast } from '#components/base/screens/as-of'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { NotCompared } from '#components/frame/as-of/present'
import { FactsOf } from '#components/frame/layout/facts'
import { Button } from '#components/kit/button'
import { deferredOver } from '#components/kit/deferred-over'
import { Panel } from '#components/kit/frame'
import { Row, Stack } from '#components/kit/layout'
import { Tool } from '#components/kit/tool'
import { Ends } from '#components/table/ends'
import { useNoteFacts } from '#components/table/notes'
import { natIpQuery } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { natIpRulesQuery } from '#lib/cloud/nat/rules.queries'
import { linkOf } from '#lib/ground/http/view'
import { AddressHistory } from './address-history'
import { Address, StateOfIp } from './cells'
import { useIpActions } from './ip-actions'
import { type OpenIp, rulesOfIp } from './open-ip'
import { Translation } from './translation'

const IpNotes = deferredOver(async () => (await import('./nat-notes')).IpNotes)

type IpDetailsProps = {
  datacenter: number
  place: OpenIp
  /** Beside a list, or over the map. */
  isPanel?: boolean
  onClose: () => void
}

/** The details of an IP, its rules and its actions. */
export function IpDetails({ datacenter, place, isPanel = false, onClose }: IpDetailsProps) {
  const say = useTranslations('nat.ip')
  const close = useTranslations('common')('close')
  const read = useQuery(natIpQuery(datacenter, place.network, place.id))
  const { actionsFor, isChanging, dialog } = useIpActions(datacenter, onClose)
  const mayChange = useMay(...access.changeNatNetworks)
  // The address can ask for an action: its button then has the focus.
  const asked = useSearchParams()[0].get('do')
  const ip = read.data?.document
  const rules = useQuery(rulesQuery(datacenter, place))
  const title = ip ? ip.ip : say('numbered', { id: String(place.id) })
  const actions =
    ip &&
    mayChange &&
    actionsFor(ip, rules.data?.totalSize).map(({ id, text, refused, run }) => (
      <Tool key={id} busy={isChanging} refused={refused} onPress={run} ref={id === asked ? focus : undefined}>
        {text}
      </Tool>
    ))
  const isPast = useIsPast()
  const [isNoting, setNoting] = useState(false)
  const details = ip ? (
    <Stack gap="l">
      <IpFacts datacenter={datacenter} ip={ip} network={place.network} columns={isPanel ? 1 : 3} />
      <Rules datacenter={datacenter} place={place} />
      <History datacenter={datacenter} ip={ip} />
    </Stack>
  ) : (
    <Waiting read={read} />
  )
  return (
    <>
      {isPanel ? (
        <Panel
          title={<Address>{title}</Address>}
          label={title}
          actions={
            <>
              {mayChange && ip && !isPast && <Tool onPress={() => setNoting(true)}>{say('notes')}</Tool>}
              {actions}
            </>
          }
          closeLabel={close}
          onClose={onClose}
        >
          {details}
        </Panel>
      ) : (
        <Dialog
          header={title}
          size="large"
          onDismiss={onClose}
          actions={
            <Row>
              {mayChange && ip && !isPast && <Tool onPress={() => setNoting(true)}>{say('notes')}</Tool>}
              {actions}
              <Button look="main" onPress={onClose}>
                {close}
              </Button>
            </Row>
          }
        >
          {details}
        </Dialog>
      )}
      {dialog}
      {isNoting && <IpNotes datacenter={datacenter} place={place} onClose={() => setNoting(false)} />}
    </>
  )
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

type IpFactsProps = { datacenter: number; ip: NatIpDocument; network: number; columns: 1 | 3 }

function IpFacts({ datacenter, ip, network, columns }: IpFactsProps) {
  const say = useTranslations('nat.ips')
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.natIps())
  const none = useTranslations('common')('none')
  const linked = (document: NatIpDocument, rel: string) => {
    const link = linkOf(document, rel)
    return link ? <ScreenLink link={link} /> : none
  }
  return (
    <FactsOf
      of={ip}
      columns={columns}
      label={ip.ip}
      items={(document) => [
        { label: label('state'), value: <StateOfIp ip={document} /> },
        { label: say('available'), value: say(document.available ? 'yes' : 'no') },
        { label: say('quarantine'), value: say(document.quarantine ? 'yes' : 'no') },
        {
          label: label('network'),
          value: <AppLink to={paths.natNetwork(datacenter, network)}>{document.networkName}</AppLink>,
        },
        { label: label('virtualdatacenter'), value: linked(document, 'virtualdatacenter') },
        { label: label('enterprise'), value: linked(document, 'enterprise') },
        { label: say('ends'), value: <Ends ends={document.ends} /> },
        { label: label('defaultSnat'), value: say(document.defaultSnat ? 'yes' : 'no') },
        { label: say('version'), value: document.ipv6 ? 'IPv6' : 'IPv4' },
        ...ofNotes(document),
        { label: label('id'), value: document.id },
      ]}
    />
  )
}

/** The holders of the address, and the events of the IP. */
function History({ datacenter, ip: { id, ip } }: { datacenter: number; ip: NatIpDocument }) {
  const label = useTranslations('labels')
  const say = useTranslations('events.detail')
  const sayAddress = useTranslations('address')
  const maySeeEvents = useMay(...access.events)
  const isPast = useIsPast()
  return (
    <Stack gap="s">
      <h3>{label('history')}</h3>
      {!isPast && <AddressHistory datacenter={datacenter} ip={ip} />}
      {!isPast && <AppLink to={paths.address(ip)}>{sayAddress('whole')}</AppLink>}
      {maySeeEvents && (
        <AppLink to={paths.events({ entity: 'natip', entityid: id })}>{say('ofThing')}</AppLink>
      )}
    </Stack>
  )
}

const rulesQuery = (datacenter: number, { network, id }: OpenIp) =>
  natIpRulesQuery({ datacenter, network, natip: id }, { limit: 5 })

function Rules({ datacenter, place }: { datacenter: number; place: OpenIp }) {
  const say = useTranslations('nat.ip')
  const label = useTranslations('labels')
  const rules = useQuery(rulesQuery(datacenter, place))
  if (!rules.data) return <Waiting read={rules} />
  const { collection, totalSize } = rules.data
  return (
    <Stack gap="s">
      <h3>{label('rules')}</h3>
      <NotCompared />
      {totalSize === 0 && <div className="quiet">{say('noRules')}</div>}
      {collection.map((rule) => (
        <div key={rule.id}>
          <Translation rule={rule} />
        </div>
      ))}
      {totalSize > 0 && (
        <AppLink to={rulesOfIp(datacenter, place)}>{say('allRules', { count: totalSize })}</AppLink>
      )}
    </Stack>
  )
}
