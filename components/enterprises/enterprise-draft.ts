import type { ReactNode } from 'react'
import { textFaults } from '#components/forms/form-faults'
import type { ApiFault } from '#lib/client/api'
import { type Named, namedBy } from '#lib/http/view'
import type { EnterpriseDraft as SentDraft } from '#lib/identity/enterprises.queries'
import { type EnterpriseDocument, enterpriseInput } from '#lib/identity/identity.schema'
import type { Say } from '#lib/words/words'

/** An enterprise while it is written. */
export type EnterpriseDraft = { name: string; isTwoFactorMandatory: boolean; scope: Named | undefined }

export type EnterpriseField = 'name' | 'scope'

export const emptyEnterprise: EnterpriseDraft = { name: '', isTwoFactorMandatory: false, scope: undefined }

export const draftOfEnterprise = (enterprise: EnterpriseDocument): EnterpriseDraft => ({
  name: enterprise.name,
  isTwoFactorMandatory: enterprise.twoFactorAuthenticationMandatory,
  scope: namedBy(enterprise, 'scope'),
})

export const sentEnterprise = ({ name, isTwoFactorMandatory, scope }: EnterpriseDraft): SentDraft => ({
  name: name.trim(),
  twoFactorAuthenticationMandatory: isTwoFactorMandatory,
  scope: scope?.id,
})

/** What the shared schema has against the draft. */
export const checkEnterprise = (
  draft: EnterpriseDraft,
  say: Say<'forms.faults'>,
): Partial<Record<EnterpriseField, ReactNode>> => {
  const { name } = textFaults(say, enterpriseInput, { name: sentEnterprise(draft).name })
  return name ? { name } : {}
}

const fieldOfCode: Record<string, EnterpriseField> = {
  'ENTERPRISE-4': 'name',
  'USER-19': 'scope',
  'SCOPE-1': 'scope',
  'GEN-6': 'scope',
  'GEN-15': 'scope',
}

export const fieldOfEnterpriseFault = ({ code, message }: ApiFault): EnterpriseField | undefined =>
  code.startsWith('CONSTR-') && message.startsWith('name') ? 'name' : fieldOfCode[code]
