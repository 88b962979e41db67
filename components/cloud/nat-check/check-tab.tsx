import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useNeeds } from '#components/base/forms/reasons'
import { useMay } from '#components/base/session/session'
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
    <SpaceBetween size="m">
      <div className={styles.totals}>
        <Box color="text-body-secondary">{say(place.network === undefined ? 'about' : 'aboutNetwork')}</Box>
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            loading={read.isFetching}
            loadingText={say('checking')}
            onClick={() => void natChanged(client, place.datacenter)}
          >
            {say('again')}
          </Button>
          <Button onClick={() => setAsking(true)}>{say('packet.open')}</Button>
        </SpaceBetween>
      </div>
      {read.data ? <Findings place={place} counts={read.data} /> : <Waiting read={read} />}
      {isAsking && <PacketDialog datacenter={place.datacenter} onClose={() => setAsking(false)} />}
    </SpaceBetween>
  )
}

type CodeCount = NatFindingCounts['codes'][number]

function Findings({ place, counts }: { place: CheckPlace; counts: NatFindingCounts }) {
  const say = useTranslations('natCheck')
  const { error, warning, info, codes } = counts
  if (codes.length === 0)
    return (
      <StatusIndicator type="success">
        {say(place.network === undefined ? 'sound' : 'soundNetwork')}
      </StatusIndicator>
    )
  const sorted = codes.toSorted(
    (one, other) => natSeverities.indexOf(one.severity) - natSeverities.indexOf(other.severity),
  )
  return (
    <SpaceBetween size="m">
      <Box variant="strong">{say('totals', { error, warning, info })}</Box>
      {sorted.map((each) => (
        <Kind key={each.code} place={place} {...each} />
      ))}
    </SpaceBetween>
  )
}

/** All findings of one code. They are read when the section is opened. */
function Kind({ place, code, severity, count }: CodeCount & { place: CheckPlace }) {
  const say = useTranslations('natCheck')
  const format = useFormatter()
  const [isOpen, setOpen] = useState(severity === 'error')
  return (
    <ExpandableSection
      variant="container"
      expanded={isOpen}
      onChange={({ detail }) => setOpen(detail.expanded)}
      headingTagOverride="h2"
      headerText={say(`codes.${code}.title`)}
      headerCounter={`(${format.number(count)})`}
      headerDescription={`${say(`severities.${severity}`)}. ${say(`codes.${code}.follows`)}`}
    >
      {isOpen && <FindingsOf place={place} code={code} count={count} />}
    </ExpandableSection>
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
    <SpaceBetween size="s">
      <ul className={styles.findings} aria-label={say('list', { title: say(`codes.${code}.title`) })}>
        {collection.map((finding) => (
          <li key={finding.message}>
            <Finding place={place} finding={finding} />
          </li>
        ))}
      </ul>
      <SpaceBetween direction="horizontal" size="xs">
        {collection.length < totalSize && (
          <Button
            loading={read.isPlaceholderData}
            loadingText={say('loading')}
            onClick={() => setLimit(limit + STEP)}
          >
            {say('more', { count: totalSize - collection.length })}
          </Button>
        )}
        {kind && count > 1 && (
          <Button disabled={!may} disabledReason={needs(privilegeOf[kind])} onClick={() => setMending(true)}>
            {say('mendAll')}
          </Button>
        )}
      </SpaceBetween>
      {isMending && <MendDialog place={place} of={{ code }} onClose={() => setMending(false)} />}
    </SpaceBetween>
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
            <Box variant="small" color="text-body-secondary">
              {label(rel)}
            </Box>{' '}
            {name}
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
      <Button
        variant="inline-link"
        disabled={!may}
        disabledReason={needs(privilege)}
        ariaLabel={`${say(`fixes.${kind}`)}: ${about?.name ?? ''}`}
        onClick={() => setOpen(true)}
      >
        {say('mend', { what: say(`fixes.${kind}`) })}
      </Button>
      {isOpen && <MendDialog place={place} of={{ finding }} onClose={() => setOpen(false)} />}
    </>
  )
}
