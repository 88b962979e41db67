import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useIsPast } from '#components/base/screens/as-of'
import { type Document, differences } from '#components/frame/undo/comparison'
import { FieldChanges } from '#components/frame/undo/field-changes'
import { Banner } from '#components/kit/frame'
import { Notice } from '#components/kit/notice'
import { ApiFailure } from '#lib/client/api'
import { presentOf } from '#lib/client/past-client'
import { resourceQuery } from '#lib/client/resources.queries'
import { subjectOf } from './screen-subject'

/** Above a single screen of the past that is compared with now: what has changed since then. */
export function SinceThen() {
  const isPast = useIsPast()
  const subject = subjectOf(useLocation().pathname)
  return isPast && subject?.path !== undefined ? <Differences path={subject.path} /> : null
}

function Differences({ path }: { path: string }) {
  const say = useTranslations('layout.asOf.since')
  const client = useQueryClient()
  const then = useQuery(resourceQuery<Document>(path))
  const now = useQuery({ ...resourceQuery<Document>(path), retry: false }, presentOf(client))
  const isGone = now.error instanceof ApiFailure && now.error.status === 404
  if (!then.data || !(now.data || isGone)) return null
  const changed = now.data ? differences(then.data.document, now.data.document) : {}
  const isSame = Object.keys(changed).length === 0
  return (
    <Banner>
      <Notice kind={isGone ? 'warn' : 'info'} title={say(isGone ? 'gone' : isSame ? 'same' : 'changed')}>
        {!isGone && !isSame && (
          <FieldChanges changes={changed} sides={{ before: say('was'), after: say('now') }} />
        )}
      </Notice>
    </Banner>
  )
}
