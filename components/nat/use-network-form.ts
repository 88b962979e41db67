import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isConflict, isStaleWrite } from '#components/forms/conflict'
import { useFlash } from '#components/forms/flash'
import { type FieldErrors, faultsByField } from '#components/forms/form-faults'
import type { Tagged } from '#lib/client/resources.queries'
import { useSaveNatNetwork } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import {
  checkDraft,
  draftOf,
  fieldOfFault,
  isSameDraft,
  type NetworkDraft,
  type NetworkField,
} from './network-draft'

type Known = Tagged<NatNetworkDocument> | undefined

type Options = {
  datacenter: number
  /** The newest that is known of the network to change. */
  current: Known
  /** Reads it anew. */
  refresh: () => Promise<Known>
  onSaved: (id: number) => void
  /** Called with the first field that is wrong. */
  onRefused: (field: NetworkField) => void
}

const fields: readonly NetworkField[] = ['name', 'cidr', 'device']

const firstOf = (errors: FieldErrors<NetworkField>): NetworkField | undefined =>
  fields.find((field) => errors[field])

/** The state of the form of a NAT network. What is typed builds on `base`; `current` may be newer. */
export function useNetworkForm({ datacenter, current, refresh, onSaved, onRefused }: Options) {
  const say = useTranslations('nat.form')
  const mutation = useSaveNatNetwork(datacenter)
  const notify = useFlash()
  const [base, setBase] = useState(current)
  const [draft, setDraft] = useState(draftOf(current?.document))
  const [wasSent, setWasSent] = useState(false)
  const isSaved = useRef(false)
  const conflict = isConflict(mutation.error, base, current)
  const refused = faultsByField(mutation.error, fieldOfFault)
  const errors: FieldErrors<NetworkField> = { ...refused.fields }
  const { problems } = checkDraft(draft, base?.document)
  if (wasSent) for (const field of fields) if (problems[field]) errors[field] = say(problems[field])

  const send = (target: Known, tries = 1) => {
    setBase(target)
    mutation.mutate(
      { body: checkDraft(draft, target?.document).body, ...(target && { current: target }) },
      {
        onSuccess: ({ id, name }) => {
          isSaved.current = true
          notify({ type: 'success', content: say('saved', { name }) })
          onSaved(id)
        },
        onError: (error) => {
          if (isStaleWrite(error)) void refresh().then((newest) => resume(target, newest, tries))
          const field = firstOf(faultsByField(error, fieldOfFault).fields)
          if (field) onRefused(field)
        },
      },
    )
  }
  // The totals of a network are in its document: an IP that was attached meanwhile is no reason to ask the user.
  const resume = (sent: Known, newest: Known, tries: number) => {
    const isUntouched = newest && isSameDraft(draftOf(newest.document), draftOf(sent?.document))
    if (isUntouched && tries < 3) send(newest, tries + 1)
  }

  const saveOver = (target: Known) => {
    if (mutation.isPending) return
    setWasSent(true)
    const wrong = firstOf(checkDraft(draft, target?.document).problems)
    if (wrong) onRefused(wrong)
    else send(target)
  }

  return {
    draft,
    errors,
    conflict,
    failure: conflict ? undefined : refused.rest,
    isSaving: mutation.isPending,
    /** Leaving now would lose what was typed. */
    loses: () => !isSaved.current && !isSameDraft(draft, draftOf(base?.document)),
    change: (changes: Partial<NetworkDraft>) => {
      setDraft({ ...draft, ...changes })
      if (!conflict) mutation.reset()
    },
    save: () => saveOver(base),
    saveMine: () => saveOver(current),
    takeTheirs: () => {
      setBase(current)
      setDraft(draftOf(current?.document))
      mutation.reset()
    },
  }
}
