import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { useNeeds } from '#components/base/forms/reasons'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { holds, useScreenOf, useSession } from '#components/base/session/session'
import { Status, type StatusKind } from '#components/kit/status'
import { useRowMenu } from '#components/table/row-menu'
import type { TableColumn } from '#components/table/table-columns'
import { type CheckPlace, type FindingRow, useShowAgain } from '#lib/cloud/nat/check.queries'
import type { NatSeverity } from '#lib/cloud/nat/check.schema'
import { findingPrivileges } from '#lib/cloud/nat/finding-privileges'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import type { Say } from '#lib/words/words'
import { fixKindOf, namesIn, privilegeOf, ruleText } from './finding-words'
import { MendDialog } from './mend-dialog'
import styles from './nat-check.module.css'
import { SetAsideDialog } from './set-aside-dialog'

type Open = { what: 'mend' | 'aside' | 'again'; finding: FindingRow }

const kinds: Record<NatSeverity, StatusKind> = { error: 'bad', warning: 'warn', info: 'info' }

/** The columns of the findings, and the dialogs of their menu. */
export function useFindingColumns(place: CheckPlace) {
  const say = useTranslations('natCheck')
  const [opened, open] = useState<Open>()
  const { column, menu } = useFindingMenu(open)
  const close = () => open(undefined)
  const dialogs = (
    <>
      {menu}
      {opened?.what === 'mend' && (
        <MendDialog place={place} of={{ finding: opened.finding }} onClose={close} />
      )}
      {opened?.what === 'aside' && <SetAsideDialog place={place} finding={opened.finding} onClose={close} />}
      {opened?.what === 'again' && <ShowAgain place={place} finding={opened.finding} onClose={close} />}
    </>
  )
  return { columns: [...facts(say, place), column], dialogs }
}

/** What the finding is about, in words. */
const nameOf = (say: Say<'natCheck'>, finding: FindingRow): string =>
  `${say(`codes.${finding.code}.title`)}: ${namesIn(finding)[0]?.name ?? say('hidden')}`

/** Only who sees the machine of its rule may set such a finding aside. */
const isOfHiddenMachine = (finding: FindingRow): boolean =>
  finding.code === 'NATCHECK-2' && linkOf(finding, 'virtualmachine') === undefined

function useFindingMenu(open: (opened: Open) => void) {
  const say = useTranslations('natCheck')
  const needs = useNeeds()
  const session = useSession()
  return useRowMenu<FindingRow>({
    labelOf: (finding) => say('menu', { name: nameOf(say, finding) }),
    actionsOf: (finding) => {
      const kind = fixKindOf(finding)
      const anyOf = findingPrivileges[finding.code]
      const privilege = holds(session, anyOf) ? undefined : needs(anyOf[0] ?? 'PHYS_DC_RETRIEVE_DETAILS')
      const refused = privilege ?? (isOfHiddenMachine(finding) ? say('aside.hiddenMachine') : undefined)
      const fix = kind && {
        id: 'fix',
        text: say('mend', { what: say(`fixes.${kind}`) }),
        refused: holds(session, [privilegeOf[kind]]) ? undefined : needs(privilegeOf[kind]),
        run: () => open({ what: 'mend', finding }),
      }
      const aside = finding.setAside ? 'again' : 'aside'
      return [
        ...(fix ? [fix] : []),
        { id: aside, text: say(`aside.${aside}`), refused, run: () => open({ what: aside, finding }) },
      ]
    },
  })
}

const facts = (say: Say<'natCheck'>, { network }: CheckPlace): TableColumn<FindingRow>[] => [
  {
    id: 'severity',
    header: say('columns.severity'),
    by: 'severity',
    small: 'end',
    cell: ({ severity }) => <Status kind={kinds[severity]}>{say(`severities.${severity}`)}</Status>,
  },
  {
    id: 'what',
    header: say('columns.what'),
    by: 'code',
    isRowHeader: true,
    isWhole: true,
    small: 'first',
    cell: (finding) => <What finding={finding} />,
  },
  {
    id: 'rule',
    header: say('columns.rule'),
    small: 'below',
    cell: (finding) => <Subject finding={finding} />,
  },
  { id: 'ports', header: say('columns.ports'), cell: ({ rule }) => (rule ? ruleText(say, rule) : '–') },
  { id: 'virtualmachine', small: 'below', cell: (finding) => <Machine finding={finding} /> },
  ...(network === undefined
    ? [
        {
          id: 'network' as const,
          cell: (finding: FindingRow) => <Linked finding={finding} rel="natnetwork" />,
        },
      ]
    : []),
  {
    id: 'virtualdatacenter',
    hidden: true,
    cell: (finding) => linkOf(finding, 'virtualdatacenter')?.title ?? '–',
  },
]

