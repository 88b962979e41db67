import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { TextField } from '#components/kit/field'
import { Select } from '#components/kit/select'
import { natExplanationQuery } from '#lib/cloud/nat/check.queries'
import type { NatPacket } from '#lib/cloud/nat/explain.schema'
import { natProtocols } from '#lib/cloud/nat/rules.schema'
import { parseAddress } from '#lib/ground/net/addresses'
import styles from './nat-check.module.css'
import { PacketPath } from './packet-path'

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

/** `to`: the destination, where it is known. */
type PacketDialogProps = { datacenter: number; to?: string; onClose: () => void }

/** Asks for a packet and draws its path. */
export function PacketDialog({ datacenter, to = '', onClose }: PacketDialogProps) {
  const say = useTranslations('natCheck.packet')
  const [draft, setDraft] = useState<Draft>({ from: '', to, protocol: 'TCP', port: '443' })
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
      isQuestion
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
      {asked && read.data && <PacketPath datacenter={datacenter} packet={asked} explanation={read.data} />}
    </FormDialog>
  )
}
