import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { type Column, type Csv, fields, linked, namesCell, noteColumns } from '#lib/ground/http/csv'
import { idOfLink, type LinkDocument, linkOf } from '#lib/ground/http/view'

/** The direction of a rule decides which of its links is the NAT IP. */
const natEnd = (rule: NatRuleDocument): LinkDocument | undefined =>
  linkOf(rule, rule.snat ? 'translated' : 'original')

const privateEnd = (rule: NatRuleDocument): LinkDocument | undefined =>
  linkOf(rule, rule.snat ? 'original' : 'translated')

const address = (rel: 'original' | 'translated'): Column<NatRuleDocument> => ({
  name: rel,
  of: (rule) => linkOf(rule, rel)?.title,
})

export const natRuleCsv: Csv<NatRuleDocument> = {
  filename: 'nat-rules',
  columns: [
    ...fields<NatRuleDocument>('id'),
    { name: 'type', of: ({ snat }) => (snat ? 'SNAT' : 'DNAT') },
    address('original'),
    ...fields<NatRuleDocument>('originalPort'),
    address('translated'),
    ...fields<NatRuleDocument>('translatedPort', 'protocol'),
    { name: 'natIp', of: (rule) => natEnd(rule)?.title },
    { name: 'natIpId', of: (rule) => idOfLink(natEnd(rule)) },
    { name: 'privateIp', of: (rule) => privateEnd(rule)?.title },
    { name: 'privateIpId', of: (rule) => idOfLink(privateEnd(rule)) },
    ...linked('network', 'natnetwork'),
    ...linked('virtualMachine'),
    ...linked('virtualDatacenter'),
    ...linked('datacenter'),
    ...fields<NatRuleDocument>('deviceState', 'packets', 'bytes', 'enabled', 'originalPortEnd'),
    { name: 'sources', of: ({ sources = [] }) => namesCell(sources) },
    ...noteColumns,
    ...fields<NatRuleDocument>('ends'),
  ],
}
