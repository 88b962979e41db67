import { useTranslations } from 'use-intl'
import { resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog } from '#components/base/forms/declared-screens'
import { noteFields } from '#components/base/forms/note-fields'
import { LoadingDialog } from '#components/base/forms/resource-form'
import { useFresh } from '#lib/client/resources.queries'
import { natIpQuery, useSaveIpNotes } from '#lib/cloud/nat/ips.queries'
import { natIpInput } from '#lib/cloud/nat/ips.schema'
import type { OpenIp } from './open-ip'

const notesForm = resourceForm(natIpInput.pick({ description: true, tags: true }), noteFields)

type IpNotesProps = { datacenter: number; place: OpenIp; onClose: () => void }

/** Changes the description and the tags of a NAT IP. */
export function IpNotes({ datacenter, place, onClose }: IpNotesProps) {
  const say = useTranslations('nat.ip')
  const read = useFresh(natIpQuery(datacenter, place.network, place.id))
  const saving = useSaveIpNotes(datacenter)
  if (!read.data) return <LoadingDialog header={say('notes')} read={read} onClose={onClose} />
  return (
    <FormInDialog
      of={notesForm}
      title={say('notes')}
      read={read}
      save={async ({ draft, current }) => {
        if (!current) throw new Error('A NAT IP is saved before it is read')
        return saving.mutateAsync({ draft, current })
      }}
      done={({ ip }) => say('notesSaved', { ip })}
      onClose={onClose}
    />
  )
}
