import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure, Waiting } from '#components/base/forms/failure'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useAction } from '#components/base/forms/use-action'
import { Button } from '#components/kit/button'
import { Progress } from '#components/kit/progress'
import { type CheckPlace, natFindingsQuery, useMend } from '#lib/cloud/nat/check.queries'
import type { NatFinding, NatFindingCode } from '#lib/cloud/nat/check.schema'
import type { MendProgress } from '#lib/cloud/nat/mend'
import { fixKindOf, namesIn } from './finding-words'
import styles from './nat-check.module.css'

/** Requests that are shown at first, and that each press adds. */
const STEP = 100

/** One finding, or all of a code. */
type MendDialogProps = {
  place: CheckPlace
  of: { finding: NatFinding } | { code: NatFindingCode }
  onClose: () => void
}

/** Shows the requests before any is sent, and then how far they are. */
export function MendDialog({ place, of, onClose }: MendDialogProps) {
  const say = useTranslations('natCheck.dialog')
  const { findings, total, isRead, read, more } = useFindings(place, of)
  const mend = useMend(place)
  const [progress, setProgress] = useState<MendProgress>({ mended: 0, failed: 0 })
  const stop = useRef<AbortController>(undefined)
  const run = useAction(mend, {
    done: ({ mended, failed, isStopped }) =>
      failed === 0 && !isStopped
        ? say('done', { count: mended })
        : { type: 'warning', content: say('partly', { mended, failed, stopped: isStopped ? 'yes' : 'no' }) },
    onDone: onClose,
  })
  const count = findings.length < total ? total : findings.filter(({ fix }) => fix).length
  const done = progress.mended + progress.failed
  return (
    <FormDialog
      header={say('title')}
      size="large"
      submit={{
        label: say('go', { count }),
        busyLabel: say('busy'),
        isBusy: mend.isPending,
        refused: count === 0 ? say('nothing') : undefined,
      }}
      cancelLabel={mend.isPending ? say('stop') : undefined}
      onSubmit={() => {
        stop.current = new AbortController()
        run({ of, noted: setProgress, signal: stop.current.signal })
      }}
      onClose={() => (mend.isPending ? stop.current?.abort() : onClose())}
    >
      <div>{say('about')}</div>
      {mend.isPending && count > 1 && (
        <Progress label={say('busy')} value={done / count} about={say('progress', { done, count })} />
      )}
      {isRead ? <Requests findings={findings} /> : <Waiting read={read} />}
      {findings.length < total && (
        <>
          <strong>{say('some', { count: findings.length, total })}</strong>
          <Button busy={read.isPlaceholderData} busyText={say('busy')} onPress={more}>
            {say('more')}
          </Button>
        </>
      )}
      {mend.error && <Failure error={mend.error} />}
    </FormDialog>
  )
}
function useFindings(place: CheckPlace, of: MendDialogProps['of']) {
  const given = 'finding' in of ? [of.finding] : undefined
  const [limit, setLimit] = useState(STEP)
  const read = useQuery({
    ...natFindingsQuery(place, { code: 'code' in of ? of.code : undefined, limit }),
    enabled: given === undefined,
  })
  const findings = given ?? read.data?.collection ?? []
  return {
    findings,
    total: given ? 1 : (read.data?.totalSize ?? 0),
    isRead: given !== undefined || read.data !== undefined,
    read,
    more: () => setLimit(limit + STEP),
  }
}

function Requests({ findings }: { findings: readonly NatFinding[] }) {
  const say = useTranslations('natCheck')
  return (
    <ul className={styles.findings} aria-label={say('dialog.what')}>
      {findings.map((finding) => {
        const { fix, message } = finding
        const kind = fixKindOf(finding)
        return (
          <li key={message}>
            <span>
              <strong>{kind && say(`fixes.${kind}`)}</strong>{' '}
              {namesIn(finding)
                .map(({ name }) => name)
                .join(' · ')}
            </span>
            {fix && (
              <code>
                {fix.method} {new URL(fix.href).pathname} {fix.document && JSON.stringify(fix.document)}
              </code>
            )}
          </li>
        )
      })}
    </ul>
  )
}
