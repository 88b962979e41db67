import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useNeeds } from '#components/base/forms/reasons'
import { useMay } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Disclosure } from '#components/kit/disclosure'
import { Row, Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import { Tool } from '#components/kit/tool'
import { type CheckPlace, natFindingCountsQuery, natFindingsQuery } from '#lib/cloud/nat/check.queries'
import { type NatFinding, type NatFindingCounts, natSeverities } from '#lib/cloud/nat/check.schema'
import { natChanged } from '#lib/cloud/nat/networks.queries'
import { fixKindOf, namesIn, privilegeOf } from './finding-words'
import { MendDialog } from './mend-dialog'
import styles from './nat-check.module.css'
import { PacketDialog } from './packet-dialog'

/** Findings that are shown at first, and that each press adds. */
const STEP = 10

/** The findings in a datacenter's NAT, or in one network, with their fixes, and the path of a packet. */
export function CheckTab({ place }: { place: CheckPlace }) {
  const say = useTranslations('natCheck')
  const client = useQueryClient()
  const read = useQuery(natFindingCountsQuery(place))
  const [isAsking, setAsking] = useState(false)
  return (
    <Stack>
      <div className={styles.totals}>
        <div className="quiet">{say(place.network === undefined ? 'about' : 'aboutNetwork')}</div>
        <Row>
          <Button
            busy={read.isFetching}
            busyText={say('checking')}
            onPress={() => void natChanged(client, place.datacenter)}
          >
            {say('again')}
          </Button>
          <Button onPress={() => setAsking(true)}>{say('packet.open')}</Button>
        </Row>
      </div>
      {read.data ? <Findings place={place} counts={read.data} /> : <Waiting read={read} />}
      {isAsking && <PacketDialog datacenter={place.datacenter} onClose={() => setAsking(false)} />}
    </Stack>
  )
}

type CodeCount = NatFindingCounts['codes'][number]

function Findings({ place, counts }: { place: CheckPlace; counts: NatFindingCounts }) {
  const say = useTranslations('natCheck')
  const { error, warning, info, codes } = counts
  if (codes.length === 0)
    return <Status kind="good">{say(place.network === undefined ? 'sound' : 'soundNetwork')}</Status>
  const sorted = codes.toSorted(
    (one, other) => natSeverities.indexOf(one.severity) - natSeverities.indexOf(other.severity),
  )
  return (
    <Stack>
      <strong>{say('totals', { error, warning, info })}</strong>
      {sorted.map((each) => (
        <Kind key={each.code} place={place} {...each} />
      ))}
    </Stack>
  )
}

/** All findings of one code. They are read when the section is opened. */
function Kind({ place, code, severity, count }: CodeCount & { place: CheckPlace }) {
  const say = useTranslations('natCheck')
  const format = useFormatter()
  const [isOpen, setOpen] = useState(severity === 'error')
  return (
    <Disclosure
      look="card"
      isOpen={isOpen}
      onToggle={setOpen}
      title={say(`codes.${code}.title`)}
      counter={`(${format.number(count)})`}
      about={`${say(`severities.${severity}`)}. ${say(`codes.${code}.follows`)}`}
    >
      {isOpen && <FindingsOf place={place} code={code} count={count} />}
    </Disclosure>
  )
}

function FindingsOf({ place, code, count }: Pick<CodeCount, 'code' | 'count'> & { place: CheckPlace }) {
  const say = useTranslations('natCheck')
  const [limit, setLimit] = useState(STEP)
  const [isMending, setMending] = useState(false)
  const needs = useNeeds()
  const read = useQuery(natFindingsQuery(place, { code, limit }))
  const [kind] = read.data?.collection.flatMap((finding) => fixKindOf(finding) ?? []) ?? []
  const may = useMay(kind ? privilegeOf[kind] : 'PHYS_DC_RETRIEVE_DETAILS')
  if (!read.data) return <Waiting read={read} />
  const { collection, totalSize } = read.data
  return (
    <Stack>
      <ul className={styles.findings} aria-label={say('list', { title: say(`codes.${code}.title`) })}>
        {collection.map((finding) => (
          <li key={finding.message}>
            <Finding place={place} finding={finding} />
          </li>
        ))}
      </ul>
      <Row>
        {collection.length < totalSize && (
          <Button
            busy={read.isPlaceholderData}
            busyText={say('loading')}
            onPress={() => setLimit(limit + STEP)}
          >
            {say('more', { count: totalSize - collection.length })}
          </Button>
        )}
        {kind && count > 1 && (
          <Tool refused={!may ? needs(privilegeOf[kind]) : undefined} onPress={() => setMending(true)}>
            {say('mendAll')}
          </Tool>
        )}
      </Row>
      {isMending && <MendDialog place={place} of={{ code }} onClose={() => setMending(false)} />}
    </Stack>
  )
}

function Finding({ place, finding }: { place: CheckPlace; finding: NatFinding }) {
  const say = useTranslations('natCheck')
  const label = useTranslations('natCheck.rels')
  const names = namesIn(finding)
  return (
    <>
      <span className={styles.about} title={finding.message}>
        {names.map(({ rel, name }) => (
          <span key={`${rel} ${name}`}>
            <small className="quiet">{label(rel)}</small> {name}
          </span>
        ))}
        {names.length === 0 && say('hidden')}
      </span>
      <MendOne place={place} finding={finding} />
    </>
  )
}

function MendOne({ place, finding }: { place: CheckPlace; finding: NatFinding }) {
  const say = useTranslations('natCheck')
  const needs = useNeeds()
  const [isOpen, setOpen] = useState(false)
  const kind = fixKindOf(finding)
  const privilege = kind && privilegeOf[kind]
  const may = useMay(privilege ?? 'PHYS_DC_RETRIEVE_DETAILS')
  if (!kind || !privilege) return null
  const [about] = namesIn(finding)
  return (
    <>
      <Tool
        look="link"
        label={`${say(`fixes.${kind}`)}: ${about?.name ?? ''}`}
        refused={!may ? needs(privilege) : undefined}
        onPress={() => setOpen(true)}
      >
        {say('mend', { what: say(`fixes.${kind}`) })}
      </Tool>
      {isOpen && <MendDialog place={place} of={{ finding }} onClose={() => setOpen(false)} />}
    </>
  )
}
