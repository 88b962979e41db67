import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useSession } from '#components/base/session/session'
import { MachineMark } from '#components/cloud/inventory/machine-columns'
import { endText, ruleEnds } from '#components/cloud/nat/rule-ends'
import { PublishButton } from '#components/cloud/publish/publish-button'
import { Card, Columns } from '#components/kit/layout'
import { virtualMachinesQuery } from '#lib/cloud/machines/machines.queries'
import { nameOfMachine, type VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { allHeldIpsQuery } from '#lib/cloud/nat/ips.queries'
import { linkOf } from '#lib/ground/http/view'
import styles from './home.module.css'
import { ListCard } from './list-card'

/** The rows of each list. */
const FEW = 6

/** What belongs to the user: machines with the addresses at which they are reached, and the addresses of their virtual datacenters. */
export function YoursCard() {
  const say = useTranslations('home.yours')
  return (
    <Card title={say('title')} about={say('about')} actions={<PublishButton isMain />}>
      <Columns count={2}>
        <Machines />
        <Addresses />
      </Columns>
    </Card>
  )
}

function Machines() {
  const say = useTranslations('home.yours')
  const { id } = useSession()
  const own = useQuery(virtualMachinesQuery({ user: id, limit: FEW }))
  const hasNone = own.data?.totalSize === 0
  const all = useQuery({ ...virtualMachinesQuery({ limit: FEW }), enabled: hasNone })
  const list = hasNone ? all : own
  return (
    <ListCard
      list={list}
      title={say(hasNone ? 'machinesSeen' : 'machines')}
      loading={{ label: say('loading'), height: 160 }}
      none={say('noMachines')}
      footer={
        <AppLink to={paths.virtualMachines(hasNone ? {} : { user: id })}>
          {say('allMachines', { count: list.data?.totalSize ?? 0 })}
        </AppLink>
      }
    >
      {(machines) => (
        <ul className={styles.rows}>
          {machines.map((machine) => (
            <li key={machine.id} className={styles.event}>
              <span className={styles.place}>
                <ScreenLink link={linkOf(machine, 'edit')}>{nameOfMachine(machine)}</ScreenLink>
                <Exposed machine={machine} />
              </span>
              <MachineMark state={machine.state} />
            </li>
          ))}
        </ul>
      )}
    </ListCard>
  )
}

/** The public ends of the machine's rules. */
function Exposed({ machine }: { machine: VirtualMachineDocument }) {
  const say = useTranslations('home.yours')
  const center = linkOf(machine, 'virtualdatacenter')?.title
  const ends = machine.natrules.filter(({ snat }) => !snat).map((rule) => endText(ruleEnds(rule).original))
  const shown = ends.length === 0 ? say('notExposed') : ends.slice(0, 3).join(', ')
  return (
    <div className={styles.quiet}>
      {center} · {shown}
    </div>
  )
}

function Addresses() {
  const say = useTranslations('home.yours')
  const list = useQuery(allHeldIpsQuery({ limit: FEW }))
  return (
    <ListCard
      list={list}
      title={say('addresses')}
      loading={{ label: say('loading'), height: 160 }}
      none={say('noAddresses')}
      footer={<AppLink to={paths.virtualDatacenters()}>{say('allCenters')}</AppLink>}
    >
      {(ips) => (
        <ul className={styles.rows}>
          {ips.map((ip) => (
            <li key={ip.id} className={styles.event}>
              <span className={styles.place}>
                <AppLink to={paths.address(ip.ip)}>{ip.ip}</AppLink>
                <div className={styles.quiet}>
                  <ScreenLink link={linkOf(ip, 'virtualdatacenter')} />
                </div>
              </span>
              <span className={styles.quiet}>{say('rules', { count: ip.rules })}</span>
            </li>
          ))}
        </ul>
      )}
    </ListCard>
  )
}
