import { useState } from 'react'
import { faultsByField } from '#components/forms/form-faults'
import { useCreateNatIp, useCreateNatIpRun } from '#lib/nat/ips.queries'
import {
  type AddDraft,
  type AddField,
  type Came,
  cameOne,
  cameRun,
  checkAdd,
  fieldOfAddFault,
  ipBody,
} from './add-draft'

/** The state of the form for new IPs. */
export function useAddIps(
  datacenter: number,
  first: AddDraft,
  onCame: (came: Came, draft: AddDraft) => void,
) {
  const [draft, setDraft] = useState(first)
  const [wasSent, setWasSent] = useState(false)
  const network = draft.network?.id ?? 0
  const one = useCreateNatIp(datacenter, network)
  const run = useCreateNatIpRun(datacenter, network)
  const problems = checkAdd(draft)
  const used = draft.mode === 'range' ? run : one
  const refused = faultsByField<AddField>(used.error, fieldOfAddFault(draft))

  const submit = (): boolean => {
    setWasSent(true)
    if (used.isPending || Object.keys(problems).length > 0) return false
    const body = ipBody(draft)
    if (draft.mode === 'range') {
      run.mutate(
        { ...body, numips: Number(draft.count) },
        { onSuccess: (answer) => onCame(cameRun(answer), draft) },
      )
    } else {
      one.mutate(body, { onSuccess: (answer) => onCame(cameOne(answer), draft) })
    }
    return true
  }

  return {
    draft,
    problems: wasSent ? problems : {},
    refused: refused.fields,
    failure: refused.rest,
    isAdding: used.isPending,
    /** Closing would lose what was typed. */
    loses: () => !used.isSuccess && (draft.ip !== first.ip || draft.count !== first.count),
    change: (changes: Partial<AddDraft>) => {
      setDraft({ ...draft, ...changes })
      one.reset()
      run.reset()
    },
    submit,
  }
}
