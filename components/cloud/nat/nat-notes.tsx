import { useTranslations } from 'use-intl'
import { useFresh } from '#lib/client/resources.queries'
import { heldIpQuery, natIpQuery, useSaveHeldIpNotes, useSaveIpNotes } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { ruleToChange, useSaveRuleNotes } from '#lib/cloud/nat/rules.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { NotesDialog } from './notes-dialog'
import type { OpenIp } from './open-ip'
import { ruleName } from './rule-ends'

type IpNotesProps = { datacenter: number; place: OpenIp; onClose: () => void }

export function IpNotes({ datacenter, place, onClose }: IpNotesProps) {
  const say = useTranslations('nat.ip')
  const read = useFresh(natIpQuery(datacenter, place.network, place.id))
  return (
    <NotesDialog
      title={read.data ? say('notesOf', { name: read.data.document.ip }) : say('notes')}
      read={read}
      save={useSaveIpNotes(datacenter).mutateAsync}
      done={({ ip }) => say('notesSaved', { name: ip })}
      onClose={onClose}
    />
  )
}

type HeldIpNotesProps = { center: number; ip: NatIpDocument; onClose: () => void }

/** Where the holder of the IP changes them, who may not see its network. */
export function HeldIpNotes({ center, ip, onClose }: HeldIpNotesProps) {
  const say = useTranslations('nat.ip')
  return (
    <NotesDialog
      title={say('notesOf', { name: ip.ip })}
      read={useFresh(heldIpQuery(center, ip.id))}
      save={useSaveHeldIpNotes(center).mutateAsync}
      done={() => say('notesSaved', { name: ip.ip })}
      onClose={onClose}
    />
  )
}

type RuleNotesProps = { datacenter: number | undefined; rule: NatRuleDocument; onClose: () => void }

export function RuleNotes({ datacenter, rule, onClose }: RuleNotesProps) {
  const say = useTranslations('nat.ip')
  const sayRules = useTranslations('nat.rules')
  return (
    <NotesDialog
      title={say('notesOf', { name: ruleName(sayRules, rule) })}
      read={useFresh(ruleToChange(rule))}
      save={useSaveRuleNotes(datacenter).mutateAsync}
      done={(saved) => say('notesSaved', { name: ruleName(sayRules, saved) })}
      onClose={onClose}
    />
  )
}
