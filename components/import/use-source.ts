import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Named } from '#lib/ground/http/view'
import type { SentTable } from '#lib/state/plans/plans.queries'
import { type ExportEntity, type PlanMode, wantedItems } from '#lib/state/plans/plans.schema'
import {
  type CsvHead,
  fieldTwice,
  headOf,
  isBinary,
  type Matches,
  matched,
  otherHeadings,
  rememberedMatches,
  tableOf,
} from './csv-columns'
import { isOwnTable, networkTable } from './network-table'

/** The place of NAT networks whose file does not say it. */
export type SameForAll = { datacenter?: Named | undefined; device?: string | undefined }

/** What is sent of a file. `original`: the same lines as they are in the file. */
export type Prepared = SentTable & { original: Blob; leftOut: readonly string[] }

/** The chosen file with its columns, and the part that is sent. */
export function useSource(entity: ExportEntity, first: SameForAll = {}) {
  const say = useTranslations('layout.import')
  const [file, setFile] = useState<File>()
  const [head, setHead] = useState<CsvHead>()
  const [isOther, setOther] = useState(false)
  const [chosen, setChosen] = useState<Matches>(() => rememberedMatches(entity))
  const [mode, setMode] = useState<PlanMode>('merge')
  const [same, setSame] = useState(first)
  const [isLeavesOnly, setLeavesOnly] = useState(true)
  const fields = Object.keys(wantedItems[entity].shape)
  const matches = matched(head?.columns ?? [], { fields, chosen, others: otherHeadings[entity] })
  const isForeign = head !== undefined && entity === 'natnetworks' && !isOwnTable(matches)
  const faultOf = (): string | undefined => {
    if (!head) return say('chooseFirst')
    const twice = fieldTwice(matches)
    if (twice !== undefined) return say('twice', { field: twice })
    if (!isForeign) return undefined
    if (!matches.includes('cidr')) return say('rangeMissing')
    const lacks = { datacenter: !same.datacenter, device: !same.device }
    return (['datacenter', 'device'] as const).some((field) => !matches.includes(field) && lacks[field])
      ? say('placeMissing')
      : undefined
  }
  const refused = faultOf()
  return {
    file,
    head,
    isBinary: isOther,
    matches,
    chosen,
    mode,
    setMode,
    refused,
    /** The fields beside the columns, for NAT networks of another program. */
    networks: isForeign ? { same, setSame, isLeavesOnly, setLeavesOnly } : undefined,
    prepare:
      head && refused === undefined
        ? async (): Promise<Prepared> => {
            const original = tableOf(head, matches)
            if (!isForeign) return { entity, mode, table: original, original, leftOut: [] }
            const given = { datacenter: same.datacenter?.name ?? '', device: same.device ?? '' }
            const prepared = await networkTable(head, matches, { given, isLeavesOnly })
            return { entity, mode, original, ...prepared }
          }
        : undefined,
    choose: async (given: File | undefined) => {
      const binary = given !== undefined && (await isBinary(given))
      setFile(given)
      setOther(binary)
      setHead(given && !binary ? await headOf(given) : undefined)
    },
    match: (column: string, field: string) => setChosen({ ...chosen, [column]: field }),
  }
}
