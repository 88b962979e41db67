import Box from '@cloudscape-design/components/box'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Failure, Waiting } from '#components/forms/failure'
import { FormDialog } from '#components/forms/form-dialog'
import { useAction } from '#components/forms/use-action'
import { type CheckPlace, natFindingsQuery, useMend } from '#lib/nat/check.queries'
import type { NatFinding, NatFindingCode } from '#lib/nat/check.schema'
import { fixKindOf, namesIn } from './finding-words'
import styles from './nat-check.module.css'

/** The most findings that are mended at once. */
const MOST = 100

/** One finding, or all of a code. */
type MendDialogProps = {
  place: CheckPlace
  of: { findings: readonly NatFinding[]; code?: never } | { findings?: never; code: NatFindingCode }
  onClose: () => void
}

/** Shows each request before any is sent. */
export function MendDialog({ place, of: { findings: given, code }, onClose }: MendDialogProps) {
  const say = useTranslations('natCheck.dialog')
  const read = useQuery({
    ...natFindingsQuery(place, { code, limit: MOST }),
    placeholderData: undefined,
    enabled: given === undefined,
  })
  const findings = (given ?? read.data?.collection ?? []).filter(({ fix }) => fix)
  const total = given?.length ?? read.data?.totalSize ?? 0
  const mend = useMend(place.datacenter)
  const run = useAction(mend, {
    done: ({ mended, failed }) =>
      failed === 0
        ? say('done', { count: mended })
        : { type: 'warning', content: say('partly', { mended, count: mended + failed }) },
    onDone: onClose,
  })
  const isRead = given !== undefined || read.data !== undefined
  return (
    <FormDialog
      header={say('title')}
      size="large"
      submit={{
        label: say('go', { count: findings.length }),
        busyLabel: say('busy'),
        isBusy: mend.isPending,
        isDisabled: findings.length === 0,
        disabledReason: say('nothing'),
      }}
      canClose={!mend.isPending}
      onSubmit={() => run(findings.flatMap(({ fix }) => fix ?? []))}
      onClose={onClose}
    >
      <Box>{say('about')}</Box>
      {total > MOST && <Box variant="strong">{say('some', { count: findings.length, total })}</Box>}
      {isRead ? <Requests findings={findings} /> : <Waiting read={read} />}
      {mend.error && <Failure error={mend.error} />}
    </FormDialog>
  )
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
              <Box variant="code">
                {fix.method} {new URL(fix.href).pathname} {fix.document && JSON.stringify(fix.document)}
              </Box>
            )}
          </li>
        )
      })}
    </ul>
  )
}
