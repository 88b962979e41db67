import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Moment } from '#components/events/moment'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Card, Stack } from '#components/kit/layout'
import { SimpleTable } from '#components/kit/simple-table'
import type { DeviceStateDocument } from '#lib/cloud/translations/translations.schema'
import { DeviceStatusLine } from './device-status'

type GatewayStateProps = { state: DeviceStateDocument; isLinux: boolean }

/** The last report of a gateway. */
export function GatewayState({ state, isLinux }: GatewayStateProps) {
  const say = useTranslations('gateways')
  const { status, drift = [], refused = [] } = state
  return (
    <Stack gap="l">
      <Card>
        <Stack>
          <div>
            <DeviceStatusLine status={status} />
            <div className="quiet">
              {status === 'unmanaged' && !isLinux ? say('notLinux') : say(`meaning.${meaningOf(state)}`)}
            </div>
          </div>
          {state.reported !== undefined && <Report state={state} reported={state.reported} />}
        </Stack>
      </Card>
      {drift.length > 0 && <Entries title={say('drift')} about={say('driftAbout')} entries={drift} />}
      {refused.length > 0 && <Entries title={say('refused')} about={say('refusedAbout')} entries={refused} />}
    </Stack>
  )
}

/** A gateway that only watches, and has never seen a table, reports revision 0: the status is "pending", but nothing will change it. */
const meaningOf = ({ status, mode, revision }: DeviceStateDocument) =>
  status === 'pending' && mode === 'watch' && revision === 0 ? 'untranslated' : status

function Report({ state, reported }: { state: DeviceStateDocument; reported: string }) {
  const say = useTranslations('gateways')
  const format = useFormatter()
  const {
    revision = 0,
    newestRevision = revision,
    mode = 'enforce',
    interval = 0,
    translations = 0,
    leftOut = 0,
    agent,
  } = state
  return (
    <Facts
      columns={4}
      items={[
        { label: say('reported'), value: <Moment at={reported} exact /> },
        { label: say('interval'), value: say('seconds', { count: interval }) },
        { label: say('revision'), value: String(revision) },
        { label: say('newestRevision'), value: String(newestRevision) },
        { label: say('translations'), value: format.number(translations) },
        ...(leftOut > 0 ? [{ label: say('leftOut'), value: format.number(leftOut) }] : []),
        { label: say('mode'), value: say(`modes.${mode}`) },
        { label: say('agent'), value: agent?.name ? `${agent.name} ${agent.version}` : '–' },
      ]}
    />
  )
}

type Entry = { rule?: number | undefined; reason: string }
type EntriesProps = { title: string; about: string; entries: readonly Entry[] }

/** Entries of a report that one sees at first. */
const SHOWN = 20

/** A report has up to 5,000 entries: the rest is shown on demand. */
function Entries({ title, about, entries }: EntriesProps) {
  const say = useTranslations('gateways')
  const format = useFormatter()
  const [shown, setShown] = useState(SHOWN)
  const some = entries.slice(0, shown).map((entry, index) => ({ ...entry, index }))
  const left = entries.length - some.length
  return (
    <Card
      title={title}
      level={2}
      counter={`(${format.number(entries.length)})`}
      about={about}
      footer={
        left > 0 && (
          <Button look="link" onPress={() => setShown(shown * 10)}>
            {say('more', { count: left })}
          </Button>
        )
      }
    >
      <SimpleTable
        label={title}
        rows={some}
        keyOf={({ index }) => index}
        columns={[
          {
            id: 'rule',
            header: say('rule'),
            minWidth: 140,
            cell: ({ rule }) => (rule === undefined ? '–' : say('ruleWithId', { id: String(rule) })),
          },
          {
            id: 'reason',
            header: say('reason'),
            isRowHeader: true,
            cell: ({ reason }) => <span lang="en">{reason}</span>,
          },
        ]}
      />
    </Card>
  )
}
