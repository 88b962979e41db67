import { createContext, type ReactNode, useContext } from 'react'
import { useTranslations } from 'use-intl'
import { useIsPast } from '#components/base/screens/as-of'
import { Button } from '#components/kit/button'
import { Row } from '#components/kit/layout'
import type { Privilege } from '#lib/caller/auth/privileges'
import type { AskedCall } from '#lib/request/access/access.queries'
import { useNeeds } from './reasons'

/** The subject of the explanation: the privileges that a control needs, the call that it would make, or both. */
export type WhyQuestion = { needs?: readonly Privilege[]; call?: AskedCall | undefined }

/** Opens the dialog that explains. Undefined outside of the frame of the console. */
export const WhyContext = createContext<((question: WhyQuestion) => void) | undefined>(undefined)

/** Beside a disabled or refused control. */
export function Why(question: WhyQuestion) {
  const say = useTranslations('access')
  const ask = useContext(WhyContext)
  const isPast = useIsPast()
  if (!ask || isPast) return null
  return (
    <Button look="link" onPress={() => ask(question)}>
      {say('why')}
    </Button>
  )
}

type RequiresPrivilegeProps = {
  /** One, or all that the user lacks. */
  missing: Privilege | readonly Privilege[] | false | undefined
  call?: AskedCall | undefined
  children: ReactNode
}

/** A control, and beside it the reason if the user lacks the privilege for it. Nothing of the past can be changed: there is no control. */
export function RequiresPrivilege({ missing, call, children }: RequiresPrivilegeProps) {
  if (useIsPast()) return null
  return missing && missing.length > 0 ? (
    <Row>
      {children}
      <Why needs={typeof missing === 'string' ? [missing] : missing} call={call} />
    </Row>
  ) : (
    children
  )
}

type RequiredPrivilegeProps = { privilege: Privilege; call?: AskedCall | undefined }

/** The privilege that the user lacks, as a sentence. */
export function RequiredPrivilege({ privilege, call }: RequiredPrivilegeProps) {
  const needs = useNeeds()
  return (
    <>
      {needs(privilege)} <Why needs={[privilege]} call={call} />
    </>
  )
}
