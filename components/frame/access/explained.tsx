import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { Waiting } from '#components/base/forms/failure'
import { ScreenLink } from '#components/base/session/screen-link'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { Status } from '#components/kit/status'
import { type LinkDocument, linkOf } from '#lib/ground/http/view'
import { type AskedCall, explanationQuery } from '#lib/request/access/access.queries'
import type { AccessExplanation } from '#lib/request/access/access.schema'
import { PrivilegeNames } from './privilege-names'

type ExplainedDialogProps = { user: number; call: AskedCall; onClose: () => void }

export function ExplainedDialog({ onClose, ...asked }: ExplainedDialogProps) {
  const say = useTranslations('access')
  const common = useTranslations('common')
  return (
    <Dialog
      header={say('why')}
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {common('close')}
        </Button>
      }
    >
      <Explained {...asked} />
    </Dialog>
  )
}

/** Why a user may or may not make a call, step by step as the server decides. */
export function Explained({ user, call }: { user: number; call: AskedCall }) {
  const say = useTranslations('access')
  const read = useQuery(explanationQuery(user, call))
  const explanation = read.data
  if (!explanation) return <Waiting read={read} />
  const nick = linkOf(explanation, 'user')?.title ?? ''
  return (
    <Stack>
      <Notice
        kind={explanation.granted ? 'good' : 'warn'}
        title={say(explanation.granted ? 'may' : 'mayNot', { nick })}
      >
        <code>
          {call.method} {call.path}
        </code>{' '}
        {say('status', { status: String(explanation.status) })}
      </Notice>
      <Condition isMet={explanation.active && !explanation.locked && !explanation.owesTwoFactor}>
        <Standing explanation={explanation} />
      </Condition>
      {explanation.missing.length === 0 ? (
        <Condition isMet={explanation.status !== 403}>
          <Held explanation={explanation} />
        </Condition>
      ) : (
        explanation.missing.map((anyOf) => (
          <Condition key={anyOf} isMet={false}>
            <Lacking explanation={explanation} anyOf={anyOf.split('|')} />
          </Condition>
        ))
      )}
      {/\/\d/.test(call.path) && (
        <Condition isMet={explanation.visible}>
          <Seen explanation={explanation} />
        </Condition>
      )}
    </Stack>
  )
}

function Condition({ isMet, children }: { isMet: boolean; children: ReactNode }) {
  const say = useTranslations('access.user')
  return (
    <Status kind={isMet ? 'good' : 'bad'} signLabel={say(isMet ? 'yes' : 'no')}>
      {children}
    </Status>
  )
}

const Target = ({ link }: { link: LinkDocument | undefined }) => <ScreenLink link={link} />

type Explaining = { explanation: AccessExplanation }

function Standing({ explanation }: Explaining) {
  const say = useTranslations('access.standing')
  const { active, locked, owesPassword, owesTwoFactor } = explanation
  const reasons = [
    ...(active ? [] : [say('inactive')]),
    ...(locked ? [say('locked')] : []),
    ...(owesPassword ? [say('owesPassword')] : []),
    ...(owesTwoFactor ? [say('owesTwoFactor')] : []),
  ]
  return reasons.length === 0 ? say('ready') : reasons.join(' ')
}

const Role = ({ explanation }: Explaining) => <Target link={linkOf(explanation, 'role')} />

function Held({ explanation }: Explaining) {
  const say = useTranslations('access.privilege')
  const { privileges, held } = explanation
  if (privileges.length === 0) return say('none')
  if (held.length === 0) return say('own')
  return (
    <>
      {say.rich('held', { role: () => <Role explanation={explanation} /> })}
      <PrivilegeNames names={held} />
    </>
  )
}

/** One of all that is missing. */
function Lacking({ explanation, anyOf }: Explaining & { anyOf: readonly string[] }) {
  const say = useTranslations('access.privilege')
  return (
    <>
      {say.rich('lacking', { role: () => <Role explanation={explanation} />, count: anyOf.length })}
      <PrivilegeNames names={anyOf} />
    </>
  )
}

function Seen({ explanation }: Explaining) {
  const say = useTranslations('access.sight')
  const scope = linkOf(explanation, 'scope')
  const way = explanation.links.filter(({ rel, href }) => rel === 'scopeParent' && href !== scope?.href)
  return (
    <>
      {say.rich(explanation.visible ? 'seen' : 'unseen', {
        scope: () => (scope ? <Target link={scope} /> : say('hidden')),
      })}
      {way.length > 0 && (
        <>
          {' '}
          {say('way')}{' '}
          {way.map((link, index) => (
            <span key={link.href}>
              {index > 0 && ' › '}
              <Target link={link} />
            </span>
          ))}
        </>
      )}
    </>
  )
}
