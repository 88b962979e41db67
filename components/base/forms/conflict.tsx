import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { exactTime } from '#components/base/screens/moments'
import { Button } from '#components/kit/button'
import { Row, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { ApiFailure } from '#lib/client/api'
import type { Tagged } from '#lib/client/resources.queries'
import { useLastChangeOf } from '#lib/record/events/news.queries'
import styles from './conflict.module.css'
import { type Choice, lacking } from './merge'
import type { Merge, MergeRow } from './use-merge'

export const isStaleWrite = (error: unknown): boolean => error instanceof ApiFailure && error.status === 412

/** True if a save was refused because another user saved `current` after `base`. */
export const isConflict = (
  error: unknown,
  base: Tagged<unknown> | undefined,
  current: Tagged<unknown> | undefined,
) => isStaleWrite(error) && current !== undefined && current.etag !== base?.etag

type ConflictProps = {
  merge: Merge
  /** The version of the other user. */
  theirs: Tagged<unknown> | undefined
}

/** Two users changed the same resource: the original, their version and mine, to choose field by field. */
export function Conflict({ merge, theirs }: ConflictProps) {
  const say = useTranslations('forms.conflict')
  const format = useFormatter()
  const event = useLastChangeOf(theirs?.document, theirs?.etag)
  const alert = useRef<HTMLDivElement>(null)
  // The alert may be far above the button that saves. The focus scrolls to it.
  useEffect(() => alert.current?.focus(), [])
  return (
    <Notice
      kind="warn"
      title={say('title')}
      action={
        <Row>
          <Button onPress={() => merge.chooseAll('theirs')}>{say('allTheirs')}</Button>
          <Button onPress={() => merge.chooseAll('mine')}>{say('allMine')}</Button>
        </Row>
      }
      ref={alert}
    >
      <Stack>
        {event?.user && (
          <strong>{say('by', { user: event.user, time: exactTime(format, event.timestamp) })}</strong>
        )}
        <div>{say(merge.rows.length === 0 ? 'same' : 'about')}</div>
        {merge.rows.length > 0 && <Differences merge={merge} />}
      </Stack>
    </Notice>
  )
}

function Differences({ merge: { rows, choose } }: Pick<ConflictProps, 'merge'>) {
  const say = useTranslations('forms.conflict')
  const group = useId()
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <td />
          {(['before', 'theirs', 'mine'] as const).map((whose) => (
            <th key={whose} scope="col">
              {say(whose)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">
              {row.shown.label}
              {row.choices.includes('both') && (
                <ChoiceOf group={group} row={row} choice="both" onChoose={choose}>
                  {say('both')}
                </ChoiceOf>
              )}
            </th>
            <td>
              <span className={styles.whose}>{say('before')}</span>
              <Before row={row} />
            </td>
            {(['theirs', 'mine'] as const).map((whose) => (
              <td key={whose}>
                <ChoiceOf group={group} row={row} choice={whose} onChoose={choose}>
                  <span className={styles.whose}>{say(whose)}</span>
                  <Changed row={row} value={row[whose]} />
                </ChoiceOf>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ChoiceOfProps = {
  group: string
  row: MergeRow
  choice: Choice
  onChoose: Merge['choose']
  children: ReactNode
}

function ChoiceOf({ group, row, choice, onChoose, children }: ChoiceOfProps) {
  const say = useTranslations('forms.conflict')
  return (
    <label className={styles.choice}>
      <input
        type="radio"
        name={`${group} ${row.name}`}
        aria-label={say('choose', { field: row.shown.label, whose: say(choice) })}
        checked={row.choice === choice}
        onChange={() => onChoose(row.name, choice)}
      />
      <span>{children}</span>
    </label>
  )
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function Before({ row: { shown, before } }: { row: MergeRow }) {
  const say = useTranslations('forms.conflict')
  return 'members' in shown ? say('members', { count: listOf(before).length }) : shown.text(before)
}

/** Lists show the added and removed items, other fields show their value. */
function Changed({ row: { shown, before }, value }: { row: MergeRow; value: unknown }) {
  const say = useTranslations('forms.conflict')
  if ('text' in shown) return shown.text(value)
  const added = lacking(listOf(value), listOf(before))
  const removed = lacking(listOf(before), listOf(value))
  if (added.length === 0 && removed.length === 0) return say('unchanged')
  return (
    <>
      {added.length > 0 && (
        <div>
          + <ins>{shown.members(added)}</ins>
        </div>
      )}
      {removed.length > 0 && (
        <div>
          − <del>{shown.members(removed)}</del>
        </div>
      )}
    </>
  )
}
