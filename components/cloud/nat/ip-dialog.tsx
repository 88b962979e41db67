import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { Waiting } from '#components/base/forms/failure'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Row, Stack } from '#components/kit/layout'
import { natIpQuery } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { natIpRulesQuery } from '#lib/cloud/nat/rules.queries'
import { linkOf } from '#lib/ground/http/view'
import { AddressHistory } from './address-history'
import { StateOfIp } from './cells'
import { useIpActions } from './ip-actions'
import { type OpenIp, rulesOfIp } from './open-ip'
import { Translation } from './translation'

type IpDialogProps = { datacenter: number; place: OpenIp; onClose: () => void }

/** The details of an IP, its rules and its actions. */
export function IpDialog({ datacenter, place, onClose }: IpDialogProps) {
  const say = useTranslations('nat.ip')
  const common = useTranslations('common')
  const read = useQuery(natIpQuery(datacenter, place.network, place.id))
  const { actionsFor, isChanging, dialog } = useIpActions(datacenter, onClose)
  const mayChange = useMay(...access.changeNatNetworks)
  // The address can ask for an action: its button then has the focus.
  const asked = useSearchParams()[0].get('do')
  const ip = read.data?.document
  const rules = useQuery(rulesQuery(datacenter, place))
  return (
    <>
      <Dialog
        header={ip ? ip.ip : say('numbered', { id: String(place.id) })}
        size="large"
        onDismiss={onClose}
        actions={
          <Row>
            {ip &&
              mayChange &&
              actionsFor(ip, rules.data?.totalSize).map(({ id, text, refused, run }) => (
                <Button
                  key={id}
                  disabled={isChanging || refused !== undefined}
                  onPress={run}
                  {...(id === asked && { ref: focus })}
                  {...(refused !== undefined && { disabledReason: refused })}
                >
                  {text}
                </Button>
              ))}
            <Button look="main" onPress={onClose}>
              {common('close')}
            </Button>
          </Row>
        }
      >
        {ip ? (
          <Stack gap="l">
            <IpFacts datacenter={datacenter} ip={ip} network={place.network} />
            <Rules datacenter={datacenter} place={place} />
            <History datacenter={datacenter} ip={ip} />
          </Stack>
        ) : (
          <Waiting read={read} />
        )}
      </Dialog>
      {dialog}
    </>
  )
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

function IpFacts({ datacenter, ip, network }: { datacenter: number; ip: NatIpDocument; network: number }) {
  const say = useTranslations('nat.ips')
  const label = useTranslations('labels')
  const none = useTranslations('common')('none')
  const titleOf = (rel: string) => linkOf(ip, rel)?.title ?? none
  return (
    <Facts
      columns={3}
      label={ip.ip}
      items={[
        { label: label('state'), value: <StateOfIp ip={ip} /> },
        { label: say('available'), value: say(ip.available ? 'yes' : 'no') },
        { label: say('quarantine'), value: say(ip.quarantine ? 'yes' : 'no') },
        {
          label: label('network'),
          value: <AppLink to={paths.natNetwork(datacenter, network)}>{ip.networkName}</AppLink>,
        },
        { label: label('virtualdatacenter'), value: titleOf('virtualdatacenter') },
        { label: label('enterprise'), value: titleOf('enterprise') },
        { label: label('defaultSnat'), value: say(ip.defaultSnat ? 'yes' : 'no') },
        { label: say('version'), value: ip.ipv6 ? 'IPv6' : 'IPv4' },
        { label: label('id'), value: ip.id },
      ]}
    />
  )
}

/** The holders of the address, and the events of the IP. */
function History({ datacenter, ip: { id, ip } }: { datacenter: number; ip: NatIpDocument }) {
  const label = useTranslations('labels')
  const say = useTranslations('events.detail')
  const maySeeEvents = useMay(...access.events)
  return (
    <Stack gap="s">
      <h3>{label('history')}</h3>
      <AddressHistory datacenter={datacenter} ip={ip} />
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