/** The fault, what follows, and why it is set aside. */
function What({ finding: { code, setAside } }: { finding: FindingRow }) {
  const say = useTranslations('natCheck')
  const format = useFormatter()
  const by = setAside && linkOf(setAside, 'user')?.title
  return (
    <span className={styles.what} title={say(`codes.${code}.follows`)}>
      {say(`codes.${code}.title`)}
      {setAside && (
        <small className="quiet">
          {say('aside.why', {
            until: format.dateTime(new Date(setAside.until), { dateStyle: 'medium', timeZone: 'UTC' }),
            user: by ?? '',
            hasUser: by === undefined ? 'no' : 'yes',
            reason: setAside.reason,
          })}
        </small>
      )}
    </span>
  )
}

const datacenterIn = (finding: FindingRow): number =>
  Number(/\/datacenters\/(\d+)\//.exec(linkOf(finding, 'natnetwork')?.href ?? '')?.[1] ?? 0)

/** The rule with its addresses, or the address, the network or the device. */
function Subject({ finding }: { finding: FindingRow }) {
  const say = useTranslations('natCheck')
  const rule = idOfLink(linkOf(finding, 'natrule'))
  const machine = idOfLink(linkOf(finding, 'virtualmachine'))
  const names = namesIn(finding).filter(({ rel }) => rel === 'natip' || rel === 'privateip')
  const [natIp, privateIp] = ['natip', 'privateip'].map((rel) => linkOf(finding, rel)?.title)
  if (finding.rule && natIp) {
    const ends = finding.rule.snat ? [privateIp, natIp] : [natIp, privateIp]
    const text = ends.map((end) => end ?? say('hiddenAddress')).join(' → ')
    if (rule === undefined || machine === undefined) return <span className={styles.address}>{text}</span>
    return (
      <AppLink to={paths.natRules(datacenterIn(finding), { virtualmachine: machine, row: rule })}>
        <span className={styles.address}>{text}</span>
      </AppLink>
    )
  }
  const [first] = names
  return (
    <Linked finding={finding} rel={first?.rel ?? (linkOf(finding, 'device') ? 'device' : 'natnetwork')} />
  )
}

function Machine({ finding }: { finding: FindingRow }): ReactNode {
  const link = linkOf(finding, 'virtualmachine')
  const machine = idOfLink(link)
  if (machine === undefined) return '–'
  return (
    <AppLink to={paths.natRules(datacenterIn(finding), { virtualmachine: machine })}>{link?.title}</AppLink>
  )
}

/** All resources that the finding links by this rel: two networks may overlap. */
function Linked({ finding, rel }: { finding: FindingRow; rel: string }): ReactNode {
  const screenOf = useScreenOf()
  const links = finding.links.filter((link) => link.rel === rel)
  if (links.length === 0) return '–'
  return (
    <span className={styles.linked}>
      {links.map((link) => {
        const screen = screenOf(link)
        return (
          <span key={link.href} className={styles.address}>
            {screen ? <AppLink to={screen}>{link.title}</AppLink> : link.title}
          </span>
        )
      })}
    </span>
  )
}

type ShowAgainProps = { place: CheckPlace; finding: FindingRow; onClose: () => void }

function ShowAgain({ place, finding, onClose }: ShowAgainProps) {
  const say = useTranslations('natCheck')
  return (
    <Confirm
      title={say('aside.askAgain')}
      input={idOfLink(finding.setAside && linkOf(finding.setAside, 'natsetaside')) ?? 0}
      mutation={useShowAgain(place)}
      label={say('aside.again')}
      done={() => say('aside.shownAgain')}
      onDone={onClose}
      onCancel={onClose}
    >
      {nameOf(say, finding)}
    </Confirm>
  )
}
